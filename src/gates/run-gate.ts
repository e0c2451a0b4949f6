/** One gate as a process: `sh -c`, no terminal, its tries, its log, nothing left behind. */
import { randomUUID } from "node:crypto";
import { partToken, TOKEN_VARIABLE } from "../agents/process/process-table.js";
import { runCommand, type CommandResult } from "../agents/process/run-command.js";
import type { GateResult, Reviewer, RunGate } from "../core/gate.js";
import type { AgentSettings } from "../core/settings.js";
import type { GateContext, Wrap } from "../driver/ports.js";
import type { OnceScope } from "../once/scope.js";
import { nextLogPath, redactLog } from "./gate-log.js";
import { failed, type Judged } from "./judged.js";
import { isFinal, judgeRun } from "./verdict.js";
import { ownProgram } from "../own-program.js";

export interface GatesOptions {
  /** Absolute path of the working tree; where gates run unless the context says otherwise. */
  root: string;
  killGraceMs: number;
  /** Run id, part of the token by which leftovers are found. */
  run: string;
  /** Takes secrets out of everything that is stored or told. */
  redact?: (text: string) => string;
  /** `setup` installs things, which takes longer than a check. */
  setupTimeoutMs?: number;
  /** Into the sandbox. */
  wrap?: Wrap | undefined;
  /** Records of `ralphd once` for this gate alone. */
  onceFor?: ((gate: string) => OnceScope) | undefined;
  /** Why no program may be started now, as its verdict would be somebody else's; null: it may. */
  stray?: (() => string | null) | undefined;
  /** What a reviewing model's process gets; the agent's own environment without it. */
  reviewerEnv?: ((agent: Reviewer["agent"]) => Record<string, string>) | undefined;
  /** USD per million tokens, for reviewers that report tokens alone. */
  prices?: AgentSettings["prices"] | undefined;
}

/** Enough for the counts and names of several runners in a row; the whole output is in the log. */
const READ_BYTES = 2 * 1024 * 1024;

export interface Try {
  judged: Judged & Pick<GateResult, "confidence" | "usage">;
  durationMs: number;
  logPath: string | null;
  /** Another try would end the same way. */
  final: boolean;
}

export function runCommandGate(options: GatesOptions, spec: RunGate, context: GateContext): Promise<Try> {
  return runOnce(options, { name: spec.name, command: spec.run, timeoutMs: spec.timeoutMs, counts: true }, context);
}

export async function runOnce(
  options: GatesOptions,
  job: { name: string; command: string; timeoutMs: number; counts: boolean },
  context: GateContext,
): Promise<Try> {
  const stray = options.stray?.() ?? null;
  if (stray !== null) return { judged: strayed(stray), durationMs: 0, logPath: null, final: true };
  const cwd = context.cwd === "" ? options.root : context.cwd;
  const logPath = nextLogPath(context.outputDir, job.name);
  const own = options.onceFor?.(job.name);
  const raw = await runCommand({
    argv: [ownProgram("sh"), "-c", job.command],
    cwd,
    env: { ...gateEnv(context.env), ...own?.env },
    stdin: null,
    timeoutMs: job.timeoutMs,
    outputPath: logPath,
    signal: context.signal,
    token: partToken(context.env[TOKEN_VARIABLE] ?? options.run, randomUUID()),
    killGraceMs: options.killGraceMs,
    wrap: options.wrap,
    writable: own?.writable ?? [],
    tailBytes: READ_BYTES,
  });
  const result = cleaned(raw, options, logPath);
  const judged = judgeRun({ command: job.command, result, timeoutMs: job.timeoutMs, root: cwd, counts: job.counts });
  return { judged, durationMs: result.durationMs, logPath, final: isFinal(result.exit) };
}

/** Fails with words for the agent, who can take away what it put there; a person sees them in the report. */
export function strayed(stray: string): Judged {
  return failed(`not run: ${stray}`, { detail: `${stray}. Gates run with the programs of the start alone: remove it.`, fingerprint: "stray program" });
}

/** `CI` keeps runners out of watch mode and prompts; the other one makes `node --test` print for a parent that isn't there. */
function gateEnv(env: Record<string, string>): Record<string, string> {
  const { NODE_TEST_CONTEXT: _, ...rest } = env;
  return { ...rest, CI: "true" };
}

function cleaned(result: CommandResult, { redact }: GatesOptions, logPath: string): CommandResult {
  if (redact === undefined) return result;
  const output = redact(result.output);
  redactLog(logPath, redact, output);
  return { ...result, output };
}
