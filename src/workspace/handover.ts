/** Hands bytes to a git that is told to read a file: the same file each time, since making and removing one costs more than the writing. */
import { closeSync, ftruncateSync, mkdirSync, openSync, constants, writeSync } from "node:fs";
import { dirname } from "node:path";
import { onDisk } from "../core/disk-error.js";

/** Only the holder of the working tree's lock writes here, so that the names need not be unique. Throws DiskError. */
export function handOver(file: string, content: string | Buffer): void {
  onDisk(file, () => write(file, content));
}

function write(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const target = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(target, bytes, at, bytes.length - at, at);
    // Cut to length afterwards: some file systems flush a file that was emptied first.
    ftruncateSync(target, bytes.length);
  } finally {
    closeSync(target);
  }
}
