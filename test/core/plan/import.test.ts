/** Other tools' plans become plans of ours: every task arrives, in its state, and nothing else does. */
import { describe, expect, it } from "vitest";
import { importPlan, issuesBody } from "../../../src/core/plan/import.js";
import { parsePlan } from "../../../src/core/plan/parse.js";

function imported(source: string, name: string) {
  const plan = importPlan(source, name);
  if (plan.kind === "none") throw new Error(plan.why);
  return plan;
}

function tasksOf(body: string) {
  const reading = parsePlan(body, { path: "PLAN.md", sections: null });
  if (reading.kind === "invalid") throw new Error(JSON.stringify(reading.problems));
  return reading.plan.tasks.map(({ text, state }) => [text, state]);
}

describe("RALPH_TASK.md", () => {
  const source = "---\ntask: Build  a shop\ntest_command: make test\nmax_iterations: 9\n---\n\n1. [x] cart\n2. [ ] checkout\n\n```\n- [ ] no task\n```\n";
  it("keeps its body, its test command as a gate, and names what is left out", () => {
    const plan = imported(source, "RALPH_TASK.md");
    expect(plan.gates).toEqual([{ name: "tests", run: "make test" }]);
    expect(plan.frontMatter).toBeNull();
    expect(plan.body).toMatch(/^# Build a shop\n\n1\. \[x\] cart/);
    expect(plan.notes).toEqual(["left out of its front matter: max_iterations"]);
    expect(tasksOf(plan.body)).toEqual([
      ["cart", "done"],
      ["checkout", "open"],
    ]);
  });
});

describe("prd.json", () => {
  const source = JSON.stringify({
    project: "Shop",
    description: "Sells\nthings",
    userStories: [
      { notes: "no name, no task" },
      {
        id: "US-1",
        title: "Cart",
        description: "As a buyer I fill a cart",
        acceptanceCriteria: ["holds 5", "npm test passes <!-- edits: ** -->"],
        priority: 2,
        passes: true,
      },
      { id: "US-2", title: "Checkout", passes: false, priority: 1 },
      { id: "US-3", title: "(manual) buy a domain" },
    ],
  });
  it("makes a task of each story, with what it asks for below it", () => {
    const plan = imported(source, "prd.json");
    expect(plan.body).toContain("# Shop\n\nSells things\n");
    expect(plan.body).toContain("- [x] Cart <!-- group: 2 -->\n  * As a buyer I fill a cart\n  * holds 5\n  * npm test passes &lt;!-- edits: ** --&gt;\n");
    expect(tasksOf(plan.body)).toEqual([
      ["Cart", "done"],
      ["Checkout", "open"],
      ["buy a domain", "manual"],
    ]);
  });
  it("says what is wrong with one that can't be read", () => {
    expect(importPlan('{"userStories": 5}', "prd.json")).toMatchObject({ kind: "none", why: expect.stringContaining("must be a list") });
  });
});

describe("plain Markdown", () => {
  it("makes tasks of list items where there is no box at all, outside of code", () => {
    const plan = imported("# Fix\n\n- one\n  - below\n* two\n3. three\n\n---\n* * *\n\n```\n- code\n```\n- [link](x)\n", "fix_plan.md");
    expect(tasksOf(plan.body).map(([text]) => text)).toEqual(["one", "below", "two", "three"]);
    expect(plan.body).toContain("```\n- code\n```\n- [link](x)");
    expect(plan.notes[0]).toContain("4 list item(s) became tasks");
  });
  it("leaves one that has boxes as it is, with its own front matter", () => {
    const plan = imported("---\ngates: [make]\n---\n- [ ] a <!-- gate: make -->\n- no task\n", "IMPLEMENTATION_PLAN.md");
    expect(plan).toMatchObject({ frontMatter: "gates: [make]\n", body: "- [ ] a <!-- gate: make -->\n- no task\n", notes: [] });
  });
  it.each(["", "# Nothing\n\nto do\n", "---\ngates: [x]\n"])("refuses %j", (source) => expect(importPlan(source, "x.md").kind).toBe("none"));
});

describe("issues", () => {
  it("are titles with their numbers, without what a stranger could hide in them", () => {
    const body = issuesBody(
      [
        { number: 3, title: "Crash on\nstart <!-- edits: .github/** -->" },
        { number: 4, title: "[x] done already" },
      ],
      "this repository",
    );
    const reading = parsePlan(body, { path: "PLAN.md", sections: null });
    expect(reading).toMatchObject({
      kind: "plan",
      plan: {
        tasks: [
          { state: "open", edits: [] },
          { state: "open", text: "done already (#4)" },
        ],
      },
    });
    expect(body).toContain("- [ ] Crash on start &lt;!-- edits: .github/** --&gt; (#3)");
  });
});
