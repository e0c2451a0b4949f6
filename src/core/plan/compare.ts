/** Tells what an agent did to the tasks of a plan: which are the same, which changed, which are new. */
import { distance } from "fastest-levenshtein";
import { type Piece, isTicked } from "./tasks.js";

export interface Matched {
  before: Piece;
  /** Same task by its words, though its comments or place may differ; null when it vanished or was reworded. */
  after: Piece | null;
  /** What became of its words, where they are not the same. */
  reworded: string | null;
}

export interface Comparison {
  matched: Matched[];
  added: Piece[];
  /** Sentences about changes that must not stand; empty when only marks changed and tasks were added. */
  faults: string[];
}

/** What agents write behind a task that they ticked; the task in front of it is meant, and its tick counts. */
const NOTE = /^\s*(?:[(—–✅✓✔:;]|->|→|-\s)/u;
/** Share of letters that may differ in a rewording; more is another task. */
const REWORDED_SHARE = 0.5;

/** `fixed`: ids of the tasks of `before` that must stay as they are. */
export function compareTasks(before: readonly Piece[], after: readonly Piece[], fixed: ReadonlySet<string>): Comparison {
  const { matched, added } = matchTasks(before, after);
  const bound = matched.filter((match) => fixed.has(match.before.task.id));
  const faults = bound.flatMap(faultsOf);
  if (faults.length === 0 && !inOrder(bound, after)) faults.push("The tasks had been reordered; their order was put back.");
  return { matched, added, faults };
}

function faultsOf({ before, after, reworded }: Matched): string[] {
  const name = `Task "${before.task.text}"`;
  if (reworded !== null) return [`${name} had been reworded to "${reworded}"; its text was put back.`];
  if (after === null) return [`${name} had been removed and was put back.`];
  if (before.definition === after.definition && before.task.id === after.task.id) return [];
  const changes = (["gates", "edits", "group"] as const).filter((key) => JSON.stringify(before.task[key]) !== JSON.stringify(after.task[key]));
  if (changes.length > 0) return [`${name} had its ${changes.join(" and ")} changed; they were put back.`];
  if (before.task.parent !== after.task.parent) return [`${name} had been moved to another place in the tree of tasks; it was put back.`];
  if (before.task.id !== after.task.id) return [`${name} had been renamed, or a task of the same name put before it; it was put back.`];
  return [`${name} had been changed; it was put back.`];
}

function inOrder(matched: readonly Matched[], after: readonly Piece[]): boolean {
  const stay = new Set(matched.map((match) => match.after));
  return after.filter((piece) => stay.has(piece)).every((piece, index) => piece === matched[index]?.after);
}

/** Pairs tasks by name and words, by words, by name, by words with a note behind, and last by likeness, which carries no tick. */
function matchTasks(before: readonly Piece[], after: readonly Piece[]): { matched: Matched[]; added: Piece[] } {
  const free = new Set(after);
  const pairs = new Map<Piece, Matched>();
  const pair = (isSame: (old: Piece, now: Piece) => boolean, keepsTick: boolean, isReworded: boolean): void => {
    for (const old of before) {
      if (pairs.has(old)) continue;
      for (const now of free) {
        if (!isSame(old, now)) continue;
        free.delete(now);
        pairs.set(old, { before: old, after: keepsTick ? now : null, reworded: isReworded ? now.task.text : null });
        break;
      }
    }
  };
  pair((old, now) => old.task.id === now.task.id && old.task.text === now.task.text, true, false);
  pair((old, now) => old.task.text === now.task.text, true, false);
  pair(hasSameName, true, true);
  pair((old, now) => now.task.text.startsWith(old.task.text) && NOTE.test(now.task.text.slice(old.task.text.length)), true, true);
  pair((old, now) => isLike(old.task.text, now.task.text), false, true);
  const matched = before.map((old) => pairs.get(old) ?? { before: old, after: null, reworded: null });
  return { matched, added: after.filter((piece) => free.has(piece)) };
}

/** In JSON the name is written down; in Markdown it comes from the words, which may differ in marks and case only. */
function hasSameName(old: Piece, now: Piece): boolean {
  if (old.task.id !== now.task.id) return false;
  return old.task.markOffset === -1 || bareWords(old.task.text) === bareWords(now.task.text);
}

function bareWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function isLike(a: string, b: string): boolean {
  const longest = Math.max(a.length, b.length);
  // Cheap bound first: the distance is at least the difference in length.
  if (Math.abs(a.length - b.length) > longest * REWORDED_SHARE) return false;
  return distance(a, b) <= longest * REWORDED_SHARE;
}

export function tickedNow({ before, after }: Matched): boolean {
  return after !== null && isTicked(after.task) && !isTicked(before.task);
}

export function untickedNow({ before, after }: Matched): boolean {
  return after !== null && after.task.mark === " " && isTicked(before.task);
}
