/** pytest: the closing summary line and the short test summary. */
import { captures, numbered, sumOf, type Reader } from "./reading.js";

const WORDS = "failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests passed";
const SUMMARY = new RegExp(String.raw`^(?:=+ )?((?:\d+ (?:${WORDS}),? ?)+in \d[\d.]*s(?: \(.*\))?)(?: =+)?$`);
const NONE = /^(?:=+ )?no tests ran(?: in \d[\d.]*s)?(?: =+)?$/;

export const readPytest: Reader = (lines) => {
  const summaries = captures(lines, SUMMARY);
  const none = lines.some((line) => NONE.test(line));
  if (summaries.length === 0 && !none) return null;
  const count = (word: string): number => sumOf(summaries, new RegExp(String.raw`(\d+) ${word}\b`)) ?? 0;
  const failed = count("failed");
  return {
    testsRun: failed + count("passed") + count("xfailed") + count("xpassed"),
    testsFailed: failed + count("errors?"),
    failing: numbered([...new Set(captures(lines, /^(?:FAILED|ERROR) (\S+(?:\[[^\]]*\])?)(?: - .*)?$/))]),
    firstError: firstError(lines),
  };
};

/** Lines with `E` carry the message; plain tracebacks name the exception in the summary. */
function firstError(lines: readonly string[]): string | null {
  const marked = captures(lines, /^E {2,}(\S.*)$/)[0];
  return marked ?? captures(lines, /^(?:FAILED|ERROR) \S+ - (.+)$/)[0] ?? null;
}
