/** `gutter_thrash`: one file is written again and again over the same lines, or back to what it was. */
import { hashText } from "../hash.js";
import type { BrakeSettings } from "../settings.js";
import { deepestOverlap, lineHunks, shiftRanges, touchedRanges, type Hunk } from "./line-ranges.js";
import type { Action, BrakeHit } from "./types.js";
import { BOUNDS, type WatchState, type WriteRecord } from "./watch-state.js";
import { boundedKey } from "./wording.js";

type WriteAction = Extract<Action, { kind: "write" }>;
type Writes = WatchState["writes"];

/** Formatters and save hooks answer a write within moments; nobody edits by hand that fast. */
const FORMATTER_MS = 5_000;
/** Undoing once is a decision; undoing twice is going in circles. */
const CIRCLING_RETURNS = 2;

/** A write that leaves the content as it was, as far as that can be seen. */
export function isUnchanged(writes: Writes, action: WriteAction): boolean {
  if (action.after === null) return false;
  if (action.before !== null) return action.before === action.after;
  return hitsOf(writes, action)?.at(-1)?.after === hashText(action.after);
}

export function foldWrite(
  writes: Writes,
  action: WriteAction,
  gutter: BrakeSettings["gutterThrash"],
): { writes: Writes; hit: Omit<BrakeHit, "lastActions"> | null } {
  if (gutter.match === "content" && isUnchanged(writes, action)) return { writes, hit: null };
  const path = boundedKey(action.path);
  // A clock that was set back must not forget; a record from the future stays.
  const earlier = (hitsOf(writes, action) ?? []).filter((record) => action.atMs - record.atMs <= gutter.windowMs);
  const hunks = hunksOf(action, earlier);
  const last = earlier.at(-1);
  const moved = earlier.map((record) => ({ ...record, ranges: shiftRanges(record.ranges, hunks) }));
  if (gutter.match === "content" && last !== undefined && isFormatting(action, last)) {
    const formatted = moved.map((record) => (record.atMs === last.atMs ? { ...record, after: hashOf(action.after), formatted: true } : record));
    return { writes: remember(writes, path, formatted), hit: null };
  }
  const record = recordOf(action, earlier, hunks);
  const next = remember(writes, path, [...moved, record]);
  const times = gutter.match === "any" ? earlier.length + 1 : timesOverSame(earlier, record, hunks);
  return { writes: next, hit: times >= gutter.count ? hitFor(path, times, gutter) : null };
}

function hitsOf(writes: Writes, action: WriteAction): WriteRecord[] | undefined {
  const path = boundedKey(action.path);
  return writes.find((entry) => entry.path === path)?.hits;
}

function hashOf(content: string | null): string | null {
  return content === null ? null : hashText(content);
}

/** A first write without known content before it made the whole file; a later one touched nobody knows what. */
function hunksOf({ before, after }: WriteAction, earlier: readonly WriteRecord[]): Hunk[] {
  if (after === null || (before === null && earlier.length > 0)) return [];
  // Where a formatter is at work, agent and formatter undo each other's layout on every line; that is not the edit.
  const layoutIsOpen = earlier.some(({ formatted }) => formatted);
  return lineHunks(before ?? "", after, layoutIsOpen ? letters : undefined);
}

function isFormatting(action: WriteAction, last: WriteRecord): boolean {
  const sinceMs = action.atMs - last.atMs;
  if (action.before === null || action.after === null || sinceMs < 0 || sinceMs > FORMATTER_MS) return false;
  return letters(action.before) === letters(action.after);
}

/** What formatters leave alone: everything but blanks, quotes and separators. */
function letters(content: string): string {
  return content.replace(/[\s;,()'"`]/g, "");
}

function recordOf(action: WriteAction, earlier: readonly WriteRecord[], hunks: readonly Hunk[]): WriteRecord {
  const after = hashOf(action.after);
  const returned = after !== null && earlier.some((record) => record.after === after || record.before === after);
  return { atMs: action.atMs, before: hashOf(action.before), after, returned, formatted: false, ranges: touchedRanges(hunks) };
}

function timesOverSame(earlier: readonly WriteRecord[], record: WriteRecord, hunks: readonly Hunk[]): number {
  const overSameLines =
    1 +
    deepestOverlap(
      hunks,
      earlier.map(({ ranges }) => ranges),
    );
  return Math.max(overSameLines, circling(earlier, record));
}

/** Writes since the content was first what it is now again; 0 unless the file went back more than once. */
function circling(earlier: readonly WriteRecord[], record: WriteRecord): number {
  const returns = earlier.filter(({ returned }) => returned).length + (record.returned ? 1 : 0);
  if (!record.returned || returns < CIRCLING_RETURNS) return 0;
  const since = earlier.findIndex(({ before, after }) => before === record.after || after === record.after);
  return earlier.length - since + 1;
}

function remember(writes: Writes, path: string, hits: WriteRecord[]): Writes {
  const entries = [...writes.filter((entry) => entry.path !== path), { path, hits }].slice(-BOUNDS.paths);
  let room = BOUNDS.writes;
  const bounded: Writes = [];
  for (const entry of entries.reverse()) {
    const kept = entry.hits.slice(-room);
    if (room > 0) bounded.unshift({ path: entry.path, hits: kept });
    room -= kept.length;
  }
  return bounded;
}

function hitFor(path: string, times: number, gutter: BrakeSettings["gutterThrash"]): Omit<BrakeHit, "lastActions"> {
  const how = gutter.match === "any" ? "" : " over the same lines or back to earlier content";
  return {
    reason: "gutter_thrash",
    summary: `${path} was written ${times} times within ${gutter.windowMs / 1000} s${how} (threshold ${gutter.count}).`,
    signature: `write ${path}`,
    advice: `Look at the versions of ${path} in the iteration's stream. Decide which is right and say so in the task, or split the task.`,
  };
}
