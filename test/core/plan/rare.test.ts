/** Plans as people also write them: rarer forms, which must be read as what they are and never damage a text. */
import { describe, expect, it } from "vitest";
import type { GateSpec } from "../../../src/core/gate.js";
import { weaknesses } from "../../../src/core/plan/draft.js";
import { importPlan } from "../../../src/core/plan/import.js";
import { memberOf, readJson } from "../../../src/core/plan/json-source.js";
import { reconcilePlan } from "../../../src/core/plan/reconcile.js";
import { pickTask, setTick } from "../../../src/core/plan/tick.js";
import { planOf, tasksOf, warningsOf } from "./read.js";

describe("a box", () => {
  it.each<[string, string, string[]]>([
    ["with a tab between its brackets", "- [\t] a\n", ["open a"]],
    ["whose second paragraph is a remark", "- [ ] a\n\n  more of it\n", ["open a"]],
    ["that begins with a word in bold", "- [x] **a** b\n", ["done **a** b"]],
    ["of nothing but a comment, which is none; what hangs below it stays", "- [ ] <!-- group: 1 -->\n  - [ ] b\n", ["open b"]],
    ["before a heading", "- [ ] # a\n", ["open # a"]],
    ["on the first line, indented like code", "    - [ ] a\n", ["open a"]],
    ["in an item without text", "-\n- [ ] a\n", ["open a"]],
    ["behind the target of a link", "- [a]: b\n  [ ] c [a]\n", ["open c [a]"]],
    ["with its text on the next line", "- [ ]\r\n  a\r\n", ["open a"]],
    ["with its text behind a line break", "- [x]  \n  a\n", ["done a"]],
    ["of nothing, with another one too deep below it", "- [ ] a\n- [ ] <!-- c -->\n      - [ ] b\n", ["open a", "open b"]],
  ])("%s", (_name, source, tasks) => expect(tasksOf(source)).toEqual(tasks));
});

it("a box below one without text belongs to what is around that", () => {
  const [outer, inner] = planOf("- [ ] a\n  - [ ] <!-- c -->\n          - [ ] b\n").tasks;
  expect(inner).toMatchObject({ text: "b", parent: outer?.id });
});

describe("what is nearly a box", () => {
  const NEAR = "this is not a check box and is not counted: write `- [ ] text`";
  it.each<[string, string, string[]]>([
    ["is named", "- []a\n", [`1: ${NEAR}`]],
    ["is named where it is empty", "- [ ] a\n- [x]\n", ["2: this check box has no text and is not counted"]],
    ["is named above a line that makes it a heading", "- [ ] a\n  ===\n", [`1: ${NEAR}`]],
    ["is code in code", "- ```\n  [] a\n  ```\n", []],
  ])("%s", (_name, source, warnings) => expect(warningsOf(source)).toEqual(warnings));
});

describe("sections", () => {
  it.each([["Tasks <!-- mine -->"], ["Tasks ![](icon.png)"]])("are named by the words that people see: %s", (heading) => {
    expect(tasksOf(`## ${heading}\n- [ ] a\n`, "PLAN.md", ["Tasks"])).toEqual(["open a"]);
  });
});

describe("validation commands", () => {
  const gates = (below: string): string[] => planOf(`### Task 1: x\n\n- [ ] a\n\n## Validation Commands\n\n${below}`).impliedGates.map(({ run }) => run);
  it.each<[string, string, string[]]>([
    ["are the code that begins an item", "- `npm test`\n- **`npm run lint`** first\n", ["npm test", "npm run lint"]],
    [
      "are shell blocks, each as a whole, where the first failure counts",
      "```sh\n$ npm ci\nnpm test\n```\n\n```\nmake\n```\n",
      ["set -e\nnpm ci\nnpm test", "make"],
    ],
    ["are no blocks of another language", "```js\nf()\n```\n", []],
    ["are no blocks of comments alone", "```sh\n# later\n\n```\n", []],
    ["are no indented blocks", "    npm test\n", []],
    ["end with the next heading", "- `npm test`\n\n## Notes\n\n- `rm -rf /`\n", ["npm test"]],
    ["end with the next task", "- `npm test`\n\n### Task 2: y\n\n- [ ] b `x`\n", ["npm test"]],
  ])("%s", (_name, below, runs) => expect(gates(below)).toEqual(runs));

  it("in words are named, since nobody can run them", () => {
    expect(warningsOf("### Task 1: x\n\n- [ ] a\n\n## Validation Commands\n\n- run the tests\n")).toContain(
      "7: not read as a command: put it in backticks: run the tests",
    );
  });
});

describe("prd.json", () => {
  const prd = (...stories: object[]): string => JSON.stringify({ userStories: stories });

  it("needs a list, and takes the title for a name where there is none", () => {
    expect(planOf(prd({ title: "Add a thing" }), "prd.json").tasks[0]?.id).toBe("add-a-thing");
    expect(() => planOf("{}", "prd.json")).toThrow("`userStories` must be a list");
    expect(() => planOf("[]", "prd.json")).toThrow("`userStories` must be a list");
  });

  it("that was changed to another one keeps its old stories, whichever was taken out", () => {
    const [a, b, c] = ["a", "b", "c"].map((id) => ({ id, title: id, passes: false }));
    const before = prd(a as object, b as object, c as object);
    const result = (after: string) => reconcilePlan({ before, after, path: "prd.json", sections: null, fixed: new Set(["a", "b", "c"]), maxAdded: 1 });
    expect(result(prd(b as object, c as object))).toMatchObject({ source: before, restored: ['Task "a" had been removed and was put back.'] });
    const extra = ["d", "e"].map((id) => ({ id, title: id, passes: false }));
    const grown = result(prd(extra[0] as object, a as object, b as object, c as object, extra[1] as object));
    expect(tasksOf(grown.source, "prd.json")).toEqual(["open d", "open a", "open b", "open c"]);
    expect(grown.restored).toEqual(['At most 1 tasks may be added in one iteration; left out: "e".']);
  });

  it.each<[string, string[], string[]]>([
    ["before all others", ["x", "a"], ["a"]],
    ["before all others, two of them", ["x", "y", "a"], ["a"]],
    ["between others and behind them", ["a", "x", "b", "y"], ["a", "b"]],
    ["where there were none", ["x", "y"], []],
  ])("with stories too many, %s, loses just those and stays JSON", (_name, ids, left) => {
    const stories = (names: string[]) => prd(...names.map((id) => ({ id, title: id, passes: true })));
    const fixed = new Set(left);
    const result = reconcilePlan({ before: stories(left), after: stories(ids), path: "prd.json", sections: null, fixed, maxAdded: 0 });
    expect(JSON.parse(result.source)).toEqual(JSON.parse(stories(left)));
    expect(result.restored).toHaveLength(1);
  });

  it("on one line takes new stories on that line", () => {
    const story = (id: string) => ({ id, title: id });
    const before = prd(story("first thing"), story("other"));
    const result = reconcilePlan({
      before,
      after: prd(story("other"), story("new")),
      path: "prd.json",
      sections: null,
      fixed: new Set(["first-thing"]),
      maxAdded: 1,
    });
    expect(result.source).toBe(`${before.slice(0, -2)}, ${JSON.stringify(story("new"))}]}`);
  });

  it("nested beyond all sense is damage, not a crash", () => {
    expect(readJson("[".repeat(300))).toEqual({ kind: "fault", offset: 201, message: "nested too deeply" });
    expect(readJson("{1: 2}")).toEqual({ kind: "fault", offset: 1, message: "a key in double quotes is expected, not `1`" });
    expect(readJson('{"a" 1}')).toMatchObject({ kind: "fault", message: "`:` is expected, not `1`" });
    expect(readJson('{"a"')).toMatchObject({ kind: "fault", message: "`:` is expected, not the end of the file" });
    const scalar = readJson("1");
    expect(scalar.kind === "value" && memberOf(scalar.node, "a")).toBeUndefined();
  });
});

describe("a tick", () => {
  // Offsets of another text would write into the middle of a word.
  it("is refused for a text that the plan was not read from", () => {
    const box = planOf("- [ ] a\n");
    expect(() => setTick("- a longer text\n", box, "a", true)).toThrow("the plan is not a reading of this source: a");
    const story = planOf('{"userStories":[{"id":"a","title":"a"}]}', "prd.json");
    for (const other of ['{"userStories":[{"id":"b","title":"b"}]}', "{"]) {
      expect(() => setTick(other, story, "a", true)).toThrow("the plan is not a reading of this source: a");
    }
  });
});

describe("the next task", () => {
  const next = (source: string, parked: string[] = []): string | null => pickTask(planOf(source), new Set(parked))?.id ?? null;
  it.each<[string, string, string[], string | null]>([
    ["is the first of the lowest group", "- [ ] a\n- [ ] b <!-- group: 2 -->\n- [ ] c <!-- group: 1 -->\n- [ ] d <!-- group: 1 -->\n", [], "c"],
    ["is the first where there are no groups", "- [x] a\n- [ ] b\n- [ ] c\n", [], "b"],
    ["is a child before its parent, in its parent's group", "- [ ] a\n- [ ] b <!-- group: 1 -->\n  - [ ] c\n", [], "c"],
    ["is no parent of what is parked", "- [ ] a\n  - [ ] b\n- [ ] c\n", ["b"], "c"],
    ["is none when all are parked", "- [ ] a\n", ["a"], null],
  ])("%s", (_name, source, parked, id) => expect(next(source, parked)).toBe(id));
});

describe("another tool's plan", () => {
  const bodyOf = (source: string, name: string): string => {
    const plan = importPlan(source, name);
    return plan.kind === "plan" ? plan.body : plan.why;
  };

  it("keeps what stands in fences, of either kind, as it is", () => {
    expect(bodyOf("- a\n\n~~~\n- b\n```\n- c\n~~~\n- d\n", "TODO.md")).toBe("- [ ] a\n\n~~~\n- b\n```\n- c\n~~~\n- [ ] d\n");
  });

  it("without a title, a description or front matter gets none that it didn't have", () => {
    expect(bodyOf('{"userStories":[{"description":"do it"}]}', "prd.json")).toBe("# Plan\n\n## Tasks\n\n- [ ] do it\n");
    expect(bodyOf('{"project":"P","description":"why","userStories":[{"title":"t","description":"d"}]}', "prd.json")).toBe(
      "# P\n\nwhy\n\n## Tasks\n\n- [ ] t\n  * d\n",
    );
    const task = (head: string): unknown => importPlan(`${head}- [ ] a\n`, "RALPH_TASK.md");
    expect(task("")).toMatchObject({ body: "- [ ] a\n", notes: [] });
    expect(task("---\ntask: 7\n---\n")).toMatchObject({ body: "- [ ] a\n", notes: [] });
  });
});

it("a task as long as several is named before a night is spent on it", () => {
  const gate = {
    kind: "file",
    name: "g",
    file: "a",
    matches: "b",
    required: true,
    scope: "plan",
    when: "claim",
    timeoutMs: 1,
    retries: 0,
    baseline: "require",
  };
  const notes = (length: number): string[] => weaknesses(planOf(`- [ ] ${"x".repeat(length)}\n`), [gate as GateSpec]);
  expect(notes(300)).toEqual([]);
  expect(notes(301)).toEqual(["line 1: a task of 301 characters is rather several"]);
});
