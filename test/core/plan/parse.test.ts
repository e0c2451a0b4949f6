/** How plans in Markdown are read: what is a task, what is none, and what makes a file unreadable. */
import { describe, expect, it } from "vitest";
import { allDone, planOf, problemsOf, tasksOf, warningsOf } from "./read.js";

describe("boxes", () => {
  it.each([
    ["tilde fence", "~~~\n- [ ] a\n~~~\n"],
    ["indented fence", "   ```\n- [ ] a\n   ```\n"],
    ["longer fence around a shorter one", "````\n```\n- [ ] a\n```\n````\n"],
    ["fence in a list item", "- text\n  ```\n  - [ ] a\n  ```\n"],
  ])("TP-02 none in a %s", (_, source) => {
    expect(tasksOf(source)).toEqual([]);
  });

  it.each([
    ["at the end of the file", "- [x] a\n```\nfoo\n- [ ] b", 2, 1],
    ["closed by too short a fence", "- [x] a\n\n````\n- [ ] b\n```\n", 3, 1],
    ["in a block quote", "> ~~~\n> - [ ] b\n", 1, 3],
    ["in a list item", "- [x] a\n  ```\n  - [ ] b\n", 2, 3],
    ["of CRLF lines behind front matter", "---\r\nsetup: x\r\n---\r\n- [x] a\r\n```\r\n- [ ] b\r\n", 5, 1],
  ])("TP-03 an open fence %s makes the plan invalid", (_, source, line, column) => {
    expect(problemsOf(source)).toEqual([{ line, column, message: expect.stringContaining("never closed") }]);
  });

  it.each(["- [x] a\n\n<!-- note\n- [ ] b\n", "- [x] a\n\n<pre>\n- [ ] b\n", "- [x] a\n\n<script>\n\n- [ ] b\n"])(
    "TP-03 so does open HTML that swallows the rest: %j",
    (source) => {
      expect(problemsOf(source)).toHaveLength(1);
    },
  );

  it("TP-04 counts only the boxes below the configured headings, and says how many others there are", () => {
    const source = "## Tasks\n- [x] a\n### Later\n- [x] b\n\n## Success criteria\n- [ ] manual check\n- [ ] another\n";
    expect(tasksOf(source, "PLAN.md", ["tasks"])).toEqual(["done a", "done b"]);
    expect(warningsOf(source, "PLAN.md", ["tasks"])).toEqual(["7: 2 check boxes are outside the sections tasks and not counted"]);
    expect(tasksOf(source)).toHaveLength(4);
    expect(tasksOf("## **[Tasks](x)**:\n- [ ] a\n## snake_case\n- [ ] b", "PLAN.md", ["Tasks", "snake_case"])).toHaveLength(2);
    expect(warningsOf(source, "PLAN.md", ["Work"])).toContain("1: no heading is called Work");
  });

  it("TP-05 only the marker's position counts", () => {
    expect(tasksOf("- [x] use [ ] for open items\n- [ ] [x] is a tick\n- [ ] **[x]** too")).toEqual([
      "done use [ ] for open items",
      "open [x] is a tick",
      "open **[x]** too",
    ]);
  });

  it("TP-07 dates and footnotes in brackets are no boxes", () => {
    const dates = "- [2026-01-29] note\n".repeat(5);
    expect(tasksOf(`${dates}- [1] source\n- [a] other\n- [ ] real\n`)).toEqual(["open real"]);
  });

  it("TP-08 other marks are shown as other, neither open nor done", () => {
    expect(tasksOf("- [~] blocked\n- [-] dropped\n- [!] urgent\n- [✓] tick\n- [x] a")).toEqual([
      "other blocked",
      "other dropped",
      "other urgent",
      "other tick",
      "done a",
    ]);
    expect(planOf("- [~] blocked").tasks[0]?.mark).toBe("~");
    expect(allDone(planOf("- [~] blocked\n- [x] a"))).toBe(false);
  });

  it.each(["", "# Plan\n\nDo good work.\n- a bullet\n", "- [x]\n", "- [ ]   \n"])(
    "TP-09 a plan without tasks is an empty list and never done: %j",
    (source) => {
      expect(planOf(source).tasks).toEqual([]);
      expect(allDone(planOf(source))).toBe(false);
    },
  );

  it.each([["\r\n"], ["\n"], ["\r"]])("TP-11 lines may end with %j", (eol) => {
    const source = ["# Plan", "- [ ] a", "- [x] b", "  - [ ] c", ""].join(eol);
    expect(planOf(source).tasks.map(({ state, text, line }) => [state, text, line])).toEqual([
      ["open", "a", 2],
      ["open", "b", 3],
      ["open", "c", 4],
    ]);
  });

  it.each([
    "- [ ] a",
    "* [ ] a",
    "+ [ ] a",
    "1. [ ] a",
    "1) [ ] a",
    "> - [ ] a",
    "> > 3. [ ] a",
    "-\t[ ] a",
    "-   [ ] a",
    "- [ ]\ta",
    "- plain\n  - [ ] a",
    "- [ ]\n  a",
  ])("TP-13 %j is a task", (source) => {
    expect(tasksOf(source)).toEqual(["open a"]);
    const task = planOf(source).tasks[0];
    expect(source.slice((task?.markOffset ?? 0) - 1, (task?.markOffset ?? 0) + 2)).toBe("[ ]");
  });

  it("TP-14 both cases of x are done", () => {
    expect(tasksOf("- [X] a\n- [x] b")).toEqual(["done a", "done b"]);
  });

  it("TP-16 a box without text is skipped with a warning", () => {
    expect(tasksOf("- [x]\n- [ ]   \n- [ ] <!-- gate: a -->\n- [ ] (manual)\n- [ ] real")).toEqual(["open real"]);
    expect(warningsOf("- [x]\n- [ ]   \n- [ ] <!-- gate: a -->\n- [ ] (manual)\n")).toEqual(
      [1, 2, 3, 4].map((line) => `${line}: this check box has no text and is not counted`),
    );
  });

  it.each([
    "- [ ](url)",
    "see - [ ] here",
    "<!-- - [ ] a -->",
    "<!--\n- [ ] a\n-->",
    "---\n- [ ] a\n---\n",
    "---\ntodo: |\n  - [ ] a\n---\n",
    "- [x]a",
    "-[ ] a",
    "- [] a",
    "`- [ ] a`",
    "\\- [ ] a",
  ])("TP-17 %j is no task", (source) => {
    expect(tasksOf(source)).toEqual([]);
  });

  it("TP-17 what was probably meant as a task is named", () => {
    expect(warningsOf("- [x]a\n- [] b\n")).toEqual([
      "1: this is not a check box and is not counted: write `- [ ] text`",
      "2: this is not a check box and is not counted: write `- [ ] text`",
    ]);
    expect(warningsOf("---\n- [ ] a\n---\n")).toEqual(["2: check boxes between the `---` lines at the top are not tasks"]);
    expect(warningsOf("<details>\n- [ ] a\n</details>\n")).toEqual(["1: check boxes inside raw HTML are not counted: put a blank line before them"]);
  });

  it("TP-18 a byte-order mark is no part of the text", () => {
    const source = "\uFEFF- [ ] a\r\n- [x] b";
    expect(tasksOf(source)).toEqual(["open a", "done b"]);
    expect(planOf(source).tasks.map(({ markOffset }) => source[markOffset])).toEqual([" ", "x"]);
    expect(planOf("\uFEFF---\nsetup: x\n---\n- [ ] a").frontMatter).toBe("setup: x\n");
  });

  it("TP-19 headings are not tasks", () => {
    expect(tasksOf("## 1. Setup\n- [x] a\n- [x] b\n## [ ] 2. Build\n")).toEqual(["done a", "done b"]);
  });

  it("TP-25 manual tasks are for people, until they are ticked", () => {
    expect(tasksOf("- [ ] (manual) check in production\n- [x] (Manual) rotate the key\n- [ ] write the manual")).toEqual([
      "manual check in production",
      "done rotate the key",
      "open write the manual",
    ]);
  });
});

describe("indentation", () => {
  it("TP-15 nests after a blank line, and counts what Markdown shows as code or continuation", () => {
    expect(planOf("- [ ] p\n    - [ ] child").tasks.map(({ text, parent }) => [text, parent])).toEqual([
      ["p", null],
      ["child", "p"],
    ]);
    expect(planOf("- [ ] p\n\n    - [ ] child").tasks.map(({ text, parent }) => [text, parent])).toEqual([
      ["p", null],
      ["child", "p"],
    ]);
    expect(planOf("- [ ] p\n      - [ ] deep").tasks.map(({ text, parent }) => [text, parent])).toEqual([
      ["p", null],
      ["deep", "p"],
    ]);
    const code = "words\n\n    - [ ] shown as code\n    more\n\n> text\n>\n>     - [x] quoted code\n";
    expect(tasksOf(code)).toEqual(["open shown as code", "done quoted code"]);
    expect(planOf(code).tasks.map(({ line, markOffset }) => [line, code[markOffset]])).toEqual([
      [3, " "],
      [8, "x"],
    ]);
    expect(warningsOf(code)).toHaveLength(2);
  });

  it("TP-10 a ticked parent with an open child is not done, and warns", () => {
    expect(tasksOf("- [x] p\n  - [ ] c")).toEqual(["open p", "open c"]);
    expect(allDone(planOf("- [x] p\n  - [ ] c"))).toBe(false);
    expect(warningsOf("- [x] p\n  - [ ] c")).toEqual(['1: "p" is ticked, but not all tasks below it are done']);
    expect(tasksOf("- [x] p\n  - [x] c\n    - [ ] g")).toEqual(["open p", "open c", "open g"]);
    expect(tasksOf("- [x] p\n  - note\n    - [x] c")).toEqual(["done p", "done c"]);
  });

  it("a ticked parent waits for a person where its child does", () => {
    expect(tasksOf("- [x] p\n  - [ ] (manual) c")).toEqual(["manual p", "manual c"]);
    expect(tasksOf("- [x] p\n  - [~] c")).toEqual(["other p", "other c"]);
    expect(tasksOf("- [x] p\n  - [~] c\n  - [ ] d")).toEqual(["open p", "other c", "open d"]);
  });

  it("depth counts tasks, and a box without text is nobody's parent", () => {
    expect(planOf("- [ ] p\n  - note\n    - [ ] c\n- [ ]\n\n  - [ ] d").tasks.map(({ depth, parent }) => [depth, parent])).toEqual([
      [0, null],
      [1, "p"],
      [0, null],
    ]);
  });
});

describe("words of a task", () => {
  it("are one line without comments, also when wrapped or quoted", () => {
    expect(tasksOf("- [ ] add the  endpoint\n  that says 200\n- [ ] b <!-- a\nb --> c\n> - [ ] q\n>   r")).toEqual([
      "open add the endpoint that says 200",
      "open b c",
      "open q r",
    ]);
  });

  it("keep their markup", () => {
    expect(tasksOf("- [ ] `GET /health` returns **200** ([why](x)) &amp; more")).toEqual(["open `GET /health` returns **200** ([why](x)) &amp; more"]);
  });

  it("name the task; repeated names are numbered", () => {
    const ids = planOf("- [ ] Add the `GET /health` route!\n- [ ] a\n- [ ] A\n- [ ] a\n- [ ] ???\n- [ ] Größe prüfen").tasks.map(({ id }) => id);
    expect(ids).toEqual(["add-the-get-health-route", "a", "a~2", "a~3", "task", "größe-prüfen"]);
  });

  it("are read from its comments: gates, edits, group", () => {
    const task = planOf(
      "- [ ] a <!-- gate: health, lint --> b <!-- edits: test/{a,b}/**, docs/* -->\n  <!-- group: 2 -->\n  - note <!-- gates: lint, types -->",
    ).tasks[0];
    expect(task).toMatchObject({ text: "a b", gates: ["health", "lint", "types"], edits: ["test/{a,b}/**", "docs/*"], group: 2 });
  });

  it("a comment belongs to the nearest task, and to none in code", () => {
    const tasks = planOf("- [ ] p\n  - [ ] c <!-- gate: x -->\n- [ ] q `<!-- gate: y -->`").tasks;
    expect(tasks.map(({ gates }) => gates)).toEqual([[], ["x"], []]);
  });

  it("a comment that says nothing usable is named", () => {
    expect(warningsOf("- [ ] a\n\n<!-- gate: tests -->\n")).toEqual(["3: this comment belongs to no task: <!-- gate: tests -->"]);
    expect(warningsOf("- [ ] a <!-- group: soon -->")).toEqual(["1: `group: soon` is not a whole number; the task is unnamed and comes last"]);
    expect(warningsOf("- [ ] a <!-- gate: -->")).toEqual(["1: `gate:` names nothing"]);
    expect(warningsOf("- [ ] a <!-- a remark: here -->")).toEqual([]);
  });
});

describe("front matter", () => {
  it("is kept verbatim, with any line ending", () => {
    expect(planOf("---\r\nsetup: npm ci\r\ngates: []\r\n---\r\n- [ ] a").frontMatter).toBe("setup: npm ci\r\ngates: []\r\n");
    expect(planOf("---\n---\n- [ ] a").frontMatter).toBe("");
    expect(planOf("- [ ] a\n\n---\nb: c\n---\n").frontMatter).toBeNull();
    expect(planOf("---\na: 1\n---\n\n- [ ] a").tasks[0]).toMatchObject({ line: 5, markOffset: 17 });
  });

  it("that never ends makes the plan invalid; a thematic break does not", () => {
    expect(problemsOf("---\ngates:\n  - name: tests\n- [ ] a\n")).toEqual([{ line: 1, column: 1, message: expect.stringContaining("never closed") }]);
    expect(tasksOf("---\n\n- [ ] a\n")).toEqual(["open a"]);
  });
});
