/**
 * Programs of the repository that gates start by name: pinned with the file that a link leads to, put back when an
 * agent changed them, and kept from appearing in front of a program that was there before. Git may ignore them all.
 */
import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { allowedEdits } from "../core/guard/globs.js";
import { ALWAYS, type GatePrograms, PACKAGE_BIN } from "../core/guard/gate-programs.js";
import type { PinnedIndex, PinnedStore } from "./pinned-store.js";
import { putBack, type Restoring } from "./put-back.js";
import { linkAbove, observe, readPlain, sameEntry, type TreeEntry } from "./tree-entry.js";

/** Launchers are small; a compiled program is compared by its link alone. */
const MAX_PROGRAM_BYTES = 1024 * 1024;
const ABSENT: TreeEntry = { kind: "absent" };

export type PinnedPrograms = NonNullable<PinnedIndex["programs"]>;

/** `path` is the PATH that gates have. */
export function pinPrograms(root: string, store: PinnedStore, { names, folders }: GatePrograms, path: string): PinnedPrograms {
  const outside = path.split(":").filter((folder) => isAbsolute(folder));
  const missing = folders.filter((folder) => !existsSync(join(root, folder)));
  const pinned: PinnedPrograms = { folders, names, missing, known: names.filter((name) => [...outside, ...folders.map((folder) => join(root, folder))].some((folder) => existsSync(join(folder, name)))), entries: {} };
  for (const place of places(pinned)) pinProgram(root, store, pinned, place);
  return pinned;
}

function places({ folders, names }: PinnedPrograms): string[] {
  return folders.flatMap((folder) => names.map((name) => (folder === "." ? name : `${folder}/${name}`)));
}

function pinProgram(root: string, store: PinnedStore, pinned: PinnedPrograms, place: string): void {
  for (const path of [place, ...targetOf(root, place)]) {
    const entry = seen(root, path);
    if (entry.kind === "file" && entry.size <= MAX_PROGRAM_BYTES) pinned.entries[path] = { ...entry, hash: store.keep(readPlain(root, path) ?? Buffer.alloc(0)) };
    if (entry.kind === "symlink") pinned.entries[path] = entry;
  }
}

/** A folder of that name is no program; what lies behind a link that was there before is not the repository's. */
function seen(root: string, path: string): TreeEntry {
  if (linkAbove(root, path) !== null) return ABSENT;
  const entry = observe(root, path);
  return entry.kind === "other" ? ABSENT : entry;
}

/** The file of the repository that a link in the end leads to. */
function targetOf(root: string, place: string): string[] {
  if (seen(root, place).kind !== "symlink") return [];
  try {
    const path = relative(realpathSync(root), realpathSync(join(root, place)));
    return path.startsWith("..") || isAbsolute(path) ? [] : [path];
  } catch {
    // It leads nowhere: then nothing runs.
    return [];
  }
}

/** `notes`: programs that came where there was none. What is gone stays gone: a gate without its program fails. */
export function restorePrograms(restoring: Restoring, notes: string[]): void {
  const { root, store, index, edits } = restoring;
  const { programs } = index;
  if (programs === undefined) return;
  for (const path of [...new Set([...places(programs), ...Object.keys(programs.entries)])]) {
    const before = programs.entries[path] ?? ABSENT;
    const now = seen(root, path);
    if (now.kind === "absent" || sameEntry(before, now) || tooLarge(now)) continue;
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (allowedEdits(path, edits)) pinProgram(root, store, programs, path);
    else if (before.kind !== "absent") putBack(restoring, path, before, { why: "was changed; gates run it as a program" });
    else if (isShadow(programs, path, name)) putBack(restoring, path, ABSENT, { why: `was added in front of the ${name} that gates run` });
    else {
      pinProgram(root, store, programs, path);
      notes.push(`${path} came during the run, and gates run ${name} from there now; with \`setup:\` the final proof installs its own`);
    }
  }
}

/** Tools that a machine has as well (`eslint`, `tsc`) come with the packages of a fresh clone; a shell or an interpreter does not. */
function isShadow({ known, missing }: PinnedPrograms, path: string, name: string): boolean {
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
  return known.includes(name) && (ALWAYS.includes(name) || !missing.includes(folder) || !folder.endsWith(PACKAGE_BIN));
}

function tooLarge(entry: TreeEntry): boolean {
  return entry.kind === "file" && entry.size > MAX_PROGRAM_BYTES;
}
