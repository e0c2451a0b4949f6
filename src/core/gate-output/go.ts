/** go test: plain output names failures only; with -v every test has a line, so that they can be counted. */
import { captures, nextText, type Reader } from "./reading.js";

const RESULT = /^\s*--- (PASS|FAIL|SKIP): (\S+) \(\d+(?:\.\d+)?s\)$/;
const PACKAGE = /^(?:ok {2}\t|FAIL\t|\?? {3}\t|---\t)(\S+)/;
const NOTHING = /\[(?:no test files|no tests to run)\]/;
const COMPILE_ERROR = /^(?:\.\/|\S+\/)?\S+\.go:\d+(?::\d+)?: .+$/;

export const readGo: Reader = (lines) => {
  const packages = lines.filter((line) => PACKAGE.test(line));
  const results = lines.flatMap((line) => RESULT.exec(line) ?? []).length > 0;
  if (packages.length === 0 && !results) return null;
  const failedTests = leaves(names(lines, "FAIL"));
  const broken = captures(lines, /^FAIL\t(\S+) \[(?:build|setup) failed\]$/);
  return {
    testsRun: testsRun(lines, packages),
    testsFailed: failedTests.length + broken.length,
    failing: [...new Set([...failedTests, ...broken])],
    firstError: firstError(lines),
  };
};

function names(lines: readonly string[], verdict: "PASS" | "FAIL"): string[] {
  return lines.flatMap((line) => {
    const match = RESULT.exec(line);
    return match?.[1] === verdict && match[2] !== undefined ? [match[2]] : [];
  });
}

/** A parent fails because of its subtests; those are the names that say something. */
function leaves(all: readonly string[]): string[] {
  return all.filter((name) => !all.some((other) => other.startsWith(`${name}/`)));
}

/** Without -v passing tests leave no line, so that the number is unknown unless every package says that none ran. */
function testsRun(lines: readonly string[], packages: readonly string[]): number | null {
  const verbose = lines.some((line) => line.startsWith("=== RUN"));
  if (verbose) return names(lines, "PASS").length + names(lines, "FAIL").length;
  return packages.length > 0 && packages.every((line) => NOTHING.test(line)) ? 0 : null;
}

function firstError(lines: readonly string[]): string | null {
  const panic = lines.find((line) => line.startsWith("panic: "));
  if (panic !== undefined) return panic;
  const compile = lines.find((line) => COMPILE_ERROR.test(line));
  if (compile !== undefined) return compile;
  const message = lines.find((line) => /^\s+\S+_test\.go:\d+: /.test(line));
  if (message !== undefined) return message.trim();
  const failed = lines.findIndex((line) => RESULT.exec(line)?.[1] === "FAIL");
  return failed === -1 ? null : nextText(lines, failed + 1);
}
