/** Signatures of outcomes: equal when a command ended in the same way, whatever the clock and the folder. */
import { hashText } from "../hash.js";
import { normaliseLines } from "./volatile.js";

/** Test runners print files in the order in which they finish, so the order of lines says nothing. */
export function outcomeSignature(output: string, exitCode: number | null): string {
  return hashText([`exit ${exitCode ?? "?"}`, ...normaliseLines(output).sort()].join("\n"));
}

/** Lines of an output kept for comparing it with a shortened view of the same output. */
const VIEW_LINES = 16;

/** Hashes of the last lines, oldest first: what `| tail -n` would leave of it. */
export function outcomeView(output: string): string[] {
  return normaliseLines(output).slice(-VIEW_LINES).map(hashText);
}

/** True when one view is what a `tail` of the other would show. */
export function isTailOf(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length === 0) return false;
  return short.every((line, index) => line === long[long.length - short.length + index]);
}
