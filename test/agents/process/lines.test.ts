/** Bytes to lines: nothing is cut, lost or split at the wrong place. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Line, createLineReader } from "../../../src/agents/process/lines.js";

function readAll(chunks: Uint8Array[], maxBytes?: number): Line[] {
  const reader = createLineReader(maxBytes);
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
}

const texts = (lines: Line[]): string[] => lines.map((line) => (line.kind === "line" ? line.text : `<${line.bytes}>`));

describe("line reader", () => {
  it("SP-01 keeps a multi-byte character that two chunks share", () => {
    const bytes = Buffer.from('{"t":"中"}\n');
    expect(texts(readAll([bytes.subarray(0, 7), bytes.subarray(7)]))).toEqual(['{"t":"中"}']);
  });

  it("SP-01 gives the same lines however the bytes are cut", () => {
    const text = fc.array(fc.constantFrom("a", "中", "🦊", "\n", "\r", "\u2028", "é"), { maxLength: 40 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(120), { maxLength: 6 }), (source, cuts) => {
        const bytes = Buffer.from(source);
        const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((to, index) => bytes.subarray(at[index], to));
        const expected = source.split("\n");
        if (expected.at(-1) === "") expected.pop();
        expect(texts(readAll(chunks))).toEqual(expected);
      }),
    );
  });

  it("SP-02 does not split at U+2028, U+2029 or a lone carriage return", () => {
    expect(texts(readAll([Buffer.from('{"t":"a\u2028b\u2029c\rd"}\nx\n')]))).toEqual(['{"t":"a\u2028b\u2029c\rd"}', "x"]);
  });

  it("SP-03 takes a line of 8 MB that comes in small chunks", () => {
    const chunk = Buffer.alloc(4096, 0x61);
    const lines = readAll([...Array.from({ length: 2048 }, () => chunk), Buffer.from("\nnext\n")]);
    expect(texts(lines).map((text) => text.length)).toEqual([8 * 1024 * 1024, 4]);
  });

  it("SP-03 skips a line over the cap with a note and goes on with the next", () => {
    const lines = readAll([Buffer.from("12345"), Buffer.from("67890123\nok\n")], 10);
    expect(lines).toEqual([
      { kind: "skipped", bytes: 13 },
      { kind: "line", text: "ok" },
    ]);
  });

  it("SP-04 gives the last line without a newline once, at the end", () => {
    const reader = createLineReader();
    expect(reader.push(Buffer.from("a\nb"))).toEqual([{ kind: "line", text: "a" }]);
    expect(reader.end()).toEqual([{ kind: "line", text: "b" }]);
    expect(reader.end()).toEqual([]);
  });
});
