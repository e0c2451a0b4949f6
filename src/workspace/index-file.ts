/** Looks into git's index file for entries that hide their changes, and copies index files without weakening their stat cache. */
import { closeSync, copyFileSync, futimesSync, openSync, readFileSync, statSync } from "node:fs";

const HEADER_BYTES = 12;
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
  eachEntry(indexFile, oidBytes, ({ name, flags, extended }) => {
    if ((flags & ASSUME_UNCHANGED) !== 0) hidden.assumeUnchanged.push(name.toString("utf8"));
    if ((extended & SKIP_WORKTREE) !== 0) hidden.skipWorktree.push(name.toString("utf8"));
  });
  return hidden;
}

/** Mode and object of these paths; those that the index does not have are missing from the result. */
export function indexEntries(indexFile: string, oidBytes: number, paths: ReadonlySet<string>): Map<string, { mode: string; oid: string }> {
  const found = new Map<string, { mode: string; oid: string }>();
  eachEntry(indexFile, oidBytes, ({ name, data, at }) => {
    const path = name.toString("utf8");
    if (!paths.has(path)) return;
    const oidAt = at + STAT_BYTES;
    const mode = data.readUInt32BE(at + MODE_OFFSET).toString(8).padStart(6, "0");
    found.set(path, { mode, oid: data.toString("hex", oidAt, oidAt + oidBytes) });
  });
  return found;
}

interface RawEntry {
  data: Buffer;
  at: number;
  name: Buffer;
  flags: number;
  extended: number;
}

function eachEntry(indexFile: string, oidBytes: number, visit: (entry: RawEntry) => void): void {
  const data = readIfThere(indexFile);
  if (data === null || data.toString("latin1", 0, 4) !== "DIRC") return;
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
    visit({ data, at: entryAt, name, flags, extended: isExtended ? data.readUInt16BE(flagsAt + 2) : 0 });
  }
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
