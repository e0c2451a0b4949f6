/** Reads git's index file, and copies it without weakening its stat cache. The format: gitformat-index(5). */
import { closeSync, copyFileSync, futimesSync, openSync, readFileSync, statSync } from "node:fs";

const HEADER_BYTES = 12;
/** Name and length. */
const EXTENSION_HEADER_BYTES = 8;
/** ctime, mtime, dev, ino, mode, uid, gid, size. */
const STAT_BYTES = 40;
const MODE_OFFSET = 24;
const ASSUME_UNCHANGED = 0x8000;
const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;

export interface HiddenEntries {
  assumeUnchanged: string[];
  skipWorktree: string[];
}

/** Entries for which git does not look at the working tree. Empty when there is no index. */
export function hiddenEntries(indexFile: string, oidBytes: number): HiddenEntries {
  const hidden: HiddenEntries = { assumeUnchanged: [], skipWorktree: [] };
  visitIndex(indexFile, oidBytes, ({ name, flags, extended }) => {
    if ((flags & ASSUME_UNCHANGED) !== 0) hidden.assumeUnchanged.push(name.toString("utf8"));
    if ((extended & SKIP_WORKTREE) !== 0) hidden.skipWorktree.push(name.toString("utf8"));
  });
  return hidden;
}

/** Mode and object of these paths; those that the index does not have are missing from the result. */
export function indexEntries(indexFile: string, oidBytes: number, paths: ReadonlySet<string>): Map<string, { mode: string; oid: string }> {
  const found = new Map<string, { mode: string; oid: string }>();
  visitIndex(indexFile, oidBytes, ({ name, data, at }) => {
    const path = name.toString("utf8");
    if (!paths.has(path)) return;
    const oidAt = at + STAT_BYTES;
    const mode = data
      .readUInt32BE(at + MODE_OFFSET)
      .toString(8)
      .padStart(6, "0");
    found.set(path, { mode, oid: data.toString("hex", oidAt, oidAt + oidBytes) });
  });
  return found;
}

export interface RawEntry {
  /** The whole index file. */
  data: Buffer;
  at: number;
  /** Where the next entry begins. */
  end: number;
  name: Buffer;
  flags: number;
  extended: number;
}

export interface IndexFile {
  version: number;
  header: Buffer;
  entries: RawEntry[];
  extensions: { name: string; content: Buffer }[];
}

/** null when there is no index or it ends in the middle. */
export function readIndex(indexFile: string, oidBytes: number): IndexFile | null {
  const data = readIfThere(indexFile);
  if (data === null || data.length < HEADER_BYTES + oidBytes || data.toString("latin1", 0, 4) !== "DIRC") return null;
  const entries: RawEntry[] = [];
  let at = eachEntry(data, oidBytes, (entry) => entries.push(entry));
  const extensions: IndexFile["extensions"] = [];
  for (const end = data.length - oidBytes; at < end; ) {
    const contentAt = at + EXTENSION_HEADER_BYTES;
    const next = contentAt > end ? contentAt : contentAt + data.readUInt32BE(at + 4);
    if (next > end) return null;
    extensions.push({ name: data.toString("latin1", at, at + 4), content: data.subarray(contentAt, next) });
    at = next;
  }
  return { version: data.readUInt32BE(4), header: data.subarray(0, HEADER_BYTES), entries, extensions };
}

function visitIndex(indexFile: string, oidBytes: number, visit: (entry: RawEntry) => void): void {
  const data = readIfThere(indexFile);
  if (data !== null && data.toString("latin1", 0, 4) === "DIRC") eachEntry(data, oidBytes, visit);
}

/** Returns where the entries end. */
function eachEntry(data: Buffer, oidBytes: number, visit: (entry: RawEntry) => void): number {
  const version = data.readUInt32BE(4);
  let name: Buffer = Buffer.alloc(0);
  let at = HEADER_BYTES;
  for (let left = data.readUInt32BE(8); left > 0; left--) {
    const entryAt = at;
    const flagsAt = at + STAT_BYTES + oidBytes;
    const flags = data.readUInt16BE(flagsAt);
    const isExtended = version >= 3 && (flags & EXTENDED) !== 0;
    const nameAt = flagsAt + (isExtended ? 4 : 2);
    if (version === 4) {
      const { value, next } = prefixLength(data, nameAt);
      const zero = data.indexOf(0, next);
      name = Buffer.concat([name.subarray(0, name.length - value), data.subarray(next, zero)]);
      at = zero + 1;
    } else {
      const zero = data.indexOf(0, nameAt);
      name = data.subarray(nameAt, zero);
      // Entries are padded with one to eight zero bytes.
      at += (zero - at + 8) & ~7;
    }
    visit({ data, at: entryAt, end: at, name, flags, extended: isExtended ? data.readUInt16BE(flagsAt + 2) : 0 });
  }
  return at;
}

/** Version 4 gives the number of bytes to drop from the previous name, in git's offset encoding. */
function prefixLength(data: Buffer, start: number): { value: number; next: number } {
  let next = start;
  let byte = data[next++] ?? 0;
  let value = byte & 127;
  while ((byte & 128) !== 0) {
    byte = data[next++] ?? 0;
    value = ((value + 1) << 7) | (byte & 127);
  }
  return { value, next };
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    // A repository without commits has no index yet.
    return null;
  }
}

/**
 * False when there is no source. git distrusts entries that are not older than the index file itself
 * ("racy git"); a copy with a newer time would make it trust them, so the copy is dated slightly back.
 */
export function copyIndex(from: string, to: string): boolean {
  const stat = statSync(from, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  copyFileSync(from, to);
  const fd = openSync(to, "r+");
  const seconds = (stat.mtimeMs - 1) / 1000;
  futimesSync(fd, seconds, seconds);
  closeSync(fd);
  return true;
}
