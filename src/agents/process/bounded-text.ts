/** Keeps the beginning and the end of a byte stream of any length. */

export interface BoundedText {
  push(chunk: Buffer): void;
  /** Bytes seen, kept or not. */
  bytes(): number;
  /** Head and tail as text, with a line between them that says how much is missing. */
  text(): string;
}

export function createBoundedText(headBytes: number, tailBytes: number): BoundedText {
  let head = Buffer.alloc(0);
  let tail: Buffer[] = [];
  let tailHeld = 0;
  let seen = 0;

  // Compacting at twice the size copies each byte a bounded number of times.
  const compact = (): void => {
    const joined = Buffer.concat(tail);
    const kept = Buffer.from(joined.subarray(Math.max(0, joined.length - tailBytes)));
    tail = [kept];
    tailHeld = kept.length;
  };

  return {
    push(chunk) {
      seen += chunk.length;
      const room = headBytes - head.length;
      if (room > 0) head = Buffer.concat([head, chunk.subarray(0, room)]);
      const rest = room > 0 ? chunk.subarray(room) : chunk;
      if (rest.length === 0) return;
      tail.push(Buffer.from(rest.subarray(Math.max(0, rest.length - tailBytes))));
      tailHeld += tail.at(-1)?.length ?? 0;
      if (tailHeld > 2 * tailBytes || tail.length > 1024) compact();
    },
    bytes: () => seen,
    text() {
      compact();
      const missing = seen - head.length - tailHeld;
      if (missing === 0) return Buffer.concat([head, ...tail]).toString("utf8");
      const end = Buffer.concat(tail).toString("utf8");
      if (headBytes === 0) return end;
      return `${head.toString("utf8")}\n[... ${missing} bytes left out ...]\n${end}`;
    },
  };
}
