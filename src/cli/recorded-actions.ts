/** What an agent did in an iteration, from the recorded output that its driver kept: tool calls with how they came out. */
import { createAgent } from "../agents/registry.js";
import { agentOf } from "../core/agent-list.js";
import type { AgentEvent } from "../core/agent-event.js";
import { iterationDir } from "../core/paths.js";
import type { RunStore } from "../journal/run-store.js";
import { type ActivityLine, createActivityLog } from "../report/activity.js";
import { oneLine } from "../report/markdown-text.js";
import { frozenSettings } from "./frozen-settings.js";

export interface Actions {
  lines: ActivityLine[];
  /** Why they could not be read. */
  problem: string | null;
}

export interface Recording {
  store: RunStore;
  root: string;
  truthDir: string;
  env: NodeJS.ProcessEnv;
}

/** `agent`: who made the iteration; empty in a journal that does not say, which is taken for the first choice. */
export async function recordedActions({ store, root, truthDir, env }: Recording, iteration: number, agent: string): Promise<Actions> {
  const raw = store.files.read(`${iterationDir(iteration)}/stream.jsonl`);
  const settings = frozenSettings(truthDir);
  const made =
    settings === null
      ? { error: "the settings of the run are lost" }
      : await createAgent({ ...settings, agent: agentOf(settings, agent) }, { cwd: root, env, confirmed: false });
  const stream: AgentEvent[] = raw === null || "error" in made ? [] : made.agent.replayStream(raw);
  const log = createActivityLog();
  const lines = stream.flatMap((event) => log.take(iteration, event, 0));
  const problem = "error" in made ? `The recorded stream can't be read: ${made.error}` : raw === null ? "No stream is on record." : null;
  return { lines: [...lines, ...log.flush(iteration)], problem };
}

export function actionText({ tool, command, path, text, ok, exitCode, denied }: ActivityLine): string {
  if (tool === null) return text === undefined ? "(no tool)" : `said: ${text}`;
  const what = command !== undefined ? `$ ${command}` : `${tool}${path === undefined ? "" : ` ${path}`}`;
  const outcome = denied === true ? "denied" : ok === null ? "no result" : exitCode !== null ? `exit ${exitCode}` : ok ? "ok" : "failed";
  return `${oneLine(what, 300)}  -> ${outcome}`;
}
