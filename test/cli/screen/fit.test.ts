/** Text in columns: cut, flowed and wrapped by what a terminal makes of it. */
import fc from "fast-check";
import stripAnsi from "strip-ansi";
import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import { cut, displayWidth, flow, wrap } from "../../../src/cli/screen/fit.js";

const printable = fc.string({ unit: fc.constantFrom("a", "b", " ", "字", "é", "👩‍👩‍👧", "-", "e\u0301", "한"), maxLength: 60 });

describe("cut", () => {
  it.each([
    ["short", 10, "short"],
    ["exactly", 7, "exactly"],
    ["one too many", 11, "one too ma…"],
    ["a blank before", 9, "a blank…"],
    ["漢字仮名", 8, "漢字仮名"],
    ["漢字仮名", 7, "漢字仮…"],
    // The second half of a wide character has no place, so that a column stays free.
    ["漢字仮名", 6, "漢字…"],
    ["👩‍👩‍👧 family", 5, "👩‍👩‍👧 f…"],
    ["text", 1, "…"],
    ["text", 0, ""],
  ])("%s in %i columns is %s", (text, columns, expected) => {
    expect(cut(text, columns)).toBe(expected);
  });

  it("is never wider than its columns", () => {
    fc.assert(fc.property(printable, fc.integer({ min: 0, max: 40 }), (text, columns) => displayWidth(cut(text, columns)) <= columns));
  });
});

describe("flow", () => {
  it("puts side by side what fits", () => {
    expect(flow([{ text: "one" }, { text: "two" }, { text: "three" }], 12)).toEqual(["one · two", "three"]);
    expect(flow([{ text: "one" }, { text: "two" }], 80)).toEqual(["one · two"]);
    expect(flow([], 10)).toEqual([]);
  });

  it("paints after it has cut, and never makes a line wider than its columns", () => {
    const { red } = createColors(true);
    expect(flow([{ text: "abcdef", paint: red }], 4)).toEqual([red("abc…")]);
    fc.assert(
      fc.property(fc.array(printable.map((text) => ({ text, paint: red }))), fc.integer({ min: 1, max: 40 }), (items, columns) =>
        flow(items, columns).every((line) => displayWidth(line) <= columns),
      ),
    );
  });
});

describe("wrap", () => {
  it("breaks at words, and continues below the text behind the time stamp", () => {
    const line = "20:11:00 gate tests fail on the claim: exit 1: 7 failing: adds up its parts";
    expect(wrap(line, 80)).toEqual([line]);
    expect(wrap(line, 60)).toEqual(["20:11:00 gate tests fail on the claim: exit 1: 7 failing:", "         adds up its parts"]);
    expect(wrap(line, 30)).toEqual(["20:11:00 gate tests fail on", "  the claim: exit 1: 7", "  failing: adds up its parts"]);
  });

  it("keeps every word and its columns, with colours and without", () => {
    const { green } = createColors(true);
    fc.assert(
      fc.property(printable, fc.boolean(), fc.integer({ min: 12, max: 90 }), (text, coloured, columns) => {
        const lines = wrap(coloured ? green(text) : text, columns);
        expect(lines.every((line) => displayWidth(line) <= columns)).toBe(true);
        // Accents may come out composed, which looks the same.
        expect(stripAnsi(lines.join("")).normalize().replace(/\s+/g, "")).toBe(text.normalize().replace(/\s+/g, ""));
      }),
    );
  });
});
