/** What a terminal would obey never reaches a match, a file or a prompt. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBoundedText } from "../../../src/agents/process/bounded-text.js";
import { sanitize } from "../../../src/agents/process/sanitize.js";

describe("sanitize", () => {
  it.each([
    ["10%\r20%\r", "20%"],
    ["a\r\nb\r\n", "a\nb\n"],
    ["start\n10%\r100%\ndone", "start\n100%\ndone"],
    ["tab\tkept", "tab\tkept"],
    ["bell\u0007 back\b null\u0000", "bell back null"],
  ])("TO-01 %j becomes %j", (text, plain) => expect(sanitize(text)).toBe(plain));

  it.each([
    ["\u001b]52;c;aGk=\u0007text", "text"],
    ["\u001b]0;title\u001b\\text", "text"],
    ["\u001b]52;c;never closed\nnext", "\nnext"],
    ["\u001bP1$r0m\u001b\\text", "text"],
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u009b31mred", "red"],
    ["\u001b]8;;http://x\u0007link\u001b]8;;\u0007", "link"],
  ])("TO-07 %j becomes %j", (text, plain) => expect(sanitize(text)).toBe(plain));

  it("TO-07 leaves no control character in any text, and is stable", () => {
    const piece = fc.constantFrom("\u001b", "[", "]", "3", "m", "\u0007", "\r", "\n", "\u009d", "x", "\u001b\\", ";");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const plain = sanitize(pieces.join(""));
        expect(plain).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        expect(sanitize(plain)).toBe(plain);
      }),
    );
  });

  it("TO-07 takes an unclosed sequence repeated a hundred thousand times", () => {
    expect(sanitize("\u001b]".repeat(100_000))).toBe("");
  });
});

describe("bounded text", () => {
  it("keeps everything that fits, and head and tail of the rest", () => {
    const small = createBoundedText(4, 4);
    small.push(Buffer.from("abcdef"));
    expect(small.text()).toBe("abcdef");
    const large = createBoundedText(4, 4);
    for (const digit of "0123456789abcdefghij") large.push(Buffer.from(digit));
    expect(large.text()).toBe("0123\n[... 12 bytes left out ...]\nghij");
    expect(large.bytes()).toBe(20);
  });

  it("is the same however the bytes arrive", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 30 }), (chunks) => {
        const whole = createBoundedText(5, 7);
        whole.push(Buffer.concat(chunks));
        const pieces = createBoundedText(5, 7);
        for (const chunk of chunks) pieces.push(Buffer.from(chunk));
        expect(pieces.text()).toBe(whole.text());
      }),
    );
  });
});
