/** Fingerprints and the shortened failure text. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compressOutput } from "../../../src/core/gate-output/compress.js";
import { gateFingerprint } from "../../../src/core/gate-output/fingerprint.js";
import { readOutput } from "../../../src/core/gate-output/read.js";
import { sample } from "./sample.js";

describe("gateFingerprint", () => {
  it("is the same for another order, time, folder and colour", () => {
    expect(gateFingerprint(["b", "a"], "ENOENT /tmp/a1b2/x after 1.2s")).toBe(gateFingerprint(["a", "b"], "\u001b[31mENOENT /tmp/zz/x after 3s\u001b[39m"));
  });

  it("differs with the names and with the error", () => {
    const prints = [
      gateFingerprint(["a"], "x"),
      gateFingerprint(["b"], "x"),
      gateFingerprint(["a"], "y"),
      gateFingerprint(["a"], null),
      gateFingerprint([], null),
      gateFingerprint(["a", "b"], "x"),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });

  it("is equal for two real runs of the same failure", () => {
    const print = (text: string): string => {
      const { failing, firstError } = readOutput(text);
      return gateFingerprint(failing, firstError);
    };
    expect(print(sample("pytest-fail"))).toBe(print(sample("pytest-q")));
    expect(print(sample("vitest-fail"))).toBe(print(sample("vitest-verbose-colour")));
  });
});

describe("compressOutput", () => {
  const long = `start\n${"noise of the build\n".repeat(2000)}${sample("vitest-fail")}${"cleanup\n".repeat(2000)}last line of all`;

  it("leaves short output whole but plain", () => {
    expect(compressOutput("\u001b[31mred\u001b[39m\n\n\n\nb\r\n")).toBe("red\n\nb");
  });

  it("keeps the first error with context, the names and the end", () => {
    const text = compressOutput(long);
    expect(text.length).toBeLessThanOrEqual(4000);
    expect(text).toContain("FAIL  a.test.ts > math > subtracts\nAssertionError: expected 2 to be 1");
    expect(text).toContain("- b.test.ts > parses the date");
    expect(text.endsWith("last line of all")).toBe(true);
    expect(text).not.toContain("\u001b");
    // With error and names known, what passed afterwards takes little room.
    expect(text.slice(text.indexOf("[…]")).length).toBeLessThan(520);
  });

  it("keeps the end of output without any error", () => {
    const text = compressOutput(`${"a line\n".repeat(3000)}the end`, 500);
    expect(text.length).toBeLessThanOrEqual(500);
    expect(text.endsWith("the end")).toBe(true);
  });

  it("names how many more failed than it lists", () => {
    const errors = Array.from({ length: 200 }, (_, n) => `a${n}.ts(1,1): error TS1: bad`).join("\n");
    expect(compressOutput(errors)).toMatch(/200 failing:\n- a0\.ts/);
  });

  it("holds its bound for any text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom("Error: x", "\n", "\u001b[31m", "y".repeat(500))), { maxLength: 40 }),
        fc.integer({ min: 50, max: 600 }),
        (parts, max) => {
          const text = compressOutput(parts.join("\n"), max);
          expect(text.length).toBeLessThanOrEqual(max);
          expect(text).not.toContain("\u001b");
        },
      ),
      { numRuns: 150 },
    );
  });
});
