/**
 * Compared paths: existing test files may grow, but what they checked must go on being checked. Every old line has
 * to survive in order, as code where it was code; added lines must not switch tests off.
 *
 * Not counted as a change: line endings, trailing blanks, a byte order mark, blank lines, a comma behind what was
 * the last entry, further names on an import. Indentation counts, because it moves a check into another block.
 */
import { codeLines, familyOf, type CodeLine } from "./code-lines.js";
import { allowedEdits, isProtected } from "./globs.js";
import { skipIn } from "./skips.js";
import { align } from "./survives.js";

export type ComparedVerdict = { kind: "ok" } | { kind: "restore"; why: string };

/** Text before and after, null where it is gone or can't be read. Git modes such as `100644`. */
export interface ComparedFile {
  path: string;
  before: string | null;
  after: string | null;
  oldMode: string;
  newMode: string;
}

/** One changed path between two trees; the shape of the driver's `TreeChange`. */
export interface ComparedChange {
  path: string;
  kind: "added" | "modified" | "deleted" | "typeChanged";
  oldMode: string;
  newMode: string;
  oldOid: string;
  newOid: string;
}

const OK: ComparedVerdict = { kind: "ok" };
const ABSENT_MODE = "000000";

export function judgeCompared(file: ComparedFile): ComparedVerdict {
  const { path, before, after, oldMode, newMode } = file;
  if (newMode === ABSENT_MODE) return restore("was deleted or moved away");
  if (oldMode.slice(0, 3) !== newMode.slice(0, 3)) return restore(newMode.startsWith("12") ? "was replaced by a symlink" : "is no plain file any more");
  if (after === null) return restore("can't be read any more");
  if (oldMode !== newMode) return restore(`its mode changed from ${oldMode} to ${newMode}`);
  // What was there can't be shown to be still there.
  if (before === null) return restore("can't be compared: its text from before this iteration can't be read");
  if (before === after) return OK;
  if (oldMode.startsWith("12")) return restore("its symlink points elsewhere");
  if (before.includes("\0")) return restore("is binary and was changed");
  if (before.trim() !== "" && after.trim() === "") return restore("was emptied");
  return judgeLines(path, before, after);
}

function judgeLines(path: string, before: string, after: string): ComparedVerdict {
  const family = familyOf(path);
  const old = codeLines(before, family);
  const now = codeLines(after, family);
  const alignment = align(old, now, family);
  const { lost } = alignment;
  if (lost !== null) return restore(`line ${lost.at + 1} was removed, changed or commented out: ${quote(lost.line)}`);
  for (const [index, line] of now.entries()) {
    if (alignment.old[index] === true) continue;
    const what = skipIn(line, family) ?? (cutsOff(now, alignment.old, index) ? "an early return" : null);
    if (what !== null) return restore(`line ${index + 1} adds ${what}: ${quote(line)}`);
  }
  return OK;
}

/** An added `return` right before an old statement of the same block: what follows never runs. */
function cutsOff(lines: readonly CodeLine[], old: readonly boolean[], index: number): boolean {
  const line = lines[index];
  if (line === undefined || !/^\s*return\b/.test(line.code)) return false;
  const next = lines.findIndex((one, place) => place > index && one.code !== "");
  const follower = lines[next];
  if (follower === undefined || old[next] !== true || /^\s*(?:[})\]]|end\b|else\b|elif\b|case\b|default\b)/.test(follower.code)) return false;
  return indentation(line.text) === indentation(follower.text);
}

function indentation(text: string): string {
  return text.slice(0, text.length - text.trimStart().length);
}

function quote(line: CodeLine): string {
  const text = line.text.trim();
  return `\`${text.length > 80 ? `${text.slice(0, 79)}…` : text}\``;
}

function restore(why: string): ComparedVerdict {
  return { kind: "restore", why };
}

const SUBMODULE_MODE = "160000";

/** The changes that have to be read and judged: existing protected files that the task does not open. A submodule has no text of its own. */
export function comparedChanges<T extends ComparedChange>(changes: readonly T[], protect: readonly string[], edits: readonly string[]): T[] {
  return changes.filter((one) => one.kind !== "added" && one.oldMode !== SUBMODULE_MODE && isProtected(one.path, protect) && !allowedEdits(one.path, edits));
}

/**
 * What must be put back from the start tree, and why, in words for the agent. Pure: the driver reads the texts of
 * `comparedChanges` first and restores the paths afterwards, in this order (a file that took the place of a folder
 * comes before the files of that folder; it does not exist in the start tree and so is removed).
 */
export function restoreCompared(options: {
  changes: readonly ComparedChange[];
  /** Text in the start tree and in the working tree. */
  readBefore: (path: string) => string | null;
  readAfter: (path: string) => string | null;
  protect: readonly string[];
  edits: readonly string[];
}): { path: string; why: string }[] {
  const { changes, readBefore, readAfter, protect, edits } = options;
  const restored: { path: string; why: string }[] = [];
  for (const change of comparedChanges(changes, protect, edits)) {
    const { path, oldMode, newMode } = change;
    const before = readBefore(path);
    const after = newMode === ABSENT_MODE ? null : readAfter(path);
    const verdict = judgeCompared({ path, before, after, oldMode, newMode });
    if (verdict.kind === "restore") restored.push({ path, why: moved(change, changes) ?? verdict.why });
    else if (before === after && change.oldOid !== change.newOid) restored.push({ path, why: "bytes that are no text were changed" });
  }
  return [...inTheWay(changes, restored), ...restored];
}

function moved(change: ComparedChange, changes: readonly ComparedChange[]): string | null {
  if (change.kind !== "deleted") return null;
  const target = changes.find((one) => one.kind === "added" && one.newOid === change.oldOid);
  return target === undefined ? null : `was moved away to ${target.path}`;
}

/** Entries that now stand where a folder of restored files was. */
function inTheWay(changes: readonly ComparedChange[], restored: readonly { path: string }[]): { path: string; why: string }[] {
  return changes
    .filter((one) => one.kind === "added" && restored.some(({ path }) => path.startsWith(`${one.path}/`)))
    .map((one) => ({ path: one.path, why: "stands in place of a folder of protected files" }));
}
