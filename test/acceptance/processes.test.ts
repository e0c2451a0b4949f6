/** What agents do as processes: none of it may hang the loop, outlive its iteration or look like success. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, leftovers, ofType, scratch, script, until } from "./harness.js";

const PLAN = { "PLAN.md": "- [ ] one\n" };

describe("processes", () => {
  it("PH-01 PH-06 PH-09 settles when the agent exits and leaves nothing of it running", async () => {
    const place = scratch(PLAN);
    const fake = agent(
      place,
      `sleep 600 &
setsid sh -c 'touch ../daemon; exec sleep 600' &
while [ ! -e ../daemon ]; do sleep 0.02; done
work; tick; echo done`,
    );
    expect((await place.run(["run", ...fake])).code).toBe(0);
    expect(leftovers(place)).toEqual([]);
    expect(ofType(place.journal(), "agent.ended")[0]).toMatchObject({
      ending: { exit: { kind: "exited", code: 0 } },
      finalText: "done",
      leftovers: { ended: 2, kept: 0 },
    });
    expect(place.read(".ralph/state/report.md")).toMatch(/## Left running by agents\n\n- Iteration 1: 2 ended\n- In all: 2 ended/);
  });

  it("PH-02 GT-10 a timeout ends the whole tree, and what the agent did and committed is kept", async () => {
    const place = scratch(PLAN);
    const fake = agent(place, "sleep 600 & git commit -q --allow-empty -m mine; work; sleep 600");
    const ran = await place.run(["run", "-n", "1", "--iteration-timeout", "1500ms", ...fake]);
    expect(ran.code).toBe(3);
    expect(leftovers(place)).toEqual([]);
    expect(ofType(place.journal(), "iteration.ended")[0]?.class).toBe("progress");
    expect(ofType(place.journal(), "agent.ended")[0]?.ending.exit).toEqual({ kind: "stopped", cause: "iteration_timeout" });
    expect(place.git("log", "--format=%s", "-2")).toMatch(/^one\nmine$/);
    expect(place.git("show", "HEAD:work-1.txt")).toBe("1");
  });

  it("PH-02 a timeout and a person reach an agent that never stops talking", async () => {
    const talk = `while :; do echo '{"type":"text","text":"on and on"}'; sleep 0.05; done`;
    const place = scratch(PLAN);
    const ran = await place.run(["run", "-n", "1", "--agent-output", "events", "--iteration-timeout", "1500ms", ...agent(place, talk)]);
    expect(ran.code).toBe(3);
    expect(ofType(place.journal(), "agent.ended")[0]?.ending.exit).toEqual({ kind: "stopped", cause: "iteration_timeout" });

    const stopped = scratch(PLAN);
    const running = stopped.start(["run", "--agent-output", "events", ...agent(stopped, `touch ../up; ${talk}`)]);
    await until(() => stopped.has("../up"));
    expect((await stopped.run(["stop", "--now"])).code).toBe(0);
    await running.ended;
    expect(ofType(stopped.journal(), "agent.ended")[0]?.ending.exit).toEqual({ kind: "stopped", cause: "human" });
  });

  it("CD-16 a text agent whose last line is the marker and that stays is ended soon, as a success", async () => {
    const place = scratch(PLAN);
    const ran = await place.run(["run", ...agent(place, "work; tick; echo '<ralph>COMPLETE</ralph>'; sleep 600")]);
    expect(ran.code).toBe(0);
    expect(ofType(place.journal(), "agent.ended")[0]).toMatchObject({ claims: { complete: true }, ending: { exit: { kind: "stopped", cause: "settled" } } });
    const other = scratch(PLAN);
    const working = agent(other, "echo '<ralph>COMPLETE</ralph>'; echo 'no, more to do'; sleep 1; work; tick");
    expect((await other.run(["run", ...working])).code).toBe(0);
    expect(ofType(other.journal(), "agent.ended")[0]).toMatchObject({ claims: { complete: false }, ending: { exit: { kind: "exited", code: 0 } } });
  });

  it("PH-04 silence after an event is no strike: the iteration is not spent and another one goes on", async () => {
    const place = scratch(PLAN);
    const fake = agent(place, `[ $n = 1 ] && { echo '{"type":"started"}'; exec sleep 600; }\nwork; tick; echo '{"type":"finished","ok":true,"text":"ok"}'`);
    expect((await place.run(["run", "--agent-output", "events", "--idle-timeout", "1s", ...fake])).code).toBe(0);
    const classes = ofType(place.journal(), "iteration.ended").map((event) => event.class);
    expect(classes).toEqual(["infrastructure", "progress"]);
    expect(ofType(place.journal(), "iteration.started").map((event) => event.spent)).toEqual([1, 1]);
  });

  it("PH-04 an agent that is silent but works is not idle", async () => {
    const place = scratch(PLAN);
    const busy = agent(place, "end=$(($(date +%s)+4)); while [ $(date +%s) -lt $end ]; do :; done; work; tick");
    expect((await place.run(["run", "--idle-timeout", "2s", ...busy])).code).toBe(0);
    expect((await place.status()).iteration).toBe(1);
  });

  it("PH-13 SD-19 PR-08 an agent that cannot start ends the run with its own words, unspent", async () => {
    const place = scratch(PLAN);
    const ran = await place.run(["run", ...agent(place, "echo 'unknown option --bad' >&2; exit 2")]);
    expect(ran.code).toBe(1);
    expect(await place.status()).toMatchObject({ status: "failed", reason: "cannot_start_agent", iteration: 3 });
    expect(ran.stdout).toContain("unknown option --bad");
  });

  it("PH-13 the marks of a surrounding agent and the driver's own settings do not reach the agent", async () => {
    const place = scratch(PLAN);
    const env = { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli", RALPHD_MAX_COST: "5", CI: "", KEPT: "yes" };
    const fake = agent(place, "env > ../env; work; tick");
    expect((await place.run(["run", ...fake], { env })).code).toBe(0);
    const seen = place.read("../env");
    expect(seen).toMatch(/^KEPT=yes$/m);
    expect(seen).toMatch(/^RALPHD_ITERATION=1$/m);
    expect(seen).toMatch(/^RALPHD_RUN=/m);
    expect(seen).not.toMatch(/CLAUDE|RALPHD_MAX_COST/);
  });

  it("PH-17 TO-06 a flood of output goes to disk whole while memory stays bounded", async () => {
    const place = scratch(PLAN);
    const fake = agent(place, "head -c 300000000 /dev/zero | tr '\\0' 'x' | fold -w 99; work; tick; echo the-end");
    const running = place.start(["run", ...fake]);
    let peakKb = 0;
    const watch = setInterval(() => {
      peakKb = Math.max(peakKb, residentKb(running.child.pid ?? 0));
    }, 50);
    const ran = await running.ended;
    clearInterval(watch);
    expect(ran.code).toBe(0);
    expect(peakKb).toBeGreaterThan(10_000);
    expect(peakKb).toBeLessThan(300_000);
    const [ended] = ofType(place.journal(), "agent.ended");
    expect(ended?.ending.outputBytes).toBeGreaterThan(300_000_000);
    expect(ended?.finalText?.length).toBeLessThan(100_000);
    expect(ended?.finalText).toMatch(/the-end$/);
    expect(ran.stderr.length).toBeLessThan(100_000);
  });

  it("PH-19 an agent that crashes now and then is started again without a strike", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n- [ ] two\n- [ ] three\n" });
    const ran = await place.run(["run", "-n", "3", ...agent(place, "[ $((n % 2)) = 1 ] && { echo 'TypeError: boom' >&2; exit 1; }\nwork; tick")]);
    expect(ran.code).toBe(0);
    expect(ofType(place.journal(), "iteration.ended").map((event) => event.class)).toEqual([
      "infrastructure",
      "progress",
      "infrastructure",
      "progress",
      "infrastructure",
      "progress",
    ]);
  });

  it("PH-23 a closed terminal does not end the run", async () => {
    const place = scratch(PLAN);
    const running = place.start(["run", ...agent(place, "touch ../up; while [ ! -e ../go ]; do sleep 0.05; done; work; tick")]);
    await until(() => place.has("../up"));
    running.child.kill("SIGHUP");
    running.child.stdout?.destroy();
    running.child.stderr?.destroy();
    place.put("../go", "");
    await until(() => ofType(place.journal(), "run.stopped").length > 0);
    expect((await place.status()).status).toBe("done");
  });

  it("PH-06 the prompt arrives whole, standard input ends, and large prompts do not meet argv", async () => {
    const place = scratch({ ...PLAN, ".ralph/prompts/rules.md": `{{plan}} {{marker}} {{signs}}\n${"中 long line $(id) `id`\n".repeat(10_000)}` });
    expect((await place.run(["run", ...script(place, "#!/bin/sh\ncat > ../got\nsed -i 's/\\[ \\]/[x]/' PLAN.md\necho ok\n")])).code).toBe(0);
    expect(place.read("../got")).toBe(place.prompt(1));
    expect(place.read("../got").length).toBeGreaterThan(200_000);
  });
});

function residentKb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(join("/proc", String(pid), "status"), "utf8"))?.[1] ?? 0);
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}
