/**
 * Programs of the repository that gates start by name: pinned with the file that a link leads to, put back when an
 * agent changed them, and kept from appearing in front of a program that was there before. Git may ignore them all.
 */
import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { allowedEdits } from "../core/guard/globs.js";
import { ALWAYS, type GatePrograms, PACKAGE_BIN } from "../core/guard/gate-programs.js";
import type { PinnedIndex, PinnedStore } from "./pinned-store.js";
import { pinOutside } from "./outside-programs.js";
import { putBack, type Restoring, wasTakenAway } from "./put-back.js";
import { linkAbove, observe, readPlain, sameEntry, type TreeEntry } from "./tree-entry.js";

/** Launchers are small; a compiled program is compared by its link alone. */
const MAX_PROGRAM_BYTES = 1024 * 1024;
const ABSENT: TreeEntry = { kind: "absent" };
/** A program stands there whose bytes are not kept. */
const UNKEPT: TreeEntry = { kind: "other" };

export type PinnedPrograms = NonNullable<PinnedIndex["programs"]>;

/** `path` is the PATH that gates have. */
export function pinPrograms(root: string, store: PinnedStore, { names, folders }: GatePrograms, path: string): PinnedPrograms {
  const outside = pinOutside(names, path, root);
  const missing = folders.filter((folder) => !existsSync(join(root, folder)));
  const links = Object.fromEntries(folders.flatMap((folder) => linkTo(root, `${folder}/`)));
  const pinned: PinnedPrograms = {
    folders,
    names,
    missing,
    links,
    known: names.filter((name) => name in outside || folders.some((folder) => existsSync(join(root, folder, name)))),
    outside,
    entries: {},
  };
  for (const place of places(pinned)) pinProgram(root, store, pinned, place);
  return pinned;
}

function places({ folders, names }: PinnedPrograms): string[] {
  return folders.flatMap((folder) => names.map((name) => (folder === "." ? name : `${folder}/${name}`)));
}

function pinProgram(root: string, store: PinnedStore, pinned: PinnedPrograms, place: string): void {
  for (const path of [place, ...targetOf(root, place, pinned)]) {
    const entry = seen(root, path, pinned);
    if (entry.kind === "absent") delete pinned.entries[path];
    else pinned.entries[path] = entry.kind === "file" ? { ...entry, hash: store.keep(readPlain(root, path) ?? Buffer.alloc(0)) } : entry;
  }
}

/** The link on the way to the path, with its target; none in most repositories. */
function linkTo(root: string, path: string): [string, string][] {
  const link = linkAbove(root, path);
  const entry = link === null ? ABSENT : observe(root, link);
  return link !== null && entry.kind === "symlink" ? [[link, entry.target]] : [];
}

/**
 * What gates may start from there; a folder of that name is no program. What lies behind a link that was there before
 * is not the repository's; behind a new one it is another program than it was, whatever it holds.
 */
function seen(root: string, path: string, { links }: Pick<PinnedPrograms, "links">): TreeEntry {
  const [link] = linkTo(root, path);
  if (link !== undefined) return links[link[0]] === link[1] || !existsSync(join(root, path)) ? ABSENT : UNKEPT;
  const entry = observe(root, path);
  if (entry.kind === "file" && entry.size > MAX_PROGRAM_BYTES) return UNKEPT;
  return entry.kind === "other" ? ABSENT : entry;
}

/** The file of the repository that a link in the end leads to. */
function targetOf(root: string, place: string, pinned: PinnedPrograms): string[] {
  if (seen(root, place, pinned).kind !== "symlink") return [];
  try {
    const path = relative(realpathSync(root), realpathSync(join(root, place)));
    return path.startsWith("..") || isAbsolute(path) ? [] : [path];
  } catch {
    // It leads nowhere: then nothing runs.
    return [];
  }
}

/** `notes`: programs that came where there was none. */
export function restorePrograms(restoring: Restoring, notes: string[]): void {
  const { root, store, index, edits } = restoring;
  const { programs } = index;
  if (programs === undefined) return;
  for (const path of [...new Set([...places(programs), ...Object.keys(programs.entries)])]) {
    const pinned = programs.entries[path] ?? ABSENT;
    const now = seen(root, path, programs);
    const before = pinned.kind === "other" ? ABSENT : pinned;
    if (sameEntry(before, now) || (pinned.kind === "other" && now.kind === "other") || isUninstalled(restoring, path, now)) continue;
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (allowedEdits(path, edits)) pinProgram(root, store, programs, path);
    else if (before.kind !== "absent")
      putBack(restoring, path, before, { why: `was ${now.kind === "absent" ? "removed" : "changed"}; gates run it as a program` });
    else if (isShadow(programs, path, name)) putBack(restoring, path, ABSENT, { why: `was added in front of the ${name} that gates run` });
    else {
      pinProgram(root, store, programs, path);
      notes.push(`${path} came during the run, and gates run ${name} from there now; with \`setup:\` the final proof installs its own`);
    }
  }
}

/** Gone with its whole folder it stays gone: a gate without its program fails. What we took away ourselves has to come back. */
function isUninstalled(restoring: Restoring, path: string, now: TreeEntry): boolean {
  return now.kind === "absent" && observe(restoring.root, dirname(path)).kind === "absent" && !wasTakenAway(restoring, path);
}

/** Tools that a machine has as well (`eslint`, `tsc`) come with the packages of a fresh clone; a shell or an interpreter does not. */
function isShadow({ known, missing }: PinnedPrograms, path: string, name: string): boolean {
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
  return known.includes(name) && (ALWAYS.includes(name) || !missing.includes(folder) || !folder.endsWith(PACKAGE_BIN));
}
