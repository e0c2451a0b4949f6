/** A run beside people, limits and kills: what others do is noticed, and what was done is counted. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, at, ofType, scratch, until, write } from "./harness.js";

const TWO = { "PLAN.md": "- [ ] one\n- [ ] two\n" };
const say = (value: object): string => `printf '%s\\n' '${JSON.stringify(value)}'`;
const finished = say({ type: "finished", ok: true, text: "ok" });

describe("company", () => {
  it("CC-04 a person's commit and edit between iterations are named, kept, and not credited to the agent", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n- [ ] two\n", ".ralph/config.yaml": "backoff: { first: 1500ms, max: 1500ms }\n" });
    const fake = agent(
      place,
      "[ $n = 1 ] && { work; echo '<ralph>WAIT: for a person</ralph>'; exit 0; }\n[ $n = 2 ] && { echo '<ralph>WAIT: for a person</ralph>'; exit 0; }\nwork; tick",
    );
    const running = place.start(["run", ...fake]);
    await until(() => ofType(place.journal(), "wait.started").length > 0);
    place.put("theirs.txt", "by a person\n");
    place.git("add", "theirs.txt");
    place.git("commit", "-q", "-m", "a person's commit");
    place.put("README.md", "edited by a person\n");
    expect((await running.ended).code).toBe(0);
    const moved = ofType(place.journal(), "repo.moved")
      .map((event) => event.what)
      .join("\n");
    expect(moved).toMatch(/HEAD moved/);
    expect(moved).toMatch(/README\.md/);
    expect(place.git("log", "--format=%s", "main..HEAD")).toContain("a person's commit");
    expect(place.git("show", "HEAD:README.md")).toBe("edited by a person");
    expect(ofType(place.journal(), "iteration.ended").filter((event) => event.class === "progress").length).toBeLessThanOrEqual(3);
  });

  it("WT-02 the end names the branch that holds the work and how to take it, for a run that is not done, too", async () => {
    const place = scratch(TWO);
    const ran = await place.run(["run", "-n", "1", ...agent(place, "work; tick; git branch side")]);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toMatch(/git merge --no-ff ralph\/plan/);
    expect(place.read(".ralph/state/report.md")).toContain("ralph/plan");
  });

  it("WT-03 a plan that git ignores works, also in a worktree, and what is missing there is said", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n", ".env": "KEY=1\n" }, { ".gitignore": "PLAN.md\n.env\n" });
    const ran = await place.run(["run", "--worktree", ...agent(place, "work; tick")]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/\.env/);
    const [, path = ""] = /worktree (\S+)\./.exec(ran.stderr) ?? [];
    expect(await at(path, place.home).status()).toMatchObject({ status: "done", tasks: { done: 1, open: 0 } });
    expect(place.read("PLAN.md")).toBe("- [ ] one\n");
    const here = scratch({ "PLAN.md": "- [ ] one\n" }, { ".gitignore": "PLAN.md\n" });
    expect((await here.run(["run", ...agent(here, "work; tick")])).code).toBe(0);
    expect(here.read("PLAN.md")).toBe("- [x] one\n");
  });

  it("SD-18 an agent that is killed before its last event five times has worked five times", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n" });
    const fake = agent(place, `work; [ $n = 6 ] && { tick; ${finished}; exit 0; }; kill -9 $$`);
    expect((await place.run(["run", "--agent-output", "events", ...fake])).code).toBe(0);
    expect(ofType(place.journal(), "iteration.ended").map((event) => event.class)).toEqual(Array.from({ length: 6 }, () => "progress"));
  });

  it("SD-07 RL-01 RL-02 RL-03 neither limit words in results nor many writes to the loop's own files are taken for anything", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n" });
    const noise = [
      { type: "toolCall", id: "1", name: "read", input: {} },
      { type: "toolResult", id: "1", ok: false, exitCode: null, output: "5-hour limit reached, error 429 on line 529, resets 11:30pm" },
      ...Array.from({ length: 8 }, (_, i) => [
        { type: "toolCall", id: `w${i}`, name: "edit", input: {}, path: ".ralph/progress.md", writes: true, content: `note ${i % 2}` },
        { type: "toolResult", id: `w${i}`, ok: true, exitCode: null, output: "" },
      ]).flat(),
      { type: "finished", ok: true, text: "uses @upstash/ratelimit; rate limit exceeded is handled\n<ralph>COMPLETE</ralph>" },
    ];
    const ran = await place.run(["run", "--agent-output", "events", ...agent(place, `work; tick\n${noise.map(say).join("\n")}`)]);
    expect(ran.code).toBe(0);
    expect((await place.status()).iteration).toBe(1);
    expect(ofType(place.journal(), "wait.started")).toEqual([]);
    expect(ofType(place.journal(), "brake.hit")).toEqual([]);
  });

  it("CC-02 ST-05 ST-06 a lock without an owner is nobody's once it is old, and views edited by hand decide nothing", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n", ".ralph/state/iteration.json": '{ "iteration":1 }', ".ralph/state/tasks.json": "id\n".repeat(1000) });
    write(join(place.root, ".git/ralphd/lock"), "");
    place.git("-c", "alias.x=!touch -d '1 hour ago' .git/ralphd/lock", "x");
    expect((await place.run(["run", ...agent(place, "work; tick")])).code).toBe(0);
    expect(await place.status()).toMatchObject({ iteration: 1 });
    expect(JSON.parse(place.read(".ralph/state/tasks.json"))).toMatchObject({ tasks: [{ state: "done" }] });
  });
});
