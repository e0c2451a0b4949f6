/** cargo test: one `test result:` line for each binary and for the doc tests. */
import { captures, nextText, numbered, sumOf, type Reader } from "./reading.js";
import { textAt } from "../text-at.js";

const RESULT = /^test result: (?:ok|FAILED)\. (.*)$/;
const COMPILE_ERROR = /^error(?:\[E\d+\])?: (?!test failed|\d+ targets? failed)/;

export const readCargo: Reader = (lines) => {
  const results = captures(lines, RESULT);
  const compileErrors = compileFailures(lines);
  const cargo = lines.some((line) => /^error: (?:could not compile|test failed)/.test(line));
  if (results.length === 0 && !(cargo && compileErrors.length > 0)) return null;
  const failed = sumOf(results, /(\d+) failed/) ?? 0;
  const failing = captures(lines, /^test (.+) \.\.\. FAILED$/);
  return {
    testsRun: results.length === 0 ? null : failed + (sumOf(results, /(\d+) passed/) ?? 0) + (sumOf(results, /(\d+) measured/) ?? 0),
    testsFailed: failed + compileErrors.length,
    failing: numbered([...failing, ...compileErrors]),
    firstError: firstError(lines),
  };
};

/** `error[E0308]: mismatched types` with the file of the arrow below, without the line, which moves. */
function compileFailures(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    if (!COMPILE_ERROR.test(line) || line.startsWith("error: could not compile")) return [];
    const file = /^\s*--> (.+?):\d+/.exec(textAt(lines, index + 1))?.[1];
    return file === undefined ? [] : [`${file}: ${line}`];
  });
}

function firstError(lines: readonly string[]): string | null {
  const compile = lines.find((line) => COMPILE_ERROR.test(line));
  const panic = lines.findIndex((line) => /^thread '.*' .*panicked at /.test(line));
  if (panic === -1) return compile ?? null;
  // Up to 1.72 the message stood on the same line, in quotes.
  if (/panicked at '/.test(textAt(lines, panic))) return textAt(lines, panic);
  return nextText(lines, panic + 1) ?? textAt(lines, panic);
}
