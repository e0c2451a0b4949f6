/**
 * What stands at a path of the working tree, seen without following links, and how to put something back there.
 * Paths are relative to the root with `/`. Agents may have left links, folders or pipes where files were.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import { writeAtomic } from "./atomic.js";
import { systemCode } from "../core/disk-error.js";

export type TreeEntry =
  | { kind: "absent" }
  /** `mode` holds the permission bits. */
  | { kind: "file"; hash: string; size: number; mode: number }
  | { kind: "symlink"; target: string }
  /** A folder, pipe, socket or device. */
  | { kind: "other" };

/** Owner may read and execute: the bits that change what a file does. The rest varies with umask and checkouts. */
const MEANINGFUL_BITS = 0o500;
const OWNER_READ = 0o400;
const OWNER_ALL = 0o700;

export function observe(root: string, path: string): TreeEntry {
  const full = join(root, path);
  const stats = statOf(full);
  if (stats === null) return { kind: "absent" };
  if (stats.isSymbolicLink()) return { kind: "symlink", target: readlinkSync(full) };
  if (!stats.isFile()) return { kind: "other" };
  return { kind: "file", hash: hashOf(readBytes(full, stats)), size: stats.size, mode: stats.mode & 0o777 };
}

export function sameEntry(a: TreeEntry, b: TreeEntry): boolean {
  if (a.kind === "file" && b.kind === "file") return a.hash === b.hash && ((a.mode ^ b.mode) & MEANINGFUL_BITS) === 0;
  if (a.kind === "symlink" && b.kind === "symlink") return a.target === b.target;
  return a.kind === "absent" && b.kind === "absent";
}

/** Bytes of a plain file, also when it was made unreadable; null for anything else or when a link leads there. */
export function readPlain(root: string, path: string): Buffer | null {
  const full = join(root, path);
  const stats = statOf(full);
  return stats?.isFile() === true && linkAbove(root, path) === null ? readBytes(full, stats) : null;
}

/** The first folder on the way to the path that is a symbolic link. */
export function linkAbove(root: string, path: string): string | null {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth += 1) {
    const above = parts.slice(0, depth).join("/");
    const stats = statOf(join(root, above));
    if (stats === null) return null;
    if (stats.isSymbolicLink()) return above;
    if (stats.isDirectory()) makeReachable(join(root, above), stats);
  }
  return null;
}

/** Plain files and links at or below the path, in order. Folders that were closed are opened to look inside. */
export function walk(root: string, path: string, skip: (path: string) => boolean): string[] {
  const full = join(root, path);
  const stats = statOf(full);
  if (stats === null) return [];
  if (!stats.isDirectory()) return [path];
  makeReachable(full, stats);
  return readdirSync(full)
    .sort()
    .map((name) => (path === "." || path === "" ? name : `${path}/${name}`))
    .flatMap((below) => (skip(below) ? [] : walk(root, below, skip)));
}

/** Takes the place of whatever stood there, which must have been kept before. In one step, so that a crash leaves the one or the other. */
export function putFile(root: string, path: string, bytes: Uint8Array, mode: number): void {
  takePlace(join(root, path), (temporary) => {
    writeFileSync(temporary, bytes, { flag: "wx" });
    chmodSync(temporary, mode);
  });
}

/** As `putFile`. */
export function putLink(root: string, path: string, target: string): void {
  takePlace(join(root, path), (temporary) => symlinkSync(target, temporary));
}

function takePlace(full: string, make: (temporary: string) => void): void {
  mkdirSync(dirname(full), { recursive: true });
  const temporary = `${full}.${process.pid}.ralphd-tmp`;
  try {
    make(temporary);
    // No rename goes over a folder.
    if (statOf(full)?.isDirectory() === true) rmSync(full, { recursive: true, force: true });
    renameSync(temporary, full);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

export function removeEntry(root: string, path: string): void {
  rmSync(join(root, path), { recursive: true, force: true });
}

/**
 * Copies what stands at the path into `keepDir`, durably, so that nothing of the agent's is lost. Links and devices are
 * kept as a line of text, because nobody should follow them later. Null when there is nothing; a copy that is there
 * already serves again, as after a crash.
 */
export function keepAside(root: string, path: string, keepDir: string): string | null {
  const from = join(root, path);
  const stats = statOf(from);
  if (stats === null) return null;
  if (stats.isDirectory()) {
    const to = freeName(inFolders(keepDir, path));
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    return to;
  }
  const bytes = stats.isSymbolicLink()
    ? Buffer.from(`symbolic link to ${readlinkSync(from)}\n`)
    : stats.isFile()
      ? readBytes(from, stats)
      : Buffer.from("neither a file nor a folder\n");
  const to = freeName(inFolders(keepDir, path), bytes);
  mkdirSync(dirname(to), { recursive: true });
  if (statOf(to) === null) writeAtomic(to, bytes);
  return to;
}

/** A link kept in place of a folder is a file here: what comes from that folder later goes beside it. */
function inFolders(keepDir: string, path: string): string {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  const folder = parts.reduce((above, part) => {
    const isTaken = (one: string): boolean => statOf(one)?.isDirectory() === false;
    let below = join(above, part);
    for (let n = 2; isTaken(below); n += 1) below = join(above, `${part}~${n}`);
    return below;
  }, keepDir);
  return join(folder, name);
}

/** `x`, `x~2` …: a second restore in one iteration keeps its copy beside the first, unless that holds the same bytes. */
export function freeName(path: string, bytes?: Buffer): string {
  const isTaken = (name: string): boolean => {
    const stats = statOf(name);
    return stats !== null && !(stats.isFile() && bytes !== undefined && readFileSync(name).equals(bytes));
  };
  let name = path;
  for (let n = 2; isTaken(name); n += 1) name = `${path}~${n}`;
  return name;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function statOf(full: string): Stats | null {
  try {
    // Most of what is looked for after each iteration is not there: an error for each would cost more than the look.
    return lstatSync(full, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOTDIR" || code === "ELOOP") return null;
    throw error;
  }
}

function readBytes(full: string, stats: Stats): Buffer {
  if ((stats.mode & OWNER_READ) === 0) chmodSync(full, (stats.mode & 0o777) | OWNER_READ);
  return readFileSync(full);
}

/** A folder closed by `chmod` would hide what is in it and refuse what is put back. */
function makeReachable(full: string, stats: Stats): void {
  if ((stats.mode & OWNER_ALL) !== OWNER_ALL) chmodSync(full, (stats.mode & 0o777) | OWNER_ALL);
}
