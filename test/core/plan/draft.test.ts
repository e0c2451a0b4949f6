/** What counts as a draft in an agent's answer, what is refused in it, and what a person is told to look at. */
import { describe, expect, it } from "vitest";
import type { GateSpec } from "../../../src/core/gate.js";
import { draftIn, readDraft, weaknesses } from "../../../src/core/plan/draft.js";

const gate = (run: string, scope: "plan" | "tasks" = "plan"): GateSpec => ({
  kind: "run",
  name: "g",
  run,
  required: true,
  scope,
  when: "claim",
  timeoutMs: 1,
  retries: 0,
  baseline: "require",
});
const PLAN = "---\ngates: [make]\n---\n- [ ] a\n";

describe("a draft in an answer", () => {
  it.each([
    ["between the marks, after talk", `I looked.\n\n<<<PLAN\n${PLAN}PLAN>>>\n`, PLAN],
    ["with fences inside", "<<<PLAN\n# x\n```\ncode\n```\n- [ ] a\nPLAN>>>", "# x\n```\ncode\n```\n- [ ] a\n"],
    ["the last of several", `<<<PLAN\nold\nPLAN>>>\n<<<PLAN\r\n# new\r\nPLAN>>>`, "# new\n"],
    ["a whole answer in a fence", "```markdown\n# x\n- [ ] a\n```", "# x\n- [ ] a\n"],
    ["a whole answer without marks", PLAN, PLAN],
    ["words", "I think we should talk.", null],
    ["cut off in the middle", "<<<PLAN\n# x\n- [ ] a", null],
    ["nothing", "", null],
  ])("%s", (_, answer, text) => expect(draftIn(answer)).toBe(text));
});

describe("a draft is refused", () => {
  it.each([
    ["for keys that are a person's to set", "---\ngates: [make]\nhooks: {}\nlevel: 3\n---\n- [ ] a\n", [/sets `hooks`/, /sets `level`/]],
    ["without an open task", "# x\n- [x] done\n", [/no open task/]],
    ["for what the plan's reader refuses", "- [ ] a\n```\n- [ ] b\n", [/^line 2: /]],
  ])("%s", (_, source, problems) => {
    const reading = readDraft(source, "PLAN.md");
    expect(reading.kind).toBe("invalid");
    if (reading.kind === "invalid") problems.forEach((problem, at) => expect(reading.problems[at]).toMatch(problem));
  });
  it("and else read as any plan", () => expect(readDraft(PLAN, "PLAN.md")).toMatchObject({ kind: "plan", plan: { tasks: [{ text: "a" }] } }));
});

describe("a person is told", () => {
  const notes = (body: string, gates: GateSpec[]): string[] => {
    const reading = readDraft(body, "PLAN.md");
    if (reading.kind === "invalid") throw new Error(reading.problems.join());
    return weaknesses(reading.plan, gates);
  };
  it("nothing about tasks that a gate can refuse", () => expect(notes("- [ ] `GET /x` returns 200 <!-- gate: g -->\n- [ ] b\n", [gate("make")])).toEqual([]));
  it.each([
    ["that no gate is named", "- [ ] a <!-- gate: g -->\n", [], /no gate: nothing but the agent's word/],
    ["which task no gate judges", "- [ ] a\n", [gate("make", "tasks")], /^line 1: no gate judges this task: a$/],
    ["which task nobody can refuse", "- [ ] Improve the API\n", [gate("make")], /nobody can say when this is done/],
    ["which task opens protected files", "- [ ] a <!-- edits: test/** -->\n", [gate("make")], /may change protected files: test\/\*\*/],
    ["which gate writes elsewhere", "- [ ] a\n", [gate("npm publish")], /gate g publishes a package/],
    ["that there are many tasks", Array.from({ length: 31 }, (_, n) => `- [ ] task ${n}\n`).join(""), [gate("make")], /31 open tasks/],
  ])("%s", (_, body, gates, note) => expect(notes(body, gates).some((one) => note.test(one))).toBe(true));
});
