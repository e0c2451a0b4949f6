/** Reads files of /proc: hundreds at each look, so without a new buffer and a stat for each. */
import { closeSync, openSync, readSync } from "node:fs";

let room = Buffer.allocUnsafeSlow(64 * 1024);

/** null when the process is gone or belongs to someone else, which is an answer here. */
export function readProcFile(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    // Processes end between the listing and the reading; that is the normal case, not a fault.
    return null;
  }
  try {
    let length = 0;
    for (;;) {
      length += readSync(file, room, length, room.length - length, null);
      // These files are made when they are read: less than there was room for is all there is.
      if (length < room.length) break;
      room = Buffer.concat([room], 2 * room.length);
    }
    return room.toString("latin1", 0, length);
  } catch {
    // It ended while it was read.
    return null;
  } finally {
    closeSync(file);
  }
}
