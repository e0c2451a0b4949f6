/** People stop a run: by signals, and from another process; every stop keeps the work and can be continued. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, leftovers, ofType, type Running, type Scratch, scratch, until } from "./harness.js";

const TWO = { "PLAN.md": "- [ ] one\n- [ ] two\n" };
const HOLD = "touch ../up-$n; while [ ! -e ../go ]; do sleep 0.05; done; work; tick";

async function held(): Promise<{ place: Scratch; running: Running; fake: string[] }> {
  const place = scratch(TWO);
  const fake = agent(place, HOLD);
  const running = place.start(["run", ...fake]);
  await until(() => place.has("../up-1"));
  return { place, running, fake };
}

describe("stopping", () => {
  it("PH-15 one SIGINT finishes the iteration and keeps its work; the same command goes on", async () => {
    const { place, running, fake } = await held();
    running.child.kill("SIGINT");
    place.put("../go", "");
    const ran = await running.ended;
    expect(ran.code).toBe(130);
    expect(ran.stderr).toMatch(/Ctrl-C again/);
    expect(await place.status()).toMatchObject({ status: "stopped", reason: "human", iteration: 1, tasks: { open: 1, done: 1 }, pid: null });
    expect(place.git("show", "HEAD:work-1.txt")).toBe("1");
    const first = (await place.status()).run;
    expect((await place.run(["run", ...fake])).code).toBe(0);
    expect(await place.status()).toMatchObject({ run: first, status: "done", iteration: 2 });
  });

  it("PH-15 two SIGINT end the agent at once; its work stays", async () => {
    const { place, running } = await held();
    place.put("half.txt", "half done\n");
    running.child.kill("SIGINT");
    // Signals that arrive together count as one: the second is sent once the first was answered.
    await until(() => running.stderr().includes("Ctrl-C again"));
    running.child.kill("SIGINT");
    const ran = await running.ended;
    expect(ran.code).toBe(130);
    expect(leftovers(place)).toEqual([]);
    expect(ofType(place.journal(), "iteration.ended")).toHaveLength(1);
    expect(place.git("show", "HEAD:half.txt")).toBe("half done");
    expect(place.git("status", "--porcelain")).toBe("");
  });

  it("PH-15 SIGTERM ends it at once with a final status", async () => {
    const { place, running } = await held();
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(130);
    expect(leftovers(place)).toEqual([]);
    expect(ofType(place.journal(), "run.stopped")).toHaveLength(1);
  });

  it("`stop` from another process ends the run after its iteration, `stop --now` at once", async () => {
    const { place, running, fake } = await held();
    const asked = await place.run(["stop", "--json"]);
    expect(asked.code).toBe(0);
    expect(JSON.parse(asked.stdout)).toMatchObject({ pid: running.child.pid, stop: "after_iteration" });
    expect((await place.status()).status).toBe("running");
    place.put("../go", "");
    expect((await running.ended).code).toBe(130);
    expect(await place.status()).toMatchObject({ status: "stopped", iteration: 1, tasks: { done: 1 } });
    expect((await place.run(["stop"])).code).toBe(1);
    rmSync(join(place.home, "go"));
    const again = place.start(["run", ...fake]);
    await until(() => place.has("../up-2"));
    expect((await place.run(["stop", "--now"])).code).toBe(0);
    expect((await again.ended).code).toBe(130);
    expect(ofType(place.journal(), "control.requested").map((event) => event.request)).toEqual(["stop", "stop"]);
  });
});
