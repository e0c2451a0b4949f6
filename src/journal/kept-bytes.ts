/** Holds what was written to a growing text file, in little memory: the lines of a journal are much alike. */
import { deflateRawSync, inflateRawSync } from "node:zlib";

export interface KeptBytes {
  add(bytes: Uint8Array): void;
  /** Everything that was added, in order. */
  all(): Buffer;
}

/** Compressing this much takes about a millisecond. */
const ROOM_BYTES = 64 * 1024;

export function keepBytes(): KeptBytes {
  const packed: Buffer[] = [];
  // A buffer of its own: slices of Node's shared pool would keep whole pools alive.
  const room = Buffer.allocUnsafeSlow(ROOM_BYTES);
  let used = 0;
  return {
    add(bytes) {
      for (let from = 0; from < bytes.length; ) {
        const part = bytes.subarray(from, from + room.length - used);
        room.set(part, used);
        used += part.length;
        from += part.length;
        if (used < room.length) continue;
        packed.push(Buffer.from(deflateRawSync(room)));
        used = 0;
      }
    },
    all: () => Buffer.concat([...packed.map((part) => inflateRawSync(part)), room.subarray(0, used)]),
  };
}
