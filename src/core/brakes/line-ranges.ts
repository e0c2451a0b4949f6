/** Which lines a write touched, and where earlier touched lines stand after it. */
import { diffArrays } from "diff/lib/diff/array.js";
import { BOUNDS, type LineRange } from "./watch-state.js";

/** Lines `oldFrom..oldTo` became `newFrom..newTo`; half-open, 0-based. Equal ends mean pure insertion or deletion. */
export interface Hunk {
  oldFrom: number;
  oldTo: number;
  newFrom: number;
  newTo: number;
}

/** Beyond this many changed lines the exact places say little, and finding them costs the square of it. */
const MAX_EDITS = 1_000;

/** `sameLine` maps lines that count as equal to one text. */
export function lineHunks(before: string, after: string, sameLine: (line: string) => string = (line) => line): Hunk[] {
  const oldLines = before.split("\n").map(sameLine);
  const newLines = after.split("\n").map(sameLine);
  const parts = diffArrays(oldLines, newLines, { maxEditLength: MAX_EDITS });
  if (parts === undefined) return [trimmedHunk(oldLines, newLines)];
  const hunks: Hunk[] = [];
  let oldAt = 0;
  let newAt = 0;
  let open: Hunk | null = null;
  for (const part of parts) {
    if (!part.added && !part.removed) {
      oldAt += part.value.length;
      newAt += part.value.length;
      open = null;
      continue;
    }
    if (open === null) {
      open = { oldFrom: oldAt, oldTo: oldAt, newFrom: newAt, newTo: newAt };
      hunks.push(open);
    }
    if (part.removed) open.oldTo = oldAt += part.value.length;
    else open.newTo = newAt += part.value.length;
  }
  return hunks;
}

/** Everything between the common start and the common end. */
function trimmedHunk(oldLines: readonly string[], newLines: readonly string[]): Hunk {
  const shorter = Math.min(oldLines.length, newLines.length);
  let start = 0;
  while (start < shorter && oldLines[start] === newLines[start]) start += 1;
  let end = 0;
  while (end < shorter - start && oldLines.at(-1 - end) === newLines.at(-1 - end)) end += 1;
  return { oldFrom: start, oldTo: oldLines.length - end, newFrom: start, newTo: newLines.length - end };
}

/**
 * How many of the earlier writes touched one and the same line that these hunks touch again.
 * Lines put beside earlier ones (an appended entry, one more import) touch none.
 */
export function deepestOverlap(hunks: readonly Hunk[], earlier: readonly (readonly LineRange[])[]): number {
  let deepest = 0;
  for (const hunk of hunks) {
    const touching = earlier.map((ranges) => ranges.filter((range) => touches(hunk, range)));
    // The number of ranges over a line changes only where one of them starts.
    const starts = touching.flat().map(([from]) => Math.max(from, hunk.oldFrom));
    for (const line of starts) {
      const depth = touching.filter((ranges) => ranges.some(([from, to]) => from <= line && line < Math.max(to, from + 1))).length;
      deepest = Math.max(deepest, depth);
    }
  }
  return deepest;
}

function touches({ oldFrom, oldTo }: Hunk, [from, to]: LineRange): boolean {
  if (oldFrom === oldTo) return (from < oldFrom && oldFrom < to) || (from === to && from === oldFrom);
  return from === to ? oldFrom < from && from < oldTo : oldFrom < to && from < oldTo;
}

/** Moves ranges of earlier writes into the coordinates after these hunks. */
export function shiftRanges(ranges: readonly LineRange[], hunks: readonly Hunk[]): LineRange[] {
  return ranges.map(([from, to]): LineRange => {
    const movedFrom = shiftLine(from, hunks);
    return [movedFrom, to === from ? movedFrom : Math.max(movedFrom, shiftLine(to - 1, hunks) + 1)];
  });
}

/** A replaced line stays the line at the same place in its hunk, and at most the last one of it. */
function shiftLine(line: number, hunks: readonly Hunk[]): number {
  let offset = 0;
  for (const hunk of hunks) {
    if (line < hunk.oldFrom) break;
    if (line < hunk.oldTo) return Math.max(hunk.newFrom, Math.min(hunk.newFrom + (line - hunk.oldFrom), hunk.newTo - 1));
    offset = hunk.newTo - hunk.oldTo;
  }
  return line + offset;
}

/** The lines that hunks left behind; more than a handful of places is no edit of "the same lines". */
export function touchedRanges(hunks: readonly Hunk[]): LineRange[] {
  return hunks.slice(0, BOUNDS.ranges).map(({ newFrom, newTo }) => [newFrom, newTo]);
}
