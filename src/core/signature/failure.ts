/** Whether a command failed, when its exit code alone would mislead. */
import { readOutput } from "../gate-output/read.js";
import { readCommand, type CommandReading } from "./command.js";
import { isPoll, isReadOnlyCommand, programName } from "./read-only.js";
import { textAt } from "../text-at.js";

/** `unclear` neither counts as a failure nor resets a count: the command did not run, or a viewer hid its exit code. */
export type CommandVerdict = "failed" | "succeeded" | "unclear";

/** Programs for which 1 is an answer (nothing found, differs, is false), not a failure. */
const ANSWER_PROGRAMS = new Set("grep egrep fgrep rg ag ack diff cmp comm test [ [[ pgrep pidof which type command expr false let".split(" "));
const ANSWER_GIT = /^(?:diff|grep|merge-base|check-ignore|show-ref|rev-parse|ls-files|config)$/;

/** POSIX shells end with 127 when they find no such program. */
const EXIT_NOT_FOUND = 127;
const NOT_FOUND = /(?:command not found\b.*|^(?:\S*\/)?(?:sh|bash|dash|zsh)\b.*: not found|is not recognized as an internal or external command.*)$/m;
/** A missing program is all there is to say; a long output that mentions one is about something else. */
const NOT_FOUND_CHARS = 400;

/** `agentSaysFailed` decides only where no exit code is known. */
export function commandVerdict(seen: { command: string; exitCode: number | null; output: string; agentSaysFailed: boolean }): CommandVerdict {
  const { command, exitCode, output, agentSaysFailed } = seen;
  const reading = readCommand(command);
  const hidden = exitCode === null || reading.exitMasked;
  if (!agentSaysFailed && (exitCode === 0 || exitCode === null)) {
    // What `cat test.log` shows happened elsewhere.
    if (!hidden || isReadOnlyCommand(command)) return "succeeded";
    if (exitCode === null && isNotFound(output)) return "unclear";
    const proof = evidence(output);
    return exitCode === null && proof === "unclear" ? "succeeded" : proof;
  }
  if (exitCode === EXIT_NOT_FOUND || isNotFound(output)) return "unclear";
  if (isPoll(command)) return "unclear";
  if (answers(reading) && (exitCode === 1 || exitCode === null)) return evidence(output) === "failed" ? "failed" : "succeeded";
  return "failed";
}

/** True when the command itself ran and failed. Asked about a command that did not report success: null is a failure of unknown code. */
export function isRealFailure(command: string, exitCode: number | null, output: string): boolean {
  return commandVerdict({ command, exitCode, output, agentSaysFailed: exitCode !== 0 }) === "failed";
}

/** What a test runner's own words prove; a summary outlives `| tail` and `|| true`. */
function evidence(output: string): CommandVerdict {
  const reading = readOutput(output);
  if (reading.failing.length > 0 || (reading.testsFailed ?? 0) > 0) return "failed";
  return reading.testsFailed === 0 && reading.testsRun !== 0 ? "succeeded" : "unclear";
}

function isNotFound(output: string): boolean {
  return output.length < NOT_FOUND_CHARS && NOT_FOUND.test(output);
}

/** The exit code comes from the last program of the line. */
function answers(reading: CommandReading): boolean {
  const last = reading.programs.at(-1) ?? [];
  const program = programName(last);
  return ANSWER_PROGRAMS.has(program) || (program === "git" && ANSWER_GIT.test(textAt(last, 1)));
}
