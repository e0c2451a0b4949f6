/** What agents do to plans, and what a run makes of it. */
import { describe, expect, it } from "vitest";
import { agent, ofType, scratch } from "./harness.js";

describe("plan", () => {
  it("TP-20 parks a task that is worked on for ever and never ticked, and ends needing a person", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n- [ ] two\n- [ ] three\n", ".ralph/config.yaml": "brakes: { attempts: 1 }\n" });
    const ran = await place.run(["run", ...agent(place, "work")]);
    expect(ran.code).toBe(4);
    const parked = ofType(place.journal(), "task.parked").map((event) => event.task);
    expect(parked).toEqual(["one", "two", "three"]);
    const status = await place.status();
    expect(status).toMatchObject({ status: "escalated", reason: "needs_human", tasks: { open: 0, done: 0, blocked: 3 } });
    expect(status.iteration).toBeLessThanOrEqual(6);
    expect(ran.stdout).toMatch(/one.*Tried/s);
  });

  it("TP-21 finds a plan that the agent moved away, with its ticks", async () => {
    const place = scratch({ "PLAN.md": "# Plan\n\n- [ ] one\n- [ ] two\n" });
    const fake = agent(place, "tick\n[ $n = 1 ] && mkdir -p docs/done && git mv -f PLAN.md docs/done/20260101-plan.md\nwork");
    const ran = await place.run(["run", "--gate", "true", ...fake]);
    expect(ran.code).toBe(0);
    expect(place.read("PLAN.md")).toBe("# Plan\n\n- [x] one\n- [x] two\n");
    expect((await place.status()).iteration).toBe(2);
    expect(ofType(place.journal(), "plan.restored")[0]?.what.join()).toMatch(/moved/);
  });

  it.each(["rm -f PLAN.md", "ln -sf README.md PLAN.md"])("TP-22 restores a plan after `%s`, and never takes it for done", async (attack) => {
    const place = scratch({ "PLAN.md": "- [ ] one\n" });
    const ran = await place.run(["run", "-n", "4", ...agent(place, `work; ${attack}`)]);
    expect(ran.code).toBe(3);
    expect(place.read("PLAN.md")).toBe("- [ ] one\n");
    expect(place.git("show", "HEAD:PLAN.md")).toBe("- [ ] one");
    expect(place.read("README.md")).toBe("readme\n");
  });

  it("TP-24 keeps the last good prd.json when the agent breaks it, and tells the next one where", async () => {
    const prd = {
      userStories: [
        { id: "US-1", title: "one", passes: false },
        { id: "US-2", title: "two", passes: false },
      ],
    };
    const place = scratch({ "prd.json": `${JSON.stringify(prd, null, 2)}\n` });
    const fake = agent(
      place,
      `work
case $n in
1) sed -i 's/"passes": false/"passes" false/' prd.json ;;
2) cat prd.json prd.json > ../two && cp ../two prd.json ;;
*) sed -i '0,/"passes": false/s//"passes": true/' prd.json ;;
esac`,
    );
    const ran = await place.run(["run", ...fake]);
    expect(ran.code).toBe(0);
    expect(JSON.parse(place.read("prd.json"))).toMatchObject({ userStories: [{ passes: true }, { passes: true }] });
    const restored = ofType(place.journal(), "plan.restored");
    expect(restored.map((event) => event.iteration)).toEqual([1, 2]);
    expect(place.prompt(2)).toMatch(/line \d+/);
  });

  it("TP-25 stops for a person when only manual tasks remain, without spawning for them", async () => {
    const place = scratch({ "PLAN.md": "- [ ] (manual) check in production\n- [ ] code\n" });
    const ran = await place.run(["run", ...agent(place, "echo spawned >> ../spawned; sed -i 's/- \\[ \\] code/- [x] code/' PLAN.md; work")]);
    expect(ran.code).toBe(4);
    expect(place.read("../spawned")).toBe("spawned\n");
    expect(await place.status()).toMatchObject({ reason: "needs_human", tasks: { open: 0, done: 1, manual: 1 } });
  });

  it("TP-04 TP-16 counts only the configured sections, and says which boxes it left out", async () => {
    const plan = "## Tasks\n- [x] a\n- [x]\n\n## Success criteria\n- [ ] manual check\n";
    const place = scratch({ "PLAN.md": plan, ".ralph/config.yaml": "taskSections: [Tasks]\n" });
    const ran = await place.run(["run", ...agent(place, "touch ../spawned")]);
    expect(ran.code).toBe(0);
    expect(place.has("../spawned")).toBe(false);
    expect(ran.stderr).toMatch(/PLAN\.md:6.*outside the sections Tasks/);
    expect(ran.stderr).toMatch(/PLAN\.md:3/);
    place.put("PLAN.md", "- [x]\n");
    expect((await place.run(["run", ...agent(place, "true")])).code).toBe(2);
  });

  it("TP-11 TP-12 TP-18 unticks one byte of a plan with CRLF and a byte-order mark", async () => {
    const plan = "\uFEFF---\r\ngates:\r\n  - { name: never, run: 'false', for: tasks }\r\n---\r\n* [ ] one <!-- gate: never -->\r\n1. [ ] two";
    const place = scratch({ "PLAN.md": plan });
    const ran = await place.run(["run", "--trust", "-n", "1", ...agent(place, "sed -i 's/\\[ \\] one/[x] one/' PLAN.md; work")]);
    expect(ran.code).toBe(3);
    expect(place.read("PLAN.md")).toBe(plan);
    const [unticked] = ofType(place.journal(), "task.unticked");
    expect(unticked).toMatchObject({ task: "one", gate: "never" });
    expect((await place.status()).tasks).toMatchObject({ open: 2, done: 0 });
  });

  it("restores tasks that the agent removed, reworded or reordered, takes at most five new ones, and gives those no gates", async () => {
    const plan = "---\ngates:\n  - { name: strict, run: 'test -e ok', for: tasks }\n---\n- [ ] one <!-- gate: strict -->\n- [ ] two\n- [ ] three\n";
    const place = scratch({ "PLAN.md": plan });
    const fake = agent(
      place,
      `work
if [ $n = 1 ]; then
  { sed -n 1,4p PLAN.md; echo '- [x] three'; echo '- [x] one easier'; for i in 1 2 3 4 5 6 7; do echo "- [ ] new $i <!-- gate: strict -->"; done; } > ../p && cp ../p PLAN.md
else touch ok; sed -i 's/- \\[ \\]/- [x]/' PLAN.md; fi`,
    );
    const ran = await place.run(["run", "--trust", ...fake]);
    expect(ran.code).toBe(0);
    const after = place.git("show", "HEAD~1:PLAN.md");
    expect(after).toMatch(/- \[ \] one <!-- gate: strict -->\n- \[ \] two\n- \[x\] three/);
    expect(ofType(place.journal(), "task.added").map((event) => event.task)).toHaveLength(5);
    expect(ofType(place.journal(), "task.added").flatMap((event) => event.task.gates)).toEqual([]);
    expect((await place.status()).tasks).toMatchObject({ open: 0, done: 8 });
    expect(ofType(place.journal(), "plan.restored")[0]?.what.length).toBeGreaterThan(2);
  });
});

describe("plans of other tools", () => {
  it("reads RALPH_TASK.md with its test command as a gate", async () => {
    const place = scratch({ "RALPH_TASK.md": '---\ntask: Do it\ntest_command: "test -e work-2.txt"\n---\n\n1. [ ] one\n2. [ ] two\n' });
    const ran = await place.run(["run", "--trust", ...agent(place, "work; sed -i '0,/\\[ \\]/s//[x]/' RALPH_TASK.md")]);
    expect(ran.code).toBe(0);
    expect(await place.status()).toMatchObject({ verified: true, iteration: 2, gates: [{ verdict: "pass" }] });
  });

  it("reads `### Task N:` plans with validation commands", async () => {
    const plan = "# Plan\n\n## Validation Commands\n- `test -e work-1.txt`\n\n### Task 1: First\n- [ ] a\n- [ ] b\n\n### Task 2: Second\n- [ ] c\n";
    const place = scratch({ "IMPLEMENTATION_PLAN.md": plan });
    const ran = await place.run(["run", "--trust", ...agent(place, "work; sed -i 's/\\[ \\]/[x]/' IMPLEMENTATION_PLAN.md")]);
    expect(ran.code).toBe(0);
    const status = await place.status();
    expect(status.verified).toBe(true);
    expect(status.gates).toHaveLength(1);
  });

  it("reads PROMPT.md without tasks: only marker, gates and brakes end it", async () => {
    const place = scratch({ "PROMPT.md": "Make it good, then stop.\n" });
    const ran = await place.run([
      "run",
      "--gate",
      "test -e work-2.txt",
      ...agent(place, "work; [ $n = 2 ] && echo '<promise>COMPLETE</promise>' || echo more"),
    ]);
    expect(ran.code).toBe(0);
    expect(place.prompt(1)).toContain("Make it good, then stop.");
    expect(await place.status()).toMatchObject({ reason: "marker", verified: true, iteration: 2 });
  });
});
