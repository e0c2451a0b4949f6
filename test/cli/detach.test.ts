/** `run --detach` and `attach` without a terminal: what is said at once, what is kept, who goes on. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { agent, scratch, type Scratch, until } from "../acceptance/harness.js";
import { endRuns, isAlive } from "./alive.js";

const PLAN = { "PLAN.md": "- [ ] one\n" };
const HOLD = "touch ../up-$n; while [ ! -e ../go ] && [ -e PLAN.md ]; do sleep 0.05; done; work; tick";

const places: Scratch[] = [];
afterEach(() => endRuns(places.splice(0)));

interface Detached {
  run: string;
  pid: number;
  log: string;
}

async function background(place: Scratch, args: string[], options: { stdin?: string } = {}): Promise<Detached> {
  places.push(place);
  const ran = await place.run(["run", "--detach", "--json", ...args], options);
  expect(ran.stderr + ran.stdout).toContain(`"log"`);
  return JSON.parse(ran.stdout.trim().split("\n").at(-1) ?? "") as Detached;
}

describe("run --detach", () => {
  it("PH-23 goes on in a session of its own, with its output in the run's folder", async () => {
    const place = scratch(PLAN);
    const { run, pid, log } = await background(place, agent(place, HOLD));
    expect(log).toBe(join(place.runDir(), "driver.log"));
    expect(await place.status()).toMatchObject({ run, pid, status: "running" });
    // Fields after the name in parentheses: state, parent, group, session, terminal.
    const [, , group, session, tty] = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    expect([group, session, tty]).toEqual([String(pid), String(pid), "0"]);
    process.kill(pid, "SIGHUP");
    place.put("../go", "");
    await until(() => !isAlive(pid));
    expect(await place.status()).toMatchObject({ run, status: "done" });
    expect(readFileSync(log, "utf8")).toMatch(/^\d\d:\d\d:\d\d .*run .* on PLAN\.md[\s\S]*Done, but NOT verified\./m);
    expect(readdirSync(join(place.root, ".git/ralphd")).filter((name) => name.startsWith("detached-"))).toEqual([]);
  });

  it("refuses at once, in words, with exit code 2", async () => {
    const place = scratch(PLAN);
    expect(await place.run(["run", "--detach", "--", "./missing"])).toMatchObject({ code: 2, stderr: expect.stringContaining("missing") });
    // Found out by the process in the background, which is no reason to hide it there.
    const { pid } = await background(place, agent(place, HOLD));
    const second = await place.run(["run", "--detach", ...agent(place, HOLD)]);
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`process ${pid}`);
    expect(second.stderr).toContain("Nothing was started.");
    expect(second.stderr.match(/plan: PLAN\.md/g)).toHaveLength(1);
    expect(readdirSync(join(place.root, ".git/ralphd")).filter((name) => name.startsWith("detached-"))).toEqual([]);
    place.put("../go", "");
    await until(() => !isAlive(pid));
  });

  it("says what to type next, and hands on an objective from standard input", async () => {
    const place = scratch();
    place.put("../go", "");
    const fake = agent(place, "work; echo '<ralph>COMPLETE</ralph>'");
    const ran = await place.run(["run", "-", "--detach", "--gate", "true", ...fake], { stdin: "say hello in every file\n" });
    expect(ran.code).toBe(0);
    for (const words of [/Run \d{8}-\d{4} goes on in the background, as process \d+\./, /ralphd attach/, /ralphd status/, /ralphd stop/, /driver\.log/])
      expect(ran.stdout).toMatch(words);
    const { code, stderr } = await place.run(["attach"]);
    // It may be over already; either way it was about the objective.
    expect([0, 1]).toContain(code);
    expect(stderr).not.toContain("Error");
    await until(() => place.journal().at(-1)?.type === "run.stopped");
    expect(place.journal()[0]).toMatchObject({ type: "run.started", objective: "say hello in every file" });
  });

  it("leaves no mark of the background in the agent's environment", async () => {
    const place = scratch(PLAN);
    const { pid } = await background(place, agent(place, "env > ../env; work; tick"));
    await until(() => !isAlive(pid));
    expect(place.read("../env")).not.toMatch(/RALPHD_DETACHED|NODE_CHANNEL/);
  });
});

describe("attach", () => {
  it("shows a run to its end, and takes over its exit code", async () => {
    const place = scratch(PLAN);
    const { pid } = await background(place, [
      "--agent-output",
      "events",
      ...agent(place, `echo '{"type":"toolCall","id":"1","name":"bash","input":{},"command":"npm test"}'; ${HOLD}; exit 1`),
    ]);
    const attached = place.start(["attach"]);
    await until(() => attached.stderr().includes("$ npm test"));
    expect(attached.stderr()).toContain("iteration 1 of 20: one");
    expect((await place.run(["stop"])).code).toBe(0);
    place.put("../go", "");
    const ran = await attached.ended;
    expect(ran.stdout).toMatch(/^(Done, but NOT verified|Stopped, not done)\./m);
    expect(ran.code).toBe((await place.status()).status === "done" ? 0 : 130);
    await until(() => !isAlive(pid));
  });

  it("leaves a run alone on SIGINT, and says when there is none", async () => {
    const place = scratch(PLAN);
    expect(await place.run(["attach"])).toMatchObject({ code: 1, stderr: expect.stringContaining("no run is going on") });
    const { pid } = await background(place, agent(place, HOLD));
    const attached = place.start(["attach"]);
    await until(() => attached.stderr().includes("iteration 1 of 20"));
    attached.child.kill("SIGINT");
    expect(await attached.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("goes on") });
    expect(isAlive(pid)).toBe(true);
    expect(existsSync(join(place.home, "go"))).toBe(false);
    place.put("../go", "");
    await until(() => !isAlive(pid));
  });

  it("names a run whose process was killed", async () => {
    const place = scratch(PLAN);
    const { pid } = await background(place, agent(place, HOLD));
    const attached = place.start(["attach"]);
    await until(() => attached.stderr().includes("iteration 1 of 20"));
    process.kill(pid, "SIGKILL");
    expect(await attached.ended).toMatchObject({ code: 1, stderr: expect.stringContaining("without a final status") });
    place.put("../go", "");
  });
});
