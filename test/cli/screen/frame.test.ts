/** Redraws: the same bytes give the same picture, and nothing of the last one stays. */
import { describe, expect, it } from "vitest";
import { frame, rowsOf } from "../../../src/cli/screen/frame.js";

describe("rowsOf", () => {
  it.each([
    [["one", "two"], 80, 2],
    [["x".repeat(79)], 80, 1],
    [["x".repeat(79)], 40, 2],
    [["x".repeat(81)], 40, 3],
    [["字".repeat(30)], 40, 2],
    [[""], 40, 1],
    [[], 40, 0],
  ])("%j in %i columns take %i", (lines, columns, rows) => {
    expect(rowsOf(lines, columns)).toBe(rows);
  });
});

describe("frame", () => {
  it("overwrites line by line within one synchronized update, and never clears what it will draw again", () => {
    const bytes = frame({ drawn: ["old one", "old two"], above: ["kept"], block: ["new"], columns: 80 });
    expect(bytes).toBe("\u001b[?2026h\r\u001b[2A\u001b[2Kkept\r\n\u001b[2Knew\r\n\u001b[J\u001b[?2026l");
  });

  it("goes up over what a narrower terminal has wrapped", () => {
    expect(frame({ drawn: ["x".repeat(79), "short"], above: [], block: [], columns: 40 })).toContain("\u001b[3A");
    expect(frame({ drawn: [], above: [], block: [], columns: 40 })).not.toMatch(/\u001b\[\d+A/);
  });
});
