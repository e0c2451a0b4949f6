/** Makes silence noticeable: a file that is young while the driver lives, and an address that is called while it does. */
import type { RunState } from "../core/run-state.js";
import { replaceFile } from "../journal/atomic.js";
import { request } from "./deliver.js";

export interface HeartbeatOptions {
  path: string;
  /** null: no dead-man's switch. */
  url: string | null;
  everyMs: number;
  env: NodeJS.ProcessEnv;
  state(): RunState | null;
  /** Between two touches of the file. */
  beatMs?: number;
}

export interface Heartbeat {
  take(): string[];
  /** Leaves the final status in the file. */
  stop(): void;
}

const BEAT_MS = 30_000;

export function startHeartbeat({ path, url, everyMs, env, state, beatMs = BEAT_MS }: HeartbeatOptions): Heartbeat {
  const problems: string[] = [];
  const named = new Set<string>();
  const abort = new AbortController();
  const name = (problem: string): void => {
    if (named.has(problem)) return;
    named.add(problem);
    problems.push(`heartbeat: ${problem}`);
  };
  const beat = (): void => {
    try {
      replaceFile(path, `${JSON.stringify(pulse(state()))}\n`);
    } catch (error) {
      // The run is worth more than its pulse.
      name(error instanceof Error ? error.message : String(error));
    }
  };
  const call = async (): Promise<void> => {
    if (url === null) return;
    const answer = await request(url, { method: "GET" }, { env, signal: abort.signal });
    if (answer.kind !== "arrived" && !abort.signal.aborted) name(answer.why);
  };
  beat();
  void call();
  const timers = [setInterval(beat, beatMs), ...(url === null ? [] : [setInterval(() => void call(), everyMs)])];
  for (const timer of timers) timer.unref();
  return {
    take: () => problems.splice(0),
    stop: () => {
      for (const timer of timers) clearInterval(timer);
      abort.abort();
      beat();
    },
  };
}

function pulse(state: RunState | null): object {
  const progress = state?.records.findLast((record) => record.class === "progress");
  return {
    at: new Date().toISOString(),
    pid: process.pid,
    run: state?.run ?? null,
    iteration: state?.iteration ?? null,
    status: state?.stopped?.status ?? null,
    /** End of the last iteration that made progress, or the start of the run. */
    noProgressSince: progress?.endedAt ?? state?.startedAt ?? null,
  };
}
