/** mocha: `N passing`, `N failing` and the numbered list below. */
import { captures, messageFrom, sumOf, type Reader } from "./reading.js";
import { textAt } from "../text-at.js";

const ENTRY = /^ {2}(\d+)\) (.+)$/;

export const readMocha: Reader = (lines) => {
  const passing = sumOf(lines, /^ {2}(\d+) passing(?: \(.*\))?$/);
  const failing = sumOf(lines, /^ {2}(\d+) failing$/);
  if (passing === null && failing === null) return null;
  const list = failureList(lines);
  return {
    testsRun: (passing ?? 0) + (failing ?? 0),
    testsFailed: failing ?? 0,
    failing: list.names,
    firstError: list.firstError ?? captures(lines, /^(.*\bError: .*)$/)[0] ?? null,
  };
};

/** A name spans lines: `1) suite`, deeper `suite`, `test:`; the message follows the line that ends with a colon. */
function failureList(lines: readonly string[]): { names: string[]; firstError: string | null } {
  const start = lines.findIndex((line) => /^ {2}\d+ failing$/.test(line));
  const names: string[] = [];
  let firstError: string | null = null;
  if (start === -1) return { names, firstError };
  for (let index = start + 1; index < lines.length; index += 1) {
    const head = ENTRY.exec(textAt(lines, index))?.[2];
    if (head === undefined) continue;
    const parts = [head];
    let at = index + 1;
    while (!textAt(parts, parts.length - 1).endsWith(":") && /^ {7,}\S/.test(textAt(lines, at))) {
      parts.push(textAt(lines, at).trim());
      at += 1;
    }
    names.push(parts.join(" > ").replace(/:$/, ""));
    firstError ??= messageFrom(lines, at);
  }
  return { names, firstError };
}
