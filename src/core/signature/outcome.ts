/** Signatures of outcomes: equal when a command ended in the same way, whatever the clock and the folder. */
import { hashText } from "../hash.js";
import { normaliseLines } from "./volatile.js";

export interface Outcome {
  signature: string;
  /** Hashes of the last lines, oldest first: what `| tail -n` would leave of it. */
  view: string[];
}

/** Lines of an output kept for comparing it with a shortened view of the same output. */
const VIEW_LINES = 16;

export function readOutcome(output: string, exitCode: number | null): Outcome {
  const lines = normaliseLines(output);
  const view = lines.slice(-VIEW_LINES).map(hashText);
  // Test runners print files in the order in which they finish, so the order of lines says nothing.
  return { signature: hashText([`exit ${exitCode ?? "?"}`, ...lines.sort()].join("\n")), view };
}

export function outcomeSignature(output: string, exitCode: number | null): string {
  return readOutcome(output, exitCode).signature;
}

/** True when one view is what a `tail` of the other would show. */
export function isTailOf(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length === 0) return false;
  return short.every((line, index) => line === long[long.length - short.length + index]);
}
