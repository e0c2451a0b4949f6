/**
 * Takes a few changed files into git's index: what `git update-index` does in a process of its own, which takes longer
 * than all the rest of a small capture. Only for plain indexes; whatever is unusual about one is left to git.
 */
import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, futimesSync, openSync, renameSync, writeSync } from "node:fs";
import { onDisk } from "../core/disk-error.js";
import { invalidate } from "./cache-tree.js";
import { readIndex } from "./index-file.js";

export interface IndexEdit {
  path: string;
  /** null removes the path. `stat` was taken before the content was read. */
  entry: { mode: string; oid: string; stat: BigIntStats } | null;
}

const VERSIONS = new Set([2, 3]);
/** Two bits of an entry's flags; anything but zero is one side of a conflict. */
const STAGE = 0x3000;
const EXTENDED = 0x4000;
const NAME_LENGTH = 0x0fff;

/**
 * False when it has to be done by git; the file is as it was then. `asOfMs`: when the working tree was looked at.
 * git distrusts entries that are not older than the index file, so that the file gets that time and not its own.
 */
export function editIndex(file: string, oidBytes: number, edits: readonly IndexEdit[], asOfMs: number): boolean {
  const index = readIndex(file, oidBytes);
  if (index === null || !VERSIONS.has(index.version)) return false;
  const entries = new Map<string, Buffer>();
  for (const { data, at, end, name, flags } of index.entries) {
    if ((flags & STAGE) !== 0) return false;
    entries.set(name.toString("latin1"), data.subarray(at, end));
  }
  for (const { path, entry } of edits) {
    const name = Buffer.from(path).toString("latin1");
    const old = entries.get(name);
    if (old !== undefined && (old.readUInt16BE(40 + oidBytes) & EXTENDED) !== 0) return false;
    if (entry === null) entries.delete(name);
    else entries.set(name, encode(Buffer.from(path), entry, oidBytes));
  }
  const extensions = keepExtensions(
    index.extensions,
    edits.map(({ path }) => path),
    oidBytes,
  );
  if (extensions === null) return false;
  const header = Buffer.from(index.header);
  header.writeUInt32BE(entries.size, 8);
  // Names sort by their bytes, and Latin-1 keeps each byte a character.
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bytes]) => bytes);
  replace(file, Buffer.concat([header, ...sorted, ...extensions]), { oidBytes, asOfMs });
  return true;
}

function encode(name: Buffer, { mode, oid, stat }: NonNullable<IndexEdit["entry"]>, oidBytes: number): Buffer {
  const length = 40 + oidBytes + 2 + name.length;
  // One to eight zero bytes to the next multiple of eight.
  const entry = Buffer.alloc((length + 8) & ~7);
  const numbers = [...seconds(stat.ctimeNs), ...seconds(stat.mtimeNs), stat.dev, stat.ino, BigInt(Number.parseInt(mode, 8)), stat.uid, stat.gid, stat.size];
  for (const [position, value] of numbers.entries()) entry.writeUInt32BE(Number(BigInt.asUintN(32, value)), 4 * position);
  entry.write(oid, 40, "hex");
  entry.writeUInt16BE(Math.min(name.length, NAME_LENGTH), 40 + oidBytes);
  name.copy(entry, 40 + oidBytes + 2);
  return entry;
}

const NS = 1_000_000_000n;

function seconds(ns: bigint): [bigint, bigint] {
  return [ns / NS, ns % NS];
}

/** Those in capitals may be left out; git makes them again when it wants them. null when another must be understood. */
function keepExtensions(extensions: readonly { name: string; content: Buffer }[], paths: readonly string[], oidBytes: number): Buffer[] | null {
  const kept: Buffer[] = [];
  for (const { name, content } of extensions) {
    if (!/^[A-Z]/.test(name)) return null;
    const trees = name === "TREE" ? invalidate(content, paths, oidBytes) : null;
    if (trees === null) continue;
    const head = Buffer.alloc(8);
    head.write(name, 0, "latin1");
    head.writeUInt32BE(trees.length, 4);
    kept.push(head, trees);
  }
  return kept;
}

function replace(file: string, body: Buffer, { oidBytes, asOfMs }: { oidBytes: number; asOfMs: number }): void {
  const sum = createHash(oidBytes === 32 ? "sha256" : "sha1")
    .update(body)
    .digest();
  const temporary = `${file}.new`;
  const bytes = Buffer.concat([body, sum]);
  onDisk(file, () => {
    const target = openSync(temporary, "w", 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(target, bytes, at);
      futimesSync(target, asOfMs / 1000, asOfMs / 1000);
    } finally {
      closeSync(target);
    }
    renameSync(temporary, file);
  });
}
