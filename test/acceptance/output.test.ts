/** Results on stdout, progress on stderr, events as JSON: what scripts and people read. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, ofType, parseLines, scratch } from "./harness.js";

const PLAN = { "PLAN.md": "- [ ] one\n" };
const EVENTS = `echo '{"type":"started","model":"fake"}'; echo '{"type":"toolCall","id":"1","name":"bash","input":{},"command":"ls"}'; echo 'not json'; echo '{"type":"finished","ok":true,"text":"ok"}'`;

describe("output", () => {
  it("TO-05 --json gives one event a line on stdout: the journal's and agent.*", async () => {
    const place = scratch(PLAN);
    const ran = await place.run(["run", "--json", "--agent-output", "events", "--gate", "true", ...agent(place, `work; tick; ${EVENTS}`)]);
    expect(ran.code).toBe(0);
    const events = parseLines(ran.stdout);
    const types = events.map((event) => event.type as string);
    for (const type of [
      "run.started",
      "iteration.started",
      "agent.started",
      "agent.toolCall",
      "agent.unknown",
      "agent.finished",
      "gate.verdict",
      "commit.created",
      "iteration.ended",
      "run.stopped",
    ]) {
      expect(types).toContain(type);
    }
    expect(types[0]).toBe("run.started");
    expect(types.at(-1)).toBe("run.stopped");
    for (const event of events) {
      expect(event).toMatchObject({ run: expect.any(String), iteration: expect.any(Number) });
      expect(new Date(event.at).toISOString()).toBe(event.at);
    }
    const journal = place.journal();
    expect(events.filter((event) => journal.some((known) => JSON.stringify(known) === JSON.stringify(event)))).toHaveLength(journal.length);
    expect(ofType(events, "run.stopped")).toMatchObject([{ status: "done", reason: "all_tasks_checked", evidence: expect.any(Array) }]);
    expect(ofType(events, "iteration.ended")).toMatchObject([{ iteration: 1, class: "progress", usage: { costMicroUsd: null } }]);
  });

  it("TO-05 without --json the outcome is on stdout, progress on stderr; --quiet leaves only the outcome", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n- [ ] two\n" });
    const ran = await place.run(["run", ...agent(place, "work; tick; printf '\\033[31mred\\033[0m \\033]0;title\\007text\\n'")]);
    expect(ran.stdout).toMatch(/NOT verified/);
    expect(ran.stdout).toMatch(/^done \(all_tasks_checked, unverified\); exit code 0$/m);
    expect(ran.stdout).not.toContain("iteration 1");
    expect(ran.stderr).toContain("iteration 1");
    // Neither colours into a pipe nor an agent's control sequences to a terminal.
    expect(`${ran.stdout}${ran.stderr}`).not.toMatch(/\u001b/);
    expect(ran.stderr).toContain("text");
    const quiet = scratch(PLAN);
    const silent = await quiet.run(["run", "--quiet", ...agent(quiet, "work; tick")]);
    expect(silent.code).toBe(0);
    expect(silent.stderr).toBe("");
    expect(silent.stdout).toMatch(/^done \(all_tasks_checked/m);
  });

  it("TO-06 each iteration keeps prompt, raw stream, verdicts and summary; status, logs and report tell the rest", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n- [ ] two\n" });
    expect((await place.run(["run", "--gate", "true", ...agent(place, "work; echo raw-$n; echo err-$n >&2; tick")])).code).toBe(0);
    for (const n of ["0001", "0002"]) {
      const folder = join(place.runDir(), "iterations", n);
      for (const name of ["prompt.md", "stream.jsonl", "diffstat"]) expect(existsSync(join(folder, name))).toBe(true);
      expect(readFileSync(join(folder, "stream.jsonl"), "utf8")).toBe(`raw-${Number(n)}\n`);
    }
    const status = await place.status();
    expect(Object.keys(status)).toEqual([
      "run",
      "status",
      "reason",
      "verified",
      "iteration",
      "tasks",
      "usage",
      "activeMs",
      "branch",
      "lastCommit",
      "gates",
      "pid",
      "agent",
      "resting",
    ]);
    expect(status).toMatchObject({ status: "done", verified: true, pid: null, lastCommit: place.git("rev-parse", "HEAD"), branch: "ralph/plan" });
    expect((await place.run(["status"])).stdout).toMatch(/done.*verified/);
    const logs = await place.run(["logs", "--json", "--iteration=2"]);
    expect(parseLines(logs.stdout).map((event) => event.iteration)).toEqual(expect.arrayContaining([2]));
    expect(new Set(parseLines(logs.stdout).map((event) => event.iteration)).size).toBe(1);
    expect((await place.run(["logs"])).stdout).toMatch(/run\b.*on PLAN\.md/);
    const report = (await place.run(["report"])).stdout;
    for (const word of ["one", "two", "verified", "ralph/plan", "unknown"]) expect(report).toContain(word);
    for (const name of ["iteration.json", "tasks.json", "report.md"]) expect(place.has(`.ralph/state/${name}`)).toBe(true);
    expect(JSON.parse(place.read(".ralph/state/iteration.json"))).toBeTruthy();
    expect(JSON.parse(place.read(".ralph/state/tasks.json"))).toBeTruthy();
  });

  it("before anything ran status says so with nulls, logs and report fail in words", async () => {
    const place = scratch(PLAN);
    expect(await place.status()).toMatchObject({ run: null, status: null, tasks: { open: null }, usage: { costUsd: null }, gates: [], pid: null });
    for (const command of ["logs", "report", "stop"]) {
      const ran = await place.run([command]);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toMatch(/ralphd: /);
    }
  });

  it("--dry-run checks everything, says what would run, and starts nothing", async () => {
    const place = scratch(PLAN);
    const ran = await place.run(["run", "--dry-run", "--gate", "true", ...agent(place, "touch ../spawned")]);
    expect(ran.code).toBe(0);
    expect(`${ran.stdout}${ran.stderr}`).toMatch(/Dry run/);
    expect(`${ran.stdout}${ran.stderr}`).toMatch(/20 iterations/);
    expect(place.has("../spawned")).toBe(false);
    expect(place.has(".git/ralphd")).toBe(false);
    expect(place.git("symbolic-ref", "--short", "HEAD")).toBe("main");
    expect((await place.run(["run", "--dry-run", "--", "./missing"])).code).toBe(2);
  });

  it("--help and --version answer on stdout; every flag of a run is in its help", async () => {
    const place = scratch(PLAN);
    const help = await place.run(["run", "--help"]);
    expect(help.code).toBe(0);
    const flags =
      "--agent --agent-output --model --max-iterations --max-tokens --max-cost --max-time --iteration-timeout --idle-timeout --gate --require-gate --preset --level --branch --worktree --current-branch --allow-dirty --on-stuck --sandbox --trust --once --dry-run --json --quiet";
    for (const flag of flags.split(" ")) expect(help.stdout).toContain(flag);
    expect((await place.run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await place.run([])).code).not.toBe(130);
  });
});
