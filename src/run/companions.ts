/** What goes along with a run without being part of it: notifications and the heartbeat. */
import { join } from "node:path";
import { HEARTBEAT_FILE } from "../core/paths.js";
import type { Notice } from "../core/notice.js";
import type { RunState } from "../core/run-state.js";
import type { Settings } from "../core/settings.js";
import type { JournalEvent } from "../core/journal-event.js";
import { driverStore } from "../once/store.js";
import { createNotifier } from "../notify/notifier.js";
import { startHeartbeat } from "../notify/heartbeat.js";
import { onDeath } from "./last-words.js";

export interface CompanionOptions {
  /** As the files say now: addresses are not frozen where an agent could read them. */
  settings: Pick<Settings, "notify" | "notifyWaitMs" | "heartbeat">;
  truthDir: string;
  /** Of the repository, shared by its worktrees. */
  commonDir: string;
  root: string;
  run: string;
  env: NodeJS.ProcessEnv;
  commandEnv: Record<string, string>;
  token: string;
  redact(text: string): string;
  state(): RunState | null;
}

export interface Companions {
  journal(event: JournalEvent): void;
  /** Warnings for the journal since the last call. */
  take(): string[];
  /** Told once more where no event told it, and given a few seconds to leave. */
  farewell(state: RunState): Promise<void>;
}

/** Given to what is still on its way when the run is over. */
const FAREWELL_MS = 5_000;

export function startCompanions(options: CompanionOptions): Companions {
  const { settings, truthDir, commonDir, root, run, env, commandEnv, token, redact, state } = options;
  const notifier = createNotifier({
    specs: settings.notify,
    waitMs: settings.notifyWaitMs,
    redact,
    carrier: { env, commandEnv, cwd: root, token },
    store: driverStore(commonDir),
  });
  const heartbeat = startHeartbeat({ path: join(truthDir, HEARTBEAT_FILE), ...settings.heartbeat, env, state });
  const failure = (text: string): Notice => ({
    kind: "failed",
    title: "ralphd: failed (internal)",
    text,
    run,
    iteration: state()?.iteration ?? 0,
    at: new Date().toISOString(),
  });
  const forget = onDeath(async (message) => {
    notifier.ended(failure(message));
    await notifier.close(FAREWELL_MS);
  });
  return {
    journal: notifier.journal,
    take: () => [...notifier.take(), ...heartbeat.take()],
    async farewell(final) {
      forget();
      heartbeat.stop();
      notifier.ended(failure(final.stopped?.summary ?? "The run has no final status."));
      await notifier.close(FAREWELL_MS);
    },
  };
}
