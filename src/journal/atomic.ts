/** Files that are there whole or not at all, also after a power cut: temporary file, fsync, rename, fsync of the folder. */
import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { onDisk } from "../core/disk-error.js";

let counter = 0;

/** Throws DiskError; the earlier content stays in place then. */
export function writeAtomic(path: string, content: string | Uint8Array): void {
  exchange(path, content, fsyncSync);
  onDisk(path, () => syncFolder(dirname(path)));
}

/** For what can be made again: readers never see half of it, a power cut may lose it. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  exchange(path, content, () => undefined);
}

function exchange(path: string, content: string | Uint8Array, settle: (file: number) => void): void {
  const temporary = `${path}.${process.pid}-${++counter}.tmp`;
  onDisk(path, () => {
    try {
      writeNew(temporary, content, settle);
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

function writeNew(path: string, content: string | Uint8Array, settle: (file: number) => void): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o644);
  try {
    writeAll(file, typeof content === "string" ? Buffer.from(content) : content);
    settle(file);
  } finally {
    closeSync(file);
  }
}

/** A write may be taken in part only; this goes on until all is written or the system refuses. */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done);
  }
}

/** Makes a created or renamed name durable. */
export function syncFolder(path: string): void {
  const folder = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
