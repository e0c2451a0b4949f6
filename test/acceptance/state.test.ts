/** The journal is the truth: kills, stale locks and leftovers of other runs change nothing but time. */
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, leftovers, ofType, type Scratch, scratch, until, write } from "./harness.js";

const THREE = { "PLAN.md": "- [ ] one\n- [ ] two\n- [ ] three\n" };
/** Waits at a place that only the first time is one to wait at. */
const hold = (name: string): string => `if [ ! -e "$HOLD/${name}" ]; then touch "$HOLD/${name}"; sleep 600; fi`;

/** Kills the driver without warning as soon as `name` is reached, then types the same command again. */
async function killedAt(place: Scratch, name: string, args: string[]): Promise<number> {
  const env = { HOLD: place.home };
  const running = place.start(args, { env });
  await until(() => place.has(`../${name}`));
  running.child.kill("SIGKILL");
  await running.ended;
  expect(await place.status()).toMatchObject({ status: "interrupted", pid: null });
  const ran = await place.run(args, { env });
  expect(leftovers(place)).toEqual([]);
  return ran.code ?? -1;
}

function expectWhole(place: Scratch, iterations: number): void {
  const trailers = place.git("log", "--reverse", "--format=%(trailers:key=Ralphd-Iteration,valueonly,separator=)", "main..HEAD").split("\n");
  expect(new Set(trailers).size).toBe(trailers.length);
  const events = place.journal();
  expect(ofType(events, "run.started")).toHaveLength(1);
  expect(ofType(events, "iteration.started").map((event) => event.iteration)).toEqual(Array.from({ length: iterations }, (_, i) => i + 1));
  expect(ofType(events, "iteration.ended").map((event) => event.iteration)).toEqual(Array.from({ length: iterations }, (_, i) => i + 1));
  expect(place.git("status", "--porcelain")).toBe("");
  expect(place.git("show", "HEAD:PLAN.md")).toBe("- [x] one\n- [x] two\n- [x] three");
  const commits = ofType(events, "commit.created").map((event) => event.commit);
  expect(new Set(commits).size).toBe(commits.length);
  expect(place.git("rev-list", "main..HEAD").split("\n").sort()).toEqual([...commits].sort());
}

describe("a killed driver", () => {
  it("ST-15 SE-08 killed while the agent works: the agent is ended, its work judged as that iteration and saved", async () => {
    const place = scratch(THREE);
    const fake = agent(place, `work; [ $n = 2 ] && { ${hold("agent")}; }; tick`);
    expect(await killedAt(place, "agent", ["run", "-n", "4", ...fake])).toBe(0);
    expectWhole(place, 4);
    const [saved] = ofType(place.journal(), "work.saved");
    expect(saved?.iteration).toBe(2);
    expect(place.git("ls-tree", "--name-only", saved?.ref ?? "")).toContain("work-2.txt");
    expect(ofType(place.journal(), "iteration.started").map((event) => event.spent)).toEqual([1, 2, 3, 4]);
  });

  it("ST-15 killed while a gate runs: the iteration is not run again", async () => {
    const place = scratch(THREE);
    const gate = `test ! -e work-2.txt && exit 0; ${hold("gate")}`;
    const config = `gates:\n  - name: check\n    when: iteration\n    retries: 0\n    run: ${JSON.stringify(gate)}\n`;
    place.put(".ralph/config.yaml", config);
    expect(await killedAt(place, "gate", ["run", "--trust", ...agent(place, "work; tick")])).toBe(0);
    expectWhole(place, 3);
    expect(await place.status()).toMatchObject({ verified: true });
  });

  it("ST-15 killed between intent and commit: the commit is made once", async () => {
    const place = scratch(THREE);
    write(join(place.root, ".git/hooks/pre-commit"), `#!/bin/sh\ntest ! -e work-2.txt && exit 0\n${hold("hook")}\n`);
    place.git("-c", "alias.x=!chmod +x .git/hooks/pre-commit", "x");
    expect(await killedAt(place, "hook", ["run", ...agent(place, "work; tick")])).toBe(0);
    expectWhole(place, 3);
  });

  it("ST-15 killed after the commit: it is found again", async () => {
    const place = scratch(THREE);
    write(join(place.root, ".git/hooks/post-commit"), `#!/bin/sh\ntest ! -e work-2.txt && exit 0\n${hold("post")}\n`);
    place.git("-c", "alias.x=!chmod +x .git/hooks/post-commit", "x");
    expect(await killedAt(place, "post", ["run", ...agent(place, "work; tick")])).toBe(0);
    expectWhole(place, 3);
  });

  it("ST-15 budgets go on where they were, and so does the configuration that the run began with", async () => {
    const place = scratch(THREE);
    const usage = JSON.stringify({ type: "usage", scope: "delta", inputTokens: 400, cachedInputTokens: 0, outputTokens: 100, costUsd: 0.01 });
    const fake = agent(place, `echo '${usage}'; work; [ $n = 2 ] && { ${hold("usage")}; }; echo '{"type":"finished","ok":true,"text":"ok"}'`);
    const args = ["run", "--agent-output", "events", "--max-tokens", "1400", ...fake];
    expect(await killedAt(place, "usage", args)).toBe(3);
    const status = await place.status();
    expect(status).toMatchObject({ status: "capped", reason: "tokens", iteration: 3, usage: { inputTokens: 1200, outputTokens: 300, costUsd: 0.03 } });
    expect((await place.run(["run", "-n", "1", ...fake], { env: { HOLD: place.home } })).code).toBe(3);
    expect((await place.status()).run).not.toBe(status.run);
  });
});

describe("state", () => {
  it("ST-01 ST-09 leftovers of another run and a lock with a recycled process id stop nobody", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n", ".ralph/state/iteration.json": '{"run":"other","stopped":true,"iteration":' });
    const owner = { pid: process.pid, start: "1", boot: "another-boot", run: "20200101-0000", startedAt: "2020-01-01T00:00:00Z", host: "elsewhere" };
    write(join(place.root, ".git/ralphd/lock"), `${JSON.stringify({ ...owner, host: hostname() })}\n`);
    const ran = await place.run(["run", ...agent(place, "work; tick")]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/stale lock/);
    expect(JSON.parse(place.read(".ralph/state/iteration.json"))).toMatchObject({ run: (await place.status()).run });
    expect(readdirSync(join(place.root, ".git/ralphd"))).not.toContain("lock");
  });

  it("ST-11 RL-13 a wait for a limit survives a stop: no iteration is spent, the rest is waited", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n" });
    const limit = JSON.stringify({ type: "limit", kind: "account", resumeAtMs: Date.now() + 3_600_000, message: "limit reached, resets in an hour" });
    const args = ["run", "--agent-output", "events", ...agent(place, `echo spawned >> ../spawned; echo '${limit}'; exit 1`)];
    const first = place.start(args);
    await until(() => ofType(place.journal(), "wait.started").length > 0);
    expect(await place.status()).toMatchObject({ status: "waiting", iteration: 1 });
    first.child.kill("SIGTERM");
    expect((await first.ended).code).toBe(130);
    const again = place.start(args);
    await until(() => ofType(place.journal(), "run.resumed").length > 0);
    await until(() => again.stderr().includes("Continuing run"));
    expect((await place.status()).status).toBe("waiting");
    again.child.kill("SIGINT");
    expect((await again.ended).code).toBe(130);
    expect(place.read("../spawned")).toBe("spawned\n");
    expect(ofType(place.journal(), "iteration.ended").map((event) => event.class)).toEqual(["limit"]);
  });

  it("damage in the middle of the journal stops with the line number; a torn last line is repaired", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n- [ ] two\n" });
    const args = ["run", ...agent(place, "work; tick")];
    const first = place.start(["run", ...args.slice(1)]);
    await until(() => ofType(place.journal(), "iteration.ended").length > 0);
    first.child.kill("SIGKILL");
    await first.ended;
    const journal = join(place.runDir(), "journal.jsonl");
    const whole = readFileSync(journal, "utf8");
    appendFileSync(journal, '{"type":"iterat');
    const ran = await place.run(args);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/torn/);
    expect(whole.length).toBeGreaterThan(0);
    const lines = readFileSync(journal, "utf8").split("\n");
    lines[1] = "{broken";
    write(journal, lines.filter((line) => !line.includes("run.stopped")).join("\n"));
    const damaged = await place.run(args);
    expect(damaged.code).toBe(2);
    expect(damaged.stderr).toMatch(/damaged in line 2/);
    expect((await place.run(["status"])).code).toBe(1);
  });
});
