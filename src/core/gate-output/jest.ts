/** jest: the `Tests:` summary and the `●` blocks. */
import { captures, nextText, numbered, sumOf, type Reader } from "./reading.js";

const BLOCK = /^ {2}● (.+)$/;
const SUITE_BROKEN = "Test suite failed to run";
const NONE = /^No tests found, exiting with code \d/;

export const readJest: Reader = (lines) => {
  const summaries = captures(lines, /^Tests: {2,}(.*\d+ total)$/);
  const none = lines.some((line) => NONE.test(line));
  if (summaries.length === 0 && !none) return null;
  const failed = sumOf(summaries, /(\d+) failed/) ?? 0;
  const suites = sumOf(captures(lines, /^Test Suites: (.*)$/), /(\d+) failed/) ?? 0;
  return {
    testsRun: failed + (sumOf(summaries, /(\d+) passed/) ?? 0),
    testsFailed: Math.max(failed, suites),
    failing: numbered([...new Set(failing(lines))]),
    firstError: firstError(lines),
  };
};

/** A suite that could not load is named by its file. */
function failing(lines: readonly string[]): string[] {
  let file = "";
  const names: string[] = [];
  for (const line of lines) {
    file = /^FAIL (?:\S+ )??(\.?\/?\S+)(?: \(.*\))?$/.exec(line)?.[1] ?? file;
    const name = BLOCK.exec(line)?.[1];
    if (name === undefined || name.startsWith("Console")) continue;
    names.push(name === SUITE_BROKEN ? file.replace(/^\.\//, "") : name);
  }
  return names;
}

function firstError(lines: readonly string[]): string | null {
  const at = lines.findIndex((line) => BLOCK.test(line) && !line.includes("● Console"));
  if (at === -1) return lines.find((line) => NONE.test(line)) ?? null;
  const first = nextText(lines, at + 1);
  // The assertion's template says less than the value that came.
  const received = first?.startsWith("expect(") ? nextText(lines.slice(at, at + 15), 1, (line) => line.startsWith("Received")) : null;
  return received === null ? first : `${first} ${received}`;
}
