/** The notes stay small, nothing of them is lost, and what was cut can be found. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundNotes, notesChanged, shownNotes } from "../../src/core/progress-notes.js";

const note = (n: number): string => `## Iteration ${n}\n\n- did step ${n}\n- decided ${"because ".repeat(10)}\n\n`;
const notes = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, i) => note(from + i)).join("");
const MAX = 2_000;
const bytes = (text: string): number => Buffer.byteLength(text);

describe("bounded notes", () => {
  it("stay as they are while they fit", () => expect(boundNotes(notes(1, 5), "", MAX)).toBeNull());

  it("PR-09 keep the newest whole entries and move the others to the archive, with an index of lines", () => {
    const all = notes(1, 40);
    const { notes: kept, archive } = boundNotes(all, "", MAX) ?? { notes: "", archive: "" };
    const body = kept.slice(kept.indexOf("## Iteration"));
    expect(archive + body).toBe(all);
    expect(bytes(kept)).toBeLessThanOrEqual(MAX);
    expect(kept).toContain(note(40));
    for (const [, line, title] of kept.matchAll(/^- line (\d+): (.+)$/gm)) expect(archive.split("\n")[Number(line) - 1]).toBe(`## ${title}`);
    expect(kept.match(/^- line /gm)?.length).toBeGreaterThan(5);
  });

  it("grow on and are cut again, with one index over one archive", () => {
    let [text, archive] = ["", ""];
    for (let n = 1; n <= 60; n++) {
      const bounded = boundNotes(text + note(n), archive, MAX);
      [text, archive] = bounded === null ? [text + note(n), archive] : [bounded.notes, bounded.archive];
      expect(bytes(text)).toBeLessThanOrEqual(MAX);
    }
    expect(text.match(/end of the index/g)).toHaveLength(1);
    const body = text.slice(text.indexOf("## Iteration"));
    expect(archive + body).toBe(notes(1, 60));
    for (const [, line, title] of text.matchAll(/^- line (\d+): (.+)$/gm)) expect(archive.split("\n")[Number(line) - 1]).toBe(`## ${title}`);
  });

  it("are not archived twice when a crash came between archive and notes", () => {
    const first = boundNotes(notes(1, 40), "", MAX);
    expect(boundNotes(notes(1, 40), first?.archive ?? "", MAX)).toEqual(first);
  });

  it("lose no character of any text, and are bounded unless they are one line", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 60 }), { maxLength: 60 }), fc.integer({ min: 50, max: 600 }), (lines, max) => {
        const text = lines.join("\n");
        const bounded = boundNotes(text, "", max);
        if (bounded === null) return;
        const body = bounded.notes.slice(bounded.notes.indexOf("end of the index -->\n\n") + "end of the index -->\n\n".length);
        const whole = bounded.archive + body;
        expect(whole === text || whole === `${text}\n`).toBe(true);
      }),
    );
  });
});

describe("notes in the prompt", () => {
  it("PR-09 are index and newest part, within the budget, however long the file is", () => {
    const long = Array.from({ length: 100_000 }, (_, i) => `note ${i}`).join("\n");
    const tail = shownNotes(long, 1_000);
    expect(tail.length).toBeLessThan(1_100);
    expect(tail.endsWith("note 99999")).toBe(true);
    expect(tail.split("\n")[1]).toMatch(/^note \d+$/);
    const indexed = boundNotes(notes(1, 40), "", MAX)?.notes ?? "";
    const shown = shownNotes(`${indexed}${notes(41, 80)}`, MAX);
    expect(shown).toContain("- line ");
    expect(shown.endsWith(note(80))).toBe(true);
    expect(shown.length).toBeLessThan(MAX + 100);
  });
});

describe("an answer in the notes", () => {
  it("is what somebody wrote, not what the driver took away", () => {
    const before = notes(1, 40);
    expect(notesChanged(before, before)).toBe(false);
    expect(notesChanged(before, boundNotes(before, "", MAX)?.notes ?? "")).toBe(false);
    expect(notesChanged(before, boundNotes(`${before}- the answer\n`, "", MAX)?.notes ?? "")).toBe(true);
    expect(notesChanged("", "- the answer\n")).toBe(true);
  });
});
