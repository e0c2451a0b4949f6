/** What holds for every hit and for every sequence of actions. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { watch } from "../../../src/core/brakes/watch.js";
import { afterTaskDone, EMPTY_WATCH } from "../../../src/core/brakes/watch-state.js";
import type { Action, BrakeHit } from "../../../src/core/brakes/types.js";
import { STOP_REASONS } from "../../../src/core/words.js";
import { foldAll } from "../../../src/core/fold.js";
import { agentEnded, iterationStarted, started, timeline } from "../../journal/events.js";
import { failing, passing, play, SETTINGS, T0, tool, versions, write } from "./actions.js";

const TRIGGERS: [string, Action[], string][] = [
  ["a failing command", Array<Action>(3).fill(failing("npm test", "Error: boom")), "gutter_command"],
  ["thrashing", versions("src/a.ts", ["1", "2", "3", "4", "5"]), "gutter_thrash"],
  ["a repeated command", Array<Action>(3).fill(passing("npm run build")), "gutter_command"],
  ["a repeated call", Array<Action>(3).fill(tool("deploy", { to: "x" })), "gutter_command"],
  ["a repeated write", Array<Action>(3).fill(write("a.ts", "s", "s")), "gutter_thrash"],
];

describe("a hit", () => {
  it.each(TRIGGERS)("SD-21 of %s names rule, numbers, evidence and what to do", (_name, actions, reason) => {
    const hit = play(actions).hit as BrakeHit;
    expect(hit.reason).toBe(reason);
    expect(STOP_REASONS.escalated).toContain(hit.reason);
    expect(hit.summary).toMatch(/\d+ (?:times|repeats)/);
    expect(hit.summary).toMatch(/threshold \d+/);
    expect(hit.signature).not.toBe("");
    expect(hit.lastActions).toHaveLength(3);
    expect(hit.advice.length).toBeGreaterThan(20);
  });

  it("shows the last three actions in order, with the error", () => {
    const hit = play([
      write("a.ts", "1", "2"),
      ...Array<Action>(2).fill(failing("npm test", "Error: boom")),
      tool("Read", { path: "x.ts" }),
      failing("npm test", "Error: boom"),
    ]).hit;
    expect(hit?.lastActions).toEqual(["ran npm test (exit 1): Error: boom", "called Read x.ts", "ran npm test (exit 1): Error: boom"]);
  });

  it("is not talked over by a later signal", () => {
    const hit = play(TRIGGERS[0]?.[1] ?? []);
    const later = [passing("npm test"), ...versions("b.ts", ["1", "2", "3", "4", "5", "6"])];
    let state = afterTaskDone(hit.state);
    for (const action of later) {
      const result = watch(state, action, SETTINGS, []);
      expect(result.hit).toEqual(hit.hit);
      state = result.state;
    }
  });
});

const command = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.constantFrom("npm test", "npm test | tail -5", "tsc", "ls", "curl localhost:1", "x".repeat(9000)),
  fc.nat(500).map((n) => `run "${n}" 'q'`),
);
const content = fc.option(
  fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 30 }).map((lines) => lines.join("\n")),
  ),
);
const atMs = fc.integer({ min: -600_000, max: 3_600_000 }).map((offset) => T0 + offset);
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant("command" as const),
    command,
    failed: fc.boolean(),
    exitCode: fc.option(fc.integer({ min: 0, max: 255 })),
    output: fc.string({ maxLength: 200 }),
    atMs,
  }),
  fc.record({
    kind: fc.constant("write" as const),
    path: fc.oneof(
      fc.string({ maxLength: 400 }),
      fc.nat(60).map((n) => `src/"${n}".ts`),
    ),
    before: content,
    after: content,
    atMs,
  }),
  fc.record({ kind: fc.constant("tool" as const), name: fc.string(), input: fc.anything(), atMs }),
);

describe("a run's record", () => {
  const failed = play([...(TRIGGERS[0]?.[1] ?? [])].slice(0, -1)).state;

  it("SD-11 starts every live count again once a task is proved, however often that is recorded", () => {
    const proved = { type: "task.proved" as const, task: "t", gates: ["test"] };
    const state = foldAll(
      timeline([
        [0, started()],
        [1, iterationStarted(), agentEnded({ watch: failed }), proved, proved],
      ]),
    );
    expect(failed.commands).not.toEqual([]);
    expect(state?.watch).toEqual({ ...EMPTY_WATCH, last: failed.last });
  });

  it("keeps the counts while nothing is proved", () => {
    const state = foldAll(
      timeline([
        [0, started()],
        [1, iterationStarted(), agentEnded({ watch: failed }), { type: "task.unticked", task: "t", gate: "test", why: "w" }],
      ]),
    );
    expect(state?.watch).toEqual(failed);
  });
});

describe("any sequence of actions", () => {
  it("never throws, survives JSON, and keeps three last actions at most", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const { state } = play(actions);
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
        expect(state.last.length).toBeLessThanOrEqual(3);
      }),
      { numRuns: 150 },
    );
  });

  // Thousands of actions take longer than all other rows together, which mutation testing would run again for every change.
  it.skipIf("MUTATE_FILE" in process.env)("keeps the state below 64 KB after 10,000 actions", () => {
    // Thresholds out of reach, since a hit would freeze the state.
    const settings = {
      ...SETTINGS,
      repeats: 1e6,
      gutterCommand: { count: 1e6, match: "outcome" as const },
      gutterThrash: { count: 1e6, windowMs: 1e9, match: "content" as const },
    };
    const some = fc.sample(action, { numRuns: 1000, seed: 7 });
    let state = EMPTY_WATCH;
    let largest = 0;
    for (let index = 0; index < 10_000; index += 1) {
      const next = some[(index * 37) % some.length] as Action;
      const place = index % 53;
      const body = (n: number): string => Array.from({ length: 20 }, (_, line) => (line % 3 === 0 ? `${n} ${line}` : `${line}`)).join("\n");
      const busy: Action =
        index % 2 === 0
          ? next
          : index % 4 === 1
            ? write(`src/${"deep/".repeat(40)}"${place}".ts`, body(index), body(index + 1), index)
            : failing(`run-${"long".repeat(50)} "${index % 61}"`, Array.from({ length: 30 }, (_, line) => `e${index} ${line}`).join("\n"));
      state = watch(state, busy, settings, []).state;
      if (index % 500 === 0 || index > 9_900) largest = Math.max(largest, JSON.stringify(state).length);
    }
    expect(state.hit).toBeNull();
    expect(state.writes.length).toBeGreaterThan(10);
    expect(largest).toBeLessThan(64 * 1024);
  });
});
