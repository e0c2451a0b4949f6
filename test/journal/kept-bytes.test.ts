/** What was added comes back byte for byte, whatever the sizes. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { keepBytes } from "../../src/journal/kept-bytes.js";

it("gives back what was added, in any pieces", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.integer({ min: 60_000, max: 140_000 }).map((size) => new Uint8Array(size).fill(size % 256)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const kept = keepBytes();
      for (const bytes of pieces) kept.add(bytes);
      expect(kept.all().equals(Buffer.concat(pieces))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it("does not change with the caller's buffer", () => {
  const kept = keepBytes();
  const bytes = Buffer.from("one");
  kept.add(bytes);
  bytes.fill("x");
  expect(kept.all().toString()).toBe("one");
});
