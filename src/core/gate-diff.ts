/** What a `diff` gate may refuse: paths outside of a list, too many lines, vanished assertions, added skips. Pure. */
import { diffLines } from "diff/lib/diff/line.js";
import type { DiffRules } from "./gate.js";
import { codeLines, familyOf } from "./guard/code-lines.js";
import { matchAny } from "./guard/globs.js";
import { skipIn } from "./guard/skips.js";
import { textAt } from "./text-at.js";

/** One changed file; null where it is absent. */
export interface FileChange {
  path: string;
  before: string | null;
  after: string | null;
}

/** Words of assertion libraries and of languages, where they are called or stand as statements. */
const ASSERTION =
  /\b(?:expect|assert\w*|should|verify|require|ensure|check)\s*[.(!]|\bassert\b|\.should\b|\b(?:t|b)\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|is|ok|equal|deepEqual|throws)\s*\(|\b(?:assert|debug_assert)\w*!|\bpytest\.raises\b|\bself\.assert\w+|\bEXPECT_\w+|\bASSERT_\w+|\bXCTAssert\w*/;

/** Every broken rule as a sentence that names what was found; empty when all hold. */
export function brokenRules(rules: DiffRules, changes: readonly FileChange[]): string[] {
  return [
    ...outside(rules, changes),
    ...tooLong(rules, changes),
    ...changes.flatMap((change) => [...lostAssertions(rules, change), ...addedSkips(rules, change)]),
  ];
}

function outside({ only }: DiffRules, changes: readonly FileChange[]): string[] {
  if (only === null) return [];
  const strange = changes.map((change) => change.path).filter((path) => !matchAny(only, path));
  return strange.length === 0 ? [] : [`only ${only.join(", ")} may change, but ${listed(strange)} changed`];
}

function tooLong({ maxLines }: DiffRules, changes: readonly FileChange[]): string[] {
  if (maxLines === null) return [];
  const binary = changes.filter((change) => isBinary(change.before) || isBinary(change.after)).map((change) => change.path);
  if (binary.length > 0) return [`at most ${maxLines} lines may change, but ${listed(binary)} is binary and has no lines to count`];
  const lines = changes.reduce((sum, change) => sum + changedLines(change), 0);
  return lines <= maxLines ? [] : [`at most ${maxLines} lines may change, found ${lines} in ${changes.length} file(s)`];
}

/** Added plus removed, as `git diff --numstat` counts them. */
export function changedLines({ before, after }: FileChange): number {
  return diffLines(before ?? "", after ?? "").reduce((sum, part) => sum + (part.added || part.removed ? part.count : 0), 0);
}

function lostAssertions({ noDeletedAssertions }: DiffRules, change: FileChange): string[] {
  if (change.before === null || !matchAny(noDeletedAssertions, change.path)) return [];
  const lost = missingFrom(codeOf(change.path, change.before), codeOf(change.path, change.after ?? "")).filter((line) => ASSERTION.test(line));
  if (lost.length === 0) return [];
  return [`no assertion may vanish, but ${change.path} lost ${lost.length}${change.after === null ? " with the whole file" : ""}: ${quoted(textAt(lost, 0))}`];
}

function addedSkips({ noSkips }: DiffRules, change: FileChange): string[] {
  if (change.after === null || !matchAny(noSkips, change.path)) return [];
  const family = familyOf(change.path);
  const old = countLines(codeOf(change.path, change.before ?? ""));
  return codeLines(change.after, family).flatMap((line, index) => {
    const what = skipIn(line, family);
    if (what === null || take(old, line.code)) return [];
    return [`no skip may be added, but ${change.path}:${index + 1} has ${what}: ${quoted(line.code)}`];
  });
}

/** Indentation is left out: a moved assertion has not vanished. Comments and strings are no code, so what went into one is gone. */
function codeOf(path: string, source: string): string[] {
  return codeLines(source, familyOf(path)).map((line) => line.code.trim());
}

function missingFrom(old: readonly string[], now: readonly string[]): string[] {
  const left = countLines(now);
  return old.filter((line) => line !== "" && !take(left, line));
}

function countLines(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  return counts;
}

/** True when there was one left. */
function take(counts: Map<string, number>, line: string): boolean {
  const left = counts.get(line.trim()) ?? 0;
  if (left > 0) counts.set(line.trim(), left - 1);
  return left > 0;
}

function isBinary(text: string | null): boolean {
  return text?.includes("\0") === true;
}

function listed(paths: readonly string[]): string {
  return paths.length <= 4 ? paths.join(", ") : `${paths.slice(0, 4).join(", ")} and ${paths.length - 4} more`;
}

function quoted(line: string): string {
  const text = line.trim();
  return `\`${text.length <= 80 ? text : `${text.slice(0, 79)}…`}\``;
}
