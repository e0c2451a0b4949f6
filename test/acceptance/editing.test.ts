/** A person edits plan and guardrails while a run is on. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, ofType, type Running, type Scratch, scratch, until } from "./harness.js";

const PLAN = `---
gates:
  - name: extra
    run: test -e README.md
    for: tasks
---
- [ ] one
- [ ] two
`;
const HOLD = "touch ../up-$n; while [ ! -e ../go-$n ]; do sleep 0.05; done; work; tick";

/** Paused after the first iteration: nothing but the person works now. */
async function between(
  plan = PLAN,
  more: Record<string, string> = {},
  body = HOLD,
  committed: Record<string, string> = {},
): Promise<{ place: Scratch; running: Running }> {
  const place = scratch({ "PLAN.md": plan, ...more }, committed);
  const running = place.start(["run", "--trust", ...agent(place, body)]);
  await until(() => place.has("../up-1"));
  await place.run(["pause"]);
  place.put("../go-1", "");
  await until(() => ofType(place.journal(), "iteration.ended").length === 1);
  return { place, running };
}

async function goOn(place: Scratch, running: Running, iterations: number): Promise<number | null> {
  for (let n = 2; n <= iterations; n++) place.put(`../go-${n}`, "");
  await place.run(["resume"]);
  return (await running.ended).code;
}

describe("edits between iterations", () => {
  it("takes up a new task of a person with the gate that it names", async () => {
    const { place, running } = await between(PLAN.replace("README.md", "extra.txt"), {}, `${HOLD}; if [ $n = 4 ]; then echo x > extra.txt; fi`);
    place.put("PLAN.md", `${place.read("PLAN.md")}- [ ] three <!-- gate: extra -->\n- [ ] four <!-- gate: nowhere -->\n`);
    expect(await goOn(place, running, 6)).toBe(0);
    expect(ofType(place.journal(), "task.added")).toMatchObject([{ task: { id: "three", gates: ["extra"] } }, { task: { id: "four", gates: [] } }]);
    expect(ofType(place.journal(), "task.unticked")).toMatchObject([{ task: "three", gate: "extra" }]);
    expect(ofType(place.journal(), "task.proved")).toMatchObject([{ task: "three", gates: ["extra"] }]);
    expect(ofType(place.journal(), "plan.edited")[0]?.what.join("; ")).toMatch(/new task "three".*new task "four".*gate nowhere is not one of this run/);
  });

  it("puts frozen front matter back, keeps the person's version as a patch, and blames no agent", async () => {
    const { place, running } = await between();
    place.put("PLAN.md", place.read("PLAN.md").replace("test -e README.md", "true").replace("two", "two\n- [ ] three"));
    expect(await goOn(place, running, 3)).toBe(0);
    expect(place.read("PLAN.md")).toContain("run: test -e README.md");
    expect(place.read("PLAN.md")).toContain("- [x] three");
    const [edited] = ofType(place.journal(), "plan.edited");
    expect(edited?.what.join("; ")).toMatch(/front matter of the plan is frozen.*ralphd budget.*new task "three"/);
    expect(readFileSync(join(place.runDir(), edited?.keptAs ?? ""), "utf8")).toMatch(/-\s+run: test -e README\.md\n\+\s+run: true/);
    expect(ofType(place.journal(), "plan.restored")).toEqual([]);
    expect(place.read(".ralph/state/report.md")).toContain(edited?.keptAs ?? "never");
  });

  it("keeps a person's edits of frozen files as patches, goes on with what it began with, and blames no agent", async () => {
    const ci = ".github/workflows/ci.yml";
    const { place, running } = await between(PLAN, { ".ralph/config.yaml": "limits: { iterations: 9 }\n" }, HOLD, { [ci]: "on: push\n" });
    place.put(".ralph/config.yaml", "limits: { iterations: 90 }\n");
    place.put(".ralph/prompts/rules.md", "Be quick.\n");
    place.put(ci, "on: never\n");
    place.git("config", "core.editor", "mine");
    expect(await goOn(place, running, 2)).toBe(0);
    expect([place.read(".ralph/config.yaml"), place.read(ci), place.has(".ralph/prompts/rules.md")]).toEqual([
      "limits: { iterations: 9 }\n",
      "on: push\n",
      false,
    ]);
    const edited = ofType(place.journal(), "plan.edited");
    expect(edited.map(({ what }) => what[0]).join("\n")).toMatch(
      /ci\.yml was changed.*while no agent ran[\s\S]*config\.yaml was changed[\s\S]*rules\.md was added[\s\S]*\.git\/config was changed/,
    );
    const kept = edited.map(({ keptAs }) => readFileSync(join(place.runDir(), keptAs ?? ""), "utf8"));
    expect(kept.slice(0, 2).join("\n")).toMatch(/-on: push\n\+on: never[\s\S]*\+limits: \{ iterations: 90 \}/);
    expect(kept.slice(2)).toEqual(["Be quick.\n", expect.stringContaining("editor = mine")]);
    expect(ofType(place.journal(), "path.restored")).toEqual([]);
    expect(ofType(place.journal(), "brake.hit")).toEqual([]);
    expect(place.read(".ralph/state/report.md")).toContain(edited[0]?.keptAs ?? "never");
  });

  it("restores the last good plan when the new one can't be read, and keeps the broken one", async () => {
    const { place, running } = await between();
    const broken = `${place.read("PLAN.md")}\n\`\`\`\n- [ ] three\n`;
    place.put("PLAN.md", broken);
    expect(await goOn(place, running, 2)).toBe(0);
    const [edited] = ofType(place.journal(), "plan.edited");
    expect(edited?.what[0]).toMatch(/PLAN\.md can't be read in line \d+, column \d+: .*last good version stands again/);
    expect(readFileSync(join(place.runDir(), edited?.keptAs ?? ""), "utf8")).toBe(broken);
    expect(place.read("PLAN.md")).toContain("- [x] two");
  });

  it("counts guardrails as a person left them, approved ones too", async () => {
    const sign = "---\ntrigger: adding an import\nadded_after: iteration 1 of run 20260101-0000\nstatus: approved\n---\nLook first.\n";
    const { place, running } = await between(PLAN, { ".ralph/guardrails/imports.md": sign });
    place.put(".ralph/guardrails/imports.md", sign.replace("Look first.", "Look twice."));
    expect(await goOn(place, running, 2)).toBe(0);
    expect(place.prompt(2)).toContain("Look twice.");
    expect(place.read(".ralph/guardrails/imports.md")).toContain("Look twice.");
    expect(ofType(place.journal(), "path.restored")).toEqual([]);
  });
});

describe("edits during an iteration", () => {
  it("FW-04 names a broken plan at once, and gives what an agent adds no powers", async () => {
    const add = "printf -- '- [ ] three <!-- gate: extra --> <!-- edits: ** -->\\n' >> PLAN.md";
    const place = scratch({ "PLAN.md": PLAN });
    const running = place.start(["run", "--trust", ...agent(place, `${HOLD}; if [ $n = 1 ]; then ${add}; fi`)]);
    await until(() => place.has("../up-1"));
    const good = place.read("PLAN.md");
    // As editors save: a new file takes the place of the old one, more than once.
    for (const text of [`${good}- [ ] four\n`, `${good}\n\`\`\`\n`]) {
      place.put("../saved", text);
      place.git("-c", "alias.swap=!mv ../saved PLAN.md", "swap");
    }
    await until(() => ofType(place.journal(), "warning").length > 0);
    expect(ofType(place.journal(), "warning")[0]?.message).toMatch(/^PLAN\.md:\d+:\d+: .*last good version of the plan counts/);
    expect(ofType(place.journal(), "agent.ended")).toEqual([]);
    place.put("PLAN.md", good);
    for (const n of [1, 2, 3]) place.put(`../go-${n}`, "");
    expect((await running.ended).code).toBe(0);
    expect(ofType(place.journal(), "task.added")).toMatchObject([{ task: { id: "three", gates: [], edits: [] } }]);
    expect(readdirSync(place.runDir())).not.toContain("edits");
  });
});
