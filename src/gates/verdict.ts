/**
 * Turns the ending and the output of a gate's command into a verdict. Only one thing is a pass: exit code 0 by
 * itself, with at least one test where a known runner counts them. Every reason says what to do next.
 */
import { constants } from "node:os";
import type { CommandExit, CommandResult } from "../agents/process/run-command.js";
import { compressOutput } from "../core/gate-output/compress.js";
import { gateFingerprint } from "../core/gate-output/fingerprint.js";
import { readOutput, type OutputReading } from "../core/gate-output/read.js";
import { nameList } from "../core/gate-verdict.js";
import { type Judged, oneLine } from "./judged.js";

/** Codes of `sh` for what it could not start. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
/** A shell whose child was killed by signal n exits with this plus n. */
const SIGNAL_BASE = 128;
const MAX_DETAIL_CHARS = 4_000;

export interface Ran {
  command: string;
  result: CommandResult;
  timeoutMs: number;
  /** Taken off paths, so that a worktree fails in the same way as the working tree. */
  root: string;
  /** False for `setup`, whose output may show a runner that had nothing to do. */
  counts: boolean;
}

export function judgeRun({ command, result, timeoutMs, root, counts }: Ran): Judged {
  const { exit } = result;
  const reading = readOutput(result.output, root);
  const exitCode = exit.kind === "exited" ? exit.code : null;
  const why = whyNot(exit, reading, { command, timeoutMs, output: result.output, counts });
  if (why === null) {
    return { verdict: "pass", reason: passReason(reading), failing: [], fingerprint: "pass", testsRun: reading.testsRun, exitCode, detail: null };
  }
  const reason = oneLine(why);
  return {
    verdict: "fail",
    reason,
    failing: reading.failing,
    // Without a word of the runner's own the ending is the only thing to tell failures apart by.
    fingerprint: gateFingerprint(reading.failing, exitCode === null ? reason : (reading.firstError ?? reason)),
    testsRun: reading.testsRun,
    exitCode,
    detail: compressOutput(result.output, MAX_DETAIL_CHARS).trim() || reason,
  };
}

/** The endings that another try can't change. */
export function isFinal(exit: CommandExit): boolean {
  if (exit.kind === "exited") return exit.code === NOT_FOUND || exit.code === NOT_EXECUTABLE;
  return exit.kind === "aborted" || exit.kind === "cannotStart";
}

interface Seen {
  command: string;
  timeoutMs: number;
  output: string;
  counts: boolean;
}

function whyNot(exit: CommandExit, reading: OutputReading, seen: Seen): string | null {
  switch (exit.kind) {
    case "timedOut":
      return `timed out after ${inWords(seen.timeoutMs)} (watch mode? gates need to end by themselves)`;
    case "signalled":
      return `killed by ${exit.signal}${exit.signal === "SIGKILL" ? " (out of memory?)" : ""}`;
    case "aborted":
      return "stopped by a person before it ended";
    case "cannotStart":
      return `could not be started: ${exit.message}`;
    case "exited":
      if (exit.code === 0) return seen.counts ? whyNotGreen(reading, seen.command) : null;
      return whyExit(exit.code, reading, seen.output);
  }
}

/** Exit code 0, and still no proof. */
function whyNotGreen(reading: OutputReading, command: string): string | null {
  if (reading.testsRun === 0) return `nothing was run: 0 tests (${reading.runner ?? "runner"}); check the gate's paths and filters`;
  // Only then: a suite that tests a test runner may well print somebody else's failures.
  const canHideExit = /[|;\n]/.test(command);
  if (canHideExit && (reading.testsFailed ?? 0) > 0) {
    return `exit 0, but ${failures(reading)}; a pipe or \`;\` in the gate's command hides the runner's exit code`;
  }
  return null;
}

function whyExit(code: number, reading: OutputReading, output: string): string {
  if (code === NOT_FOUND)
    return `command not found${named(output, /(?:^|: )([^\s:]+): (?:command )?not found|not found: (\S+)/m)}; install it or correct the gate's command`;
  if (code === NOT_EXECUTABLE) return `not executable${named(output, /(?:^|: )([^\s:]+): Permission denied/m)}; check its mode and first line`;
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - SIGNAL_BASE)?.[0];
  if (signal !== undefined) return `exit ${code}: killed by ${signal}${signal === "SIGKILL" ? " (out of memory?)" : ""}`;
  if (reading.failing.length > 0) return `exit ${code}: ${failures(reading)}`;
  if (reading.testsRun === 0 && (reading.testsFailed ?? 0) === 0)
    return `exit ${code}: nothing was run: 0 tests${reading.firstError === null ? "" : `; ${reading.firstError}`}`;
  if (reading.firstError !== null) return `exit ${code}: ${reading.firstError}`;
  const last = output.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return last === "" ? `exit ${code} without any output` : `exit ${code}: ${last}`;
}

function failures(reading: OutputReading): string {
  const count = Math.max(reading.testsFailed ?? 0, reading.failing.length);
  return reading.failing.length === 0 ? `${count} failing` : `${count} failing: ${nameList(reading.failing)}`;
}

function passReason(reading: OutputReading): string {
  return reading.testsRun === null ? "exit 0" : `exit 0, ${reading.testsRun} ${reading.testsRun === 1 ? "test" : "tests"} ran`;
}

function named(output: string, pattern: RegExp): string {
  const found = pattern.exec(output);
  const name = found?.[1] ?? found?.[2];
  return name === undefined ? "" : `: ${name}`;
}

/** `10 min`, `90 s`, `1.5 s`. */
function inWords(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${Math.round(ms / 100) / 10} s`;
}
