/** Plans of other tools, read as they are. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson } from "../../../src/core/plan/json-source.js";
import { planOf, problemsOf, tasksOf, warningsOf } from "./read.js";

describe("RALPH_TASK.md", () => {
  it("carries its test command as a gate", () => {
    const plan = planOf('---\ntask: build it\ntest_command: "npm test"\n---\n# Criteria\n1. [ ] a\n2. [x] b\n', "docs/RALPH_TASK.md");
    expect(plan).toMatchObject({ format: "ralph_task", impliedGates: [{ name: "tests", run: "npm test" }] });
    expect(plan.tasks.map(({ state }) => state)).toEqual(["open", "done"]);
  });

  it("needs no test command", () => {
    expect(planOf("- [ ] a", "RALPH_TASK.md")).toMatchObject({ format: "ralph_task", impliedGates: [], frontMatter: null });
  });
});

describe("prd.json", () => {
  const prd = (stories: string) => `{\n  "project": "x",\n  "userStories": [\n${stories}\n  ]\n}\n`;

  it("reads stories as tasks, in the order of their priority", () => {
    const source = prd(
      '    {"id": "US-001", "title": "Add a", "priority": 2, "passes": false},\n    {"id": "US-002", "title": "(manual) b", "priority": 1},\n    {"id": "US-003", "title": "c", "passes": true}',
    );
    const plan = planOf(source, "scripts/prd.json");
    expect(plan.format).toBe("prd_json");
    expect(plan.tasks.map(({ id, text, state, line, group, markOffset }) => [id, text, state, line, group, markOffset])).toEqual([
      ["US-001", "Add a", "open", 4, 2, -1],
      ["US-002", "b", "manual", 5, 1, -1],
      ["US-003", "c", "done", 6, null, -1],
    ]);
  });

  it("TP-18 a byte-order mark is no fault", () => {
    expect(tasksOf(`\uFEFF${prd('{"id": "1", "title": "a"}')}`, "prd.json")).toEqual(["open a"]);
  });

  it.each([
    ["a missing comma", prd('    {"id": "1"}\n    {"id": "2"}'), 5, 5, "`,` or `]` is expected"],
    ["two objects joined", '{"userStories": []}{"userStories": []}', 1, 20, "follows the end"],
    ["a trailing comma", prd('    {"id": "1",}'), 4, 16, "a value is expected"],
    ["a cut file", '{"userStories": [\n  {"id": "1', 2, 10, "a value is expected"],
    ["an empty file", "", 1, 1, "the file ends too early"],
    ["no list", '{"userStories": {}}', 1, 17, "must be a list"],
    ["a story that is no object", '{"userStories": [1]}', 1, 18, "must be an object"],
  ])("TP-24 %s is invalid and has a line and a column", (_, source, line, column, message) => {
    expect(problemsOf(source, "prd.json")).toEqual([{ line, column, message: expect.stringContaining(message) }]);
  });

  it("never takes another value for passed", () => {
    const source = '{"userStories": [{"id": "1", "title": "a", "passes": "true"}, {}]}';
    expect(tasksOf(source, "prd.json")).toEqual(["open a"]);
    expect(warningsOf(source, "prd.json")).toHaveLength(2);
  });

  it("accepts exactly what JSON.parse accepts, and knows each value's place", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom("", ",", "}", '"', "1", "\n"), (json, at, noise) => {
        const cut = at % (json.length + 1);
        const text = json.slice(0, cut) + noise + json.slice(cut);
        const reading = readJson(text);
        expect(reading.kind === "value").toBe(isJson(text));
        if (reading.kind === "value") expect(JSON.parse(text.slice(reading.node.start, reading.node.end))).toEqual(JSON.parse(text));
      }),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // the answer that was asked for
  }
}

describe("plans of task headings", () => {
  const source = [
    "# Plan",
    "## Overview",
    "- [ ] not a task",
    "## Validation Commands",
    "- `npm test`",
    "- `npm run lint` must be clean",
    "- everything is fine",
    "```sh",
    "$ cd api",
    "npm run build",
    "```",
    "### Task 1: First",
    "- [x] a",
    "#### Details",
    "- [ ] b",
    "### Task 2: Second",
    "Only prose.",
    "## Success criteria",
    "- [ ] also not",
    "",
  ].join("\n");

  it("have the boxes of their sections as tasks, and nothing else", () => {
    expect(planOf(source).format).toBe("task_headings");
    expect(tasksOf(source)).toEqual(["done a", "open b", "other Task 2: Second"]);
  });

  it("show a section without a box as neither open nor done, and say how to mend it", () => {
    expect(planOf(source).tasks[2]).toMatchObject({ markOffset: -1, mark: "", line: 16 });
    expect(warningsOf(source)).toEqual([
      "3: 2 check boxes are outside the `Task` sections and not counted",
      "7: not read as a command: put it in backticks: everything is fine",
      '16: "Task 2: Second" has no check box, so it can never be done: add one like `- [ ] what to do` below it',
    ]);
  });

  it("bring their validation commands as gates", () => {
    expect(planOf(source).impliedGates).toEqual([
      { name: "validation-1", run: "npm test" },
      { name: "validation-2", run: "npm run lint" },
      { name: "validation-3", run: "set -e\ncd api\nnpm run build" },
    ]);
    expect(planOf("## Validation Commands\n- `npm test`\n## Tasks\n- [ ] a\n").impliedGates).toEqual([]);
  });
});

describe("plain files", () => {
  it.each(["fix_plan.md", "IMPLEMENTATION_PLAN.md", "PROMPT.md"])("%s with boxes is a plan like any other", (path) => {
    expect(planOf("# x\n- [ ] a", path)).toMatchObject({ format: "markdown", objective: null, tasks: [{ text: "a" }] });
  });

  it("PROMPT.md without boxes is an objective", () => {
    expect(planOf("\uFEFF---\na: 1\n---\n\nMake it fast.\n\n```\n- [ ] x\n```\n", "PROMPT.md")).toMatchObject({
      format: "prompt",
      tasks: [],
      objective: "Make it fast.\n\n```\n- [ ] x\n```",
    });
    expect(planOf("  \n", "PROMPT.md").objective).toBeNull();
    expect(planOf("Make it fast.", "PLAN.md")).toMatchObject({ format: "markdown", objective: null });
  });
});
