/** Random plans: nested boxes of all kinds between prose, fences and comments, in any line ending. */
import fc from "fast-check";

const line = fc.record({
  indent: fc.constantFrom(0, 0, 0, 2, 4),
  bullet: fc.constantFrom("-", "*", "+", "1.", "2)", "> -"),
  mark: fc.constantFrom(" ", " ", "x", "X", "~"),
  manual: fc.constantFrom("", "", "", "(manual) "),
  text: fc.constantFrom("a", "b", "add health", "Add `x` [ ] y", "split the users module", "prüfe 😀", "[x] odd", "**bold**"),
  comment: fc.constantFrom("", "", " <!-- gate: tests -->", " <!-- edits: test/** -->", " <!-- group: 2 -->"),
});

const box = line.map((item) => `${" ".repeat(item.indent)}${item.bullet} [${item.mark}] ${item.manual}${item.text}${item.comment}`);
const other = fc.constantFrom(
  "",
  "",
  "# Heading",
  "some words",
  "```\n- [ ] fenced\n```",
  "<!-- a note -->",
  "- bullet",
  "  continued",
  "---",
  "    - [ ] indented",
);

/** Source texts that are valid plans. */
export const planSource = fc
  .record({
    bom: fc.constantFrom("", "\uFEFF"),
    front: fc.constantFrom("", "---\nsetup: npm ci\n---\n"),
    lines: fc.array(fc.oneof({ weight: 3, arbitrary: box }, { weight: 1, arbitrary: other }), { maxLength: 8 }),
    eol: fc.constantFrom("\n", "\r\n", "\r"),
    end: fc.boolean(),
  })
  .map(({ bom, front, lines, eol, end }) => bom + (front + lines.join("\n") + (end ? "\n" : "")).replace(/\n/g, eol))
  // A first line of `---` may begin front matter that a later one does not close.
  .filter((source) => !/^\uFEFF?---[\r\n]+(?!setup)/.test(source));
