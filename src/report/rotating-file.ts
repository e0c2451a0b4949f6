/** A log below the working tree that can not fill the disk, follow a link, or block: one open, write and close a line. */
import { closeSync, constants, lstatSync, openSync, renameSync, writeSync } from "node:fs";

export interface Rotation {
  maxBytes: number;
  /** Old files kept as `<path>.1`, `<path>.2` and so on. */
  keep: number;
}

/**
 * The file is opened for each line, so that one that was deleted or moved simply begins again.
 * O_NONBLOCK keeps a named pipe in its place from stopping the run. Throws what the system refuses.
 */
export function appendRotating(path: string, line: string, rotation: Rotation): void {
  const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0 && size + Buffer.byteLength(line) > rotation.maxBytes) rotate(path, rotation.keep);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = openSync(path, flags, 0o644);
  try {
    writeSync(file, line);
  } finally {
    closeSync(file);
  }
}

function rotate(path: string, keep: number): void {
  for (let n = keep; n >= 1; n--) {
    try {
      renameSync(n === 1 ? path : `${path}.${n - 1}`, `${path}.${n}`);
    } catch {
      // An older file that is not there needs no moving; a real refusal shows again at the next open or write.
    }
  }
}
