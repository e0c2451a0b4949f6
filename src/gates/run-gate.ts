/** Runs gates as processes: `sh -c`, no terminal, nothing left behind, and a verdict whatever happens. */
import { randomUUID } from "node:crypto";
import { runCommand, type CommandResult } from "../agents/process/run-command.js";
import { DEFAULT_GATE_TIMEOUT_MS } from "../core/defaults.js";
import type { GateResult, GateSpec } from "../core/gate.js";
import type { Gates } from "../driver/ports.js";
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
}

type Context = Parameters<Gates["run"]>[1];

/** Enough for the counts and names of several runners in a row; the whole output is in the log. */
const READ_BYTES = 2 * 1024 * 1024;
const SETUP_TIMEOUT_MS = 3 * DEFAULT_GATE_TIMEOUT_MS;

interface Try {
  judged: Judged;
  durationMs: number;
  logPath: string;
  /** Another try would end the same way. */
  final: boolean;
}

export function createGates(options: GatesOptions): Gates {
  return {
    async run(spec, context) {
      try {
        return await runGate(options, spec, context);
      } catch (error) {
        // Whatever broke, nothing was proved.
        return unreadable(spec, error);
      }
    },
    async setup(command, context) {
      try {
        const timeoutMs = options.setupTimeoutMs ?? SETUP_TIMEOUT_MS;
        const { judged } = await runOnce(options, { name: "setup", command, timeoutMs, counts: false }, context);
        const detail = judged.detail === null || judged.detail === judged.reason ? judged.reason : `${judged.reason}\n${judged.detail}`;
        return { ok: judged.verdict === "pass", detail };
      } catch (error) {
        return { ok: false, detail: `setup could not be run: ${messageOf(error)}` };
      }
    },
  };
}

async function runGate(options: GatesOptions, spec: GateSpec, context: Context): Promise<GateResult> {
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

async function runOnce(
  options: GatesOptions,
  job: { name: string; command: string; timeoutMs: number; counts: boolean },
  context: Context,
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
    token: `${options.run}-gate-${randomUUID()}`,
    killGraceMs: options.killGraceMs,
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

function unreadable(spec: GateSpec, error: unknown): GateResult {
  const reason = `could not be judged: ${messageOf(error)}`;
  return {
    name: spec.name,
    verdict: "fail",
    reason,
    required: spec.required,
    failing: [],
    fingerprint: reason,
    testsRun: null,
    exitCode: null,
    durationMs: 0,
    flaky: false,
    outputPath: null,
    detail: reason,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
