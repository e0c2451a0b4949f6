/** Notes of the iterations as prompts show them, at the edges of their size. */
import { expect, it } from "vitest";
import { boundNotes, shownNotes } from "../../src/core/progress-notes.js";

it("shows notes that fit whole, others from a whole line on, and a single long line by its end", () => {
  expect(shownNotes("a\nb\n", 4)).toBe("a\nb\n");
  expect(shownNotes("aaa\nbbb\nccc\n", 7)).toBe("(older notes are in the file)\nccc\n");
  expect(shownNotes("x".repeat(20), 5)).toBe(`(older notes are in the file)\n${"x".repeat(5)}`);
});

it("moves nothing out of a single long line, and from several the whole lines before the last", () => {
  expect(boundNotes("x".repeat(200), "", 100)).toBeNull();
  expect(boundNotes(`${"old words\n".repeat(20)}`, "", 100)?.archive).toBe("old words\n".repeat(16));
});

it("ends an archive with a line before more goes into it", () => {
  const notes = `${"old words\n".repeat(20)}# new\nnow\n`;
  const bounded = boundNotes(notes, "earlier, torn off", 100);
  expect(bounded?.archive.startsWith("earlier, torn off\nold words\n")).toBe(true);
  expect(boundNotes(notes, "", 100)?.archive.startsWith("old words\n")).toBe(true);
});
