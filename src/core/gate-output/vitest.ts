/** vitest: its summary lines and the blocks that start with FAIL. */
import { captures, nextText, numbered, sumOf, type Reader } from "./reading.js";

const SUMMARY = /^\s+Tests {2}(.*\(\d+\)|no tests)$/;
const FAILED_FILE = /^\s*FAIL {2}(.+)$/;
/** Without a terminal newer versions mark failures with the project's name between bars. */
const PROJECT = /^\|[^|]+\| /;

export const readVitest: Reader = (lines) => {
  const summaries = captures(lines, SUMMARY);
  const none = lines.some((line) => /^No test (?:files|suite) found\b/.test(line.trim()));
  const files = captures(lines, /^\s+Test Files {2}(.*\(\d+\))$/);
  if (summaries.length === 0 && files.length === 0 && !none) return null;
  const failedTests = sumOf(summaries, /(\d+) failed/) ?? 0;
  const failing = captures(lines, FAILED_FILE).map((name) => name.replace(PROJECT, "").replace(/ \[ .* \]$/, ""));
  return {
    testsRun: failedTests + (sumOf(summaries, /(\d+) passed/) ?? 0),
    testsFailed: Math.max(failedTests, sumOf(files, /(\d+) failed/) ?? 0),
    failing: numbered([...new Set(failing)]),
    firstError: firstError(lines),
  };
};

/** The same error may stand under several FAIL lines, so the first line that is none of them. */
function firstError(lines: readonly string[]): string | null {
  const at = lines.findIndex((line) => FAILED_FILE.test(line));
  if (at !== -1) return nextText(lines, at + 1, (line) => !line.startsWith("FAIL  "));
  const unhandled = lines.findIndex((line) => /⎯ Unhandled (?:Errors?|Rejection|Exception)/i.test(line));
  if (unhandled !== -1) return nextText(lines, unhandled + 1, (line) => /\w*Error\b.*:/.test(line));
  return lines.find((line) => /^No test (?:files|suite) found\b/.test(line.trim()))?.trim() ?? null;
}
