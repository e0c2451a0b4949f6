/** Bytes to lines at 0x0A only. A line is decoded when it is whole, so no character is ever cut. */
import { isAscii } from "node:buffer";

/** Longest line that is kept; agents print whole tool outputs in one line, but never this much. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;

export type Line = { kind: "line"; text: string } | { kind: "skipped"; bytes: number };

export interface LineReader {
  /** Whole lines that this chunk completed, without their 0x0A. */
  push(chunk: Uint8Array): Line[];
  /** The last line when it has no 0x0A; then the reader is empty again. */
  end(): Line[];
}

/**
 * U+2028, U+2029 and a lone CR do not end a line. Chunks of an unfinished line are kept in a list and
 * joined once, which keeps a long line linear.
 */
export function createLineReader(maxBytes: number = MAX_LINE_BYTES): LineReader {
  let parts: Uint8Array[] = [];
  let held = 0;

  const add = (part: Uint8Array): void => {
    held += part.length;
    if (held > maxBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const take = (): Line => {
    const line: Line = held > maxBytes ? { kind: "skipped", bytes: held } : { kind: "line", text: textOf(parts, held) };
    parts = [];
    held = 0;
    return line;
  };

  return {
    push(chunk) {
      const lines: Line[] = [];
      let from = 0;
      for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
        add(chunk.subarray(from, at));
        lines.push(take());
        from = at + 1;
      }
      add(chunk.subarray(from));
      return lines;
    },
    end() {
      return held > 0 ? [take()] : [];
    },
  };
}

/** Most lines lie within one chunk and need not be copied first. */
function textOf(parts: readonly Uint8Array[], bytes: number): string {
  const [only] = parts;
  if (parts.length !== 1 || only === undefined) return decode(Buffer.concat(parts, bytes));
  return decode(Buffer.from(only.buffer, only.byteOffset, only.byteLength));
}

/** Most lines are ASCII, which reads the same as Latin-1 in a third of the time. */
function decode(line: Buffer): string {
  return line.toString(isAscii(line) ? "latin1" : "utf8");
}
