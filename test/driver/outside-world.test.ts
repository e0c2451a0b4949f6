/** What the world does to a running loop: clocks that jump, files that can't be written, drives that fill up. */
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import type { World } from "../../src/driver/driver.js";
import type { AgentExit } from "../../src/core/agent-event.js";
import type { JournalEvent } from "../../src/core/journal-event.js";
import type { Agent, Clock, Journal } from "../../src/driver/ports.js";
import { systemClock } from "../../src/run/system-clock.js";
import { runNight } from "../sim/night.js";
import { type Scenario, scenario, settingsOf, undisturbed } from "../sim/scenario.js";

const PLAN: Scenario = {
  ...undisturbed(scenario(1)),
  character: "diligent",
  tasks: 3,
  gates: "honest",
  limits: { iterations: 20, tokens: null, costMicroUsd: null, timeMs: DEFAULT_SETTINGS.limits.timeMs },
  onStuck: "stop",
  stepBack: false,
  dirty: false,
  fallbacks: 0,
};
const plan = (changes: Partial<Scenario> = {}): Scenario => ({ ...PLAN, ...changes });

/** A wall clock that somebody sets; the monotonic one goes on as it was. */
function shifted(clock: Clock, shiftMs: () => number): Clock {
  return { ...clock, nowMs: () => clock.nowMs() + shiftMs() };
}

describe("clocks", () => {
  it("PH-21 a machine that slept for hours does not make a working agent idle or late", async () => {
    let jumpMs = 0;
    const night = await runNight(plan(), {
      adjust: (world: World) => ({
        ...world,
        clock: shifted(world.clock, () => jumpMs),
        observer: { ...world.observer, agent: () => void (jumpMs += 3 * 3_600_000) },
      }),
    });
    expect(night.state.stopped).toMatchObject({ status: "done", reason: "all_tasks_checked" });
    expect(night.state.records.map((record) => record.class)).toEqual(["progress", "progress", "progress"]);
  });

  it("a wall clock that goes back ends nothing early and waits for nothing twice", async () => {
    let jumpMs = 0;
    const night = await runNight(plan({ character: "limited", seed: 3 }), {
      adjust: (world) => ({
        ...world,
        clock: shifted(world.clock, () => jumpMs),
        observer: { ...world.observer, agent: () => void (jumpMs -= 60_000) },
      }),
    });
    expect(["done", "capped"]).toContain(night.state.stopped?.status);
  });

  it("PH-21 a wall clock that goes back while a wait is written down does not prolong it", async () => {
    let jumpMs = 0;
    const starts: number[] = [];
    const night = await runNight(plan({ character: "limited", seed: 3 }), {
      adjust: (world) => {
        const clock = shifted(world.clock, () => jumpMs);
        const append: Journal["append"] = (iteration, ...bodies) => {
          const events = world.journal.append(iteration, ...bodies);
          if (bodies.some(({ type }) => type === "wait.started")) {
            starts.push(clock.monotonicMs());
            jumpMs -= 19 * 3_600_000;
          }
          const [waited] = bodies.flatMap((body) => (body.type === "wait.ended" ? [body.waitedMs] : []));
          if (waited !== undefined) expect(clock.monotonicMs() - (starts.at(-1) ?? 0)).toBeLessThan(waited + 5_000);
          return events;
        };
        return { ...world, clock, journal: { ...world.journal, append } };
      },
    });
    expect(starts.length).toBeGreaterThan(0);
    const waits = night.disk.journal.map((line) => JSON.parse(line) as JournalEvent).flatMap((event) => (event.type === "wait.ended" ? [event.waitedMs] : []));
    for (const waitedMs of waits) expect(waitedMs).toBeLessThan(19 * 3_600_000);
    expect(waits.length).toBeGreaterThan(0);
  });

  it("a wait that is over before it is begun took no time, and not less than none", async () => {
    let jumpMs = 0;
    const night = await runNight(plan({ character: "limited", seed: 3 }), {
      adjust: (world) => {
        // A machine that sleeps for an hour before each look at the clock.
        return { ...world, clock: shifted(world.clock, () => (jumpMs += 3_600_000)) };
      },
    });
    const waits = night.disk.journal.map((line) => JSON.parse(line) as JournalEvent).flatMap((event) => (event.type === "wait.ended" ? [event.waitedMs] : []));
    expect(waits.length).toBeGreaterThan(0);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
  });

  it("RL-15 waits longer than a timer can count, without waking up early", async () => {
    const controller = new AbortController();
    let woke = false;
    const waiting = systemClock.sleep(30 * 24 * 3_600_000, controller.signal).then(() => {
      woke = true;
    });
    // A timer that overflowed fires within milliseconds; these turns of the event loop give it its chance.
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(woke).toBe(false);
    controller.abort();
    await waiting;
  });
});

describe("a disk that fills up while the agent works", () => {
  it("ST-13 ends the run with its reason, and the agent with it; the same command goes on", async () => {
    let full = false;
    let stopped = 0;
    const told: AgentExit[] = [];
    const night = await runNight(plan({ character: "slow", acts: [{ iteration: 1, kind: "note", text: "hello" }] }), {
      adjust: (world) => {
        const agents = [...world.agents].map(([name, agent]): [string, Agent] => [
          name,
          {
            ...agent,
            start: (request) => {
              full = true;
              const run = agent.start(request);
              void run.exit.then((exit) => told.push(exit));
              const stop = run.stop.bind(run);
              run.stop = (cause) => {
                stopped += 1;
                stop(cause);
              };
              return run;
            },
          },
        ]);
        const append: Journal["append"] = (iteration, ...bodies) => {
          if (full && bodies.some(({ type }) => type === "note.added")) {
            full = false;
            // As a write of node's own fails, deep inside.
            throw new Error("the note could not be kept", { cause: Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }) });
          }
          return world.journal.append(iteration, ...bodies);
        };
        return { ...world, agents: new Map(agents), journal: { ...world.journal, append } };
      },
    });
    const ends = night.disk.journal.map((line) => JSON.parse(line) as JournalEvent).filter(({ type }) => type === "run.stopped");
    expect(ends[0]).toMatchObject({ status: "failed", reason: "disk", summary: expect.stringContaining("no space is left on the disk") });
    expect(stopped).toBe(1);
    expect(told[0]).toEqual({ kind: "stopped", cause: "human" });
    expect(night.state.stopped).toMatchObject({ status: "done", verified: true });
  });
});

describe("a plan that can't be written", () => {
  it("TP-27 is named, and a refused tick in it does not end the run as done", async () => {
    const night = await runNight(plan({ character: "liar", seed: 2 }), {
      adjust: (world) => ({
        ...world,
        files: { ...world.files, write: (path, content) => path !== "PLAN.md" && world.files.write(path, content) },
      }),
    });
    expect(night.state.warnings.join("\n")).toMatch(/PLAN\.md could not be written/);
    const tree = night.disk.treeOf(night.disk.head());
    if (night.state.stopped?.status === "done") for (const n of [1, 2, 3]) expect(tree.get(`src/task-${n}.js`)).toBe("good\n");
  });
});

describe("one step back", () => {
  it("SD-22 is spent on a diagnosis before no_progress ends the run, and only once", async () => {
    const base = plan({ character: "idler" });
    const settings = settingsOf(base);
    const night = await runNight(base, { settings: { ...settings, brakes: { ...settings.brakes, stepBack: true, attempts: 9 } } });
    expect(night.state.records.map((record) => record.mode)).toEqual(["work", "work", "stepBack"]);
    expect(night.state.stopped?.reason).toBe("no_progress");
  });
});
