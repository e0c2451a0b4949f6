/** One gate as a process: `sh -c`, no terminal, its tries, its log, nothing left behind. */
import { randomUUID } from "node:crypto";
import { partToken, TOKEN_VARIABLE } from "../agents/process/process-table.js";
import { runCommand, type CommandResult } from "../agents/process/run-command.js";
import type { GateResult, GateSpec } from "../core/gate.js";
import type { Gates, Wrap } from "../driver/ports.js";
import { nextLogPath, redactLog } from "./gate-log.js";
import { isFinal, judgeRun, type Judged } from "./verdict.js";

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
}

export type GateContext = Parameters<Gates["run"]>[1];

/** Enough for the counts and names of several runners in a row; the whole output is in the log. */
const READ_BYTES = 2 * 1024 * 1024;

interface Try {
  judged: Judged;
  durationMs: number;
  logPath: string;
  /** Another try would end the same way. */
  final: boolean;
}

export async function runGate(options: GatesOptions, spec: GateSpec, context: GateContext): Promise<GateResult> {
  const job = { name: spec.name, command: spec.run, timeoutMs: spec.timeoutMs, counts: true };
  const first = await runOnce(options, job, context);
  let last = first;
  let tries = 1;
  let durationMs = first.durationMs;
  while (last.judged.verdict === "fail" && !last.final && tries <= spec.retries && !context.signal.aborted) {
    last = await runOnce(options, job, context);
    durationMs += last.durationMs;
    tries += 1;
  }
  const flaky = last.judged.verdict === "pass" && tries > 1;
  const reason = flaky
    ? `flaky: passed at try ${tries} after ${first.judged.reason}`
    : tries > 1
      ? `${last.judged.reason} (${tries} tries)`
      : last.judged.reason;
  return { name: spec.name, required: spec.required, ...last.judged, reason, durationMs: Math.round(durationMs), flaky, outputPath: last.logPath };
}

export async function runOnce(
  options: GatesOptions,
  job: { name: string; command: string; timeoutMs: number; counts: boolean },
  context: GateContext,
): Promise<Try> {
  const cwd = context.cwd === "" ? options.root : context.cwd;
  const logPath = nextLogPath(context.outputDir, job.name);
  const raw = await runCommand({
    argv: ["sh", "-c", job.command],
    cwd,
    env: gateEnv(context.env),
    stdin: null,
    timeoutMs: job.timeoutMs,
    outputPath: logPath,
    signal: context.signal,
    token: partToken(context.env[TOKEN_VARIABLE] ?? options.run, randomUUID()),
    killGraceMs: options.killGraceMs,
    wrap: options.wrap,
    tailBytes: READ_BYTES,
  });
  const result = cleaned(raw, options, logPath);
  const judged = judgeRun({ command: job.command, result, timeoutMs: job.timeoutMs, root: cwd, counts: job.counts });
  return { judged, durationMs: result.durationMs, logPath, final: isFinal(result.exit) };
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
