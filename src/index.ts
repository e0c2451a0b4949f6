/** The library: the same loop as `ralphd run`, typed. Task, checker, boundary; nothing else is needed. */
import type { AgentEvent } from "./core/agent-event.js";
import type { JournalEvent } from "./core/journal-event.js";
import { EXIT_CODES, type FinalStatus, type StopReason } from "./core/words.js";
import { createControl } from "./run/control.js";
import { preflight } from "./run/preflight.js";
import { Refusal } from "./run/refusal.js";
import { startRun } from "./run/start.js";

export type { AgentEvent } from "./core/agent-event.js";
export type { JournalEvent } from "./core/journal-event.js";
export { EXIT_CODES, STOP_REASONS, type FinalStatus, type StopReason } from "./core/words.js";

export interface RunOptions {
  /** Any folder of the repository; the process's own by default. */
  cwd?: string;
  /** The task: a plan file, or an objective as a sentence. Without it the usual plan files are looked for. */
  task?: string;
  /** The checkers: shell commands that must pass before the run counts as done. The plan's and the config's come on top. */
  gates?: string[];
  /** The boundary. Values as on the command line: `20`, `"500k"`, `5`, `"2h"`. */
  limits?: { iterations?: number; tokens?: number | string; costUsd?: number; time?: string };
  /** `claude`, `anthropic`, `replay`, `auto`, or the argv of a program that reads the prompt on stdin. */
  agent?: string | string[];
  model?: string;
  /** Environment of the run; the process's own by default. */
  env?: NodeJS.ProcessEnv;
  /** Ends the run at once, keeping its work. */
  signal?: AbortSignal;
  onEvent?: (event: JournalEvent) => void;
  onAgentEvent?: (iteration: number, event: AgentEvent) => void;
}

export type RunResult =
  | {
      kind: "ended";
      run: string;
      status: FinalStatus;
      reason: StopReason;
      verified: boolean;
      summary: string;
      iterations: number;
      branch: string | null;
      lastCommit: string | null;
      /** Null where anything in it is unknown. */
      costUsd: number | null;
      exitCode: number;
    }
  /** Nothing was started; the message says what is wrong and the way out. */
  | { kind: "refused"; message: string; exitCode: number };

/**
 * Runs the loop to its end. Never rejects for what can be expected.
 * Calling it is consent to run what the repository's own files name: gates, setup, agents, hooks.
 */
export async function run(options: RunOptions = {}): Promise<RunResult> {
  const env = options.env ?? process.env;
  const control = createControl();
  const stop = (): void => control.stopNow();
  options.signal?.addEventListener("abort", stop);
  if (options.signal?.aborted === true) stop();
  try {
    const ready = await preflight({
      cwd: options.cwd ?? process.cwd(),
      argument: options.task ?? null,
      flags: flagsOf(options),
      env,
      stdin: null,
      trust: async () => true,
    });
    const observer = {
      journal: (event: JournalEvent) => options.onEvent?.(event),
      agent: (iteration: number, event: AgentEvent) => options.onAgentEvent?.(iteration, event),
    };
    const { state } = await startRun({ ready, env, control, observer, say: () => undefined });
    const { stopped } = state;
    if (stopped === null) throw new Error(`run ${state.run} ended without a status`);
    return {
      kind: "ended",
      run: state.run,
      status: stopped.status,
      reason: stopped.reason,
      verified: stopped.verified,
      summary: stopped.summary,
      iterations: state.iteration,
      branch: state.started.branch,
      lastCommit: state.lastCommit,
      costUsd: state.unknownCost > 0 || state.usage.costMicroUsd === null ? null : state.usage.costMicroUsd / 1_000_000,
      exitCode: EXIT_CODES[stopped.status],
    };
  } catch (error) {
    if (error instanceof Refusal) return { kind: "refused", message: error.message, exitCode: EXIT_CODES.refused };
    throw error;
  } finally {
    options.signal?.removeEventListener("abort", stop);
  }
}

function flagsOf({ agent, gates, limits = {}, model }: RunOptions) {
  return {
    agent: typeof agent === "string" ? agent : undefined,
    argv: Array.isArray(agent) ? agent : undefined,
    gate: gates,
    model,
    maxIterations: limits.iterations?.toString(),
    maxTokens: limits.tokens?.toString(),
    maxCost: limits.costUsd?.toString(),
    maxTime: limits.time,
  };
}
