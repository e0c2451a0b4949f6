/** Brakes from outside: they stop what goes in circles, name what they saw, and leave real work alone. */
import { describe, expect, it } from "vitest";
import { agent, ofType, scratch, script } from "./harness.js";

const PLAN = { "PLAN.md": "- [ ] one\n- [ ] two\n" };
const EVENTS = ["run", "--agent-output", "events"];
const finished = `{"type":"finished","ok":true,"text":"ok"}`;

/** A node agent that reports failing test runs: one output for each call. */
function failing(outputs: string, after = ""): string {
  return `#!/usr/bin/env node
const fs = require("fs");
const n = Number(process.env.RALPHD_ITERATION);
const say = (event) => console.log(JSON.stringify(event));
const call = (id, output, command = "npm test") => {
  say({ type: "toolCall", id, name: "bash", input: { command }, command });
  say({ type: "toolResult", id, ok: false, exitCode: 1, output });
};
fs.readFileSync(0);
${outputs}
${after}
console.log('${finished}');
`;
}

describe("stuck", () => {
  it("SD-02 SD-21 the same failure three times ends the run with its signature, the last actions and advice", async () => {
    const place = scratch(PLAN);
    const ran = await place.run([
      ...EVENTS,
      ...script(place, failing(`for (let i = 0; i < 5; i++) call("c" + i, "FAIL login.test.ts at /tmp/x" + i + " in 1." + i + "s");`)),
    ]);
    expect(ran.code).toBe(4);
    expect(await place.status()).toMatchObject({ status: "escalated", reason: "gutter_command", iteration: 1 });
    const [hit] = ofType(place.journal(), "brake.hit");
    expect(hit?.hit.signature).toContain("npm test");
    expect(hit?.hit.lastActions).toHaveLength(3);
    expect(ran.stdout).toContain(hit?.hit.advice);
    expect(ofType(place.journal(), "sign.drafted")).toHaveLength(1);
    const errors = place
      .read(".ralph/state/errors.jsonl")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(JSON.stringify(errors)).toContain("npm test");
  });

  it("SD-01 the same command with different failures and edits between is work", async () => {
    const place = scratch(PLAN);
    const body = failing(
      `[9, 6, 2].forEach((left, i) => { fs.writeFileSync("f" + n + i + ".txt", String(left)); call("c" + i, left + " tests failing: " + "abc".repeat(left)); });`,
      `fs.writeFileSync("PLAN.md", fs.readFileSync("PLAN.md", "utf8").replace("[ ]", "[x]"));`,
    );
    expect((await place.run([...EVENTS, ...script(place, body)])).code).toBe(0);
  });

  it("SD-20 one equal failure in each of three fresh iterations counts as three", async () => {
    const place = scratch(PLAN);
    const body = failing(`fs.writeFileSync("w" + n, ""); call("c", "FAIL the same");`);
    expect((await place.run([...EVENTS, ...script(place, body)])).code).toBe(4);
    expect(await place.status()).toMatchObject({ reason: "gutter_command", iteration: 3 });
  });

  it("SD-14 SD-15 a greeting is a no-op: two of them end the run", async () => {
    const place = scratch(PLAN);
    const ran = await place.run(["run", ...script(place, "#!/bin/sh\necho 'Hello! How can I help you today?'\n")]);
    expect(ran.code).toBe(4);
    expect(await place.status()).toMatchObject({ reason: "no_progress", iteration: 2 });
    expect(ran.stdout).toMatch(/^Next:/m);
  });

  it("SD-16 BLOCKED parks the task with its question and goes on; nothing else open needs a person", async () => {
    const place = scratch(PLAN);
    const fake = agent(place, "[ $n = 1 ] && { echo '<ralph>BLOCKED: which database?</ralph>'; exit 0; }\nsed -i 's/\\[ \\] two/[x] two/' PLAN.md; work");
    const ran = await place.run(["run", ...fake]);
    expect(ran.code).toBe(4);
    expect(await place.status()).toMatchObject({ reason: "needs_human", iteration: 2, tasks: { open: 0, done: 1, blocked: 1 } });
    expect(ran.stdout).toContain("which database?");
    expect(place.read(".ralph/state/report.md")).toContain("which database?");
  });

  it("SD-13 WAIT backs off without a strike, GUTTER stops for a person", async () => {
    const place = scratch({ "PLAN.md": "- [ ] one\n" });
    const fake = agent(place, "[ $n -lt 4 ] && { echo '<ralph>WAIT: CI is still running</ralph>'; exit 0; }\nwork; tick");
    expect((await place.run(["run", ...fake])).code).toBe(0);
    expect(ofType(place.journal(), "iteration.ended").map((event) => event.class)).toEqual(["waiting", "waiting", "waiting", "progress"]);
    expect(ofType(place.journal(), "wait.started").length).toBeGreaterThan(0);
    const gutter = scratch(PLAN);
    expect((await gutter.run(["run", ...agent(gutter, "work; echo '<ralph>GUTTER</ralph>'")])).code).toBe(4);
    expect(await gutter.status()).toMatchObject({ reason: "gutter_signal", iteration: 1 });
    expect(gutter.git("show", "HEAD:work-1.txt")).toBe("1");
  });

  it("SD-09 iterations that undo each other are seen", async () => {
    const place = scratch({ ...PLAN, ".ralph/config.yaml": "brakes: { attempts: 50, noProgress: 50 }\n" });
    const ran = await place.run(["run", ...agent(place, "echo $((n % 2)) > flip.txt")]);
    expect(ran.code).toBe(4);
    expect((await place.status()).reason).toBe("oscillation");
    expect((await place.status()).iteration).toBeLessThanOrEqual(6);
  });

  it("--on-stuck park parks what is stuck and ends needing a person", async () => {
    const place = scratch(PLAN);
    const ran = await place.run([...EVENTS, "--on-stuck=park", ...script(place, failing(`for (let i = 0; i < 4; i++) call("c" + i, "FAIL " + n);`))]);
    expect(ran.code).toBe(4);
    expect(await place.status()).toMatchObject({ reason: "needs_human", tasks: { blocked: 2, open: 0 } });
  });

  it("RL-14 an agent that says it is logged out stops the run with what to do", async () => {
    const place = scratch(PLAN);
    const ran = await place.run([
      ...EVENTS,
      ...agent(
        place,
        `[ $n = 1 ] && { work; tick; echo '${finished}'; exit 0; }\necho '{"type":"error","kind":"auth","fatal":true,"message":"401: please log in"}'; exit 1`,
      ),
    ]);
    expect(ran.code).toBe(1);
    expect(await place.status()).toMatchObject({ status: "failed", reason: "auth", iteration: 2 });
    expect(ran.stdout).toContain("please log in");
  });
});
