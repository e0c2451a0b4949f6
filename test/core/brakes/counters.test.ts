/** The brakes between iterations: what one ended iteration counts, and when a counter ends the run. */
import { describe, expect, it } from "vitest";
import { progressHit } from "../../../src/core/brakes/between.js";
import { type Counters, countIteration, isBetter, type IterationOutcome, startCounters } from "../../../src/core/brakes/counters.js";
import { EMPTY_WATCH } from "../../../src/core/brakes/watch-state.js";
import { DEFAULT_SETTINGS, QUICK_EXIT_MS } from "../../../src/core/defaults.js";
import type { BrakeHit } from "../../../src/core/brakes/types.js";
import type { RunState } from "../../../src/core/run-state.js";
import type { Settings } from "../../../src/core/settings.js";

const ENDING = { exit: { kind: "exited" as const, code: 0 }, finishedOk: true, error: null, limit: null, toolCalls: 1, outputBytes: 9, durationMs: 60_000 };
const STILL: IterationOutcome = {
  class: "no_op",
  ending: ENDING,
  task: "a",
  newTree: false,
  betterGates: false,
  workTree: "base",
  proved: 0,
  accepted: 0,
  refused: false,
  restoredFrozen: 0,
  restoredCompared: 0,
  failing: [],
};

function after(...outcomes: Partial<IterationOutcome>[]): Counters {
  const counters = startCounters("base");
  for (const outcome of outcomes) countIteration(counters, { ...STILL, ...outcome });
  return counters;
}

/** Only what the rules read; the rest of the state has no say in them. */
function hitOf(counters: Counters, settings: Partial<Settings["brakes"]> = {}, gates: object = {}, paths: string[] = []): BrakeHit | null {
  const watch = { ...EMPTY_WATCH, last: ["ran x", "wrote y"] };
  const state = { brakes: counters, watch, gates, restored: paths.map((path) => ({ path })) } as unknown as RunState;
  return progressHit(state, { ...DEFAULT_SETTINGS, brakes: { ...DEFAULT_SETTINGS.brakes, ...settings } });
}

function hit(counters: Counters, settings: Partial<Settings["brakes"]> = {}): string | null {
  return hitOf(counters, settings)?.reason ?? null;
}

describe("no_progress", () => {
  it("hits after two iterations that brought nothing", () => {
    expect(hit(after({}))).toBeNull();
    expect(hit(after({}, {}))).toBe("no_progress");
  });

  it.each<Partial<IterationOutcome>>([{ newTree: true, workTree: "x" }, { proved: 1 }, { betterGates: true }])("starts again after %j", (fact) => {
    expect(hit(after({}, fact, {}))).toBeNull();
  });

  it("SD-17 does not count what failed outside of the work", () => {
    expect(hit(after({}, { class: "infrastructure" }, { class: "limit" }, { class: "waiting" }, { class: "auth" }))).toBeNull();
  });

  it("counts a tick that nothing could refuse neither for nor against", () => {
    expect(after({}, { accepted: 1 }).noProgress).toBe(1);
    expect(hit(after({}, { accepted: 1 }, {}))).toBe("no_progress");
  });

  it("does not count an agent that the budget cut off", () => {
    const stopped = (cause: "budget" | "iteration_timeout") => ({ ending: { ...ENDING, exit: { kind: "stopped" as const, cause } } });
    expect(after({}, stopped("budget")).noProgress).toBe(1);
    expect(after({}, stopped("iteration_timeout")).noProgress).toBe(2);
  });

  it("SD-12 leaves research more room when asked to", () => {
    expect(hit(after({}, {}, {}), { noProgress: 5 })).toBeNull();
  });
});

describe("oscillation", () => {
  const walk = (...trees: string[]): Counters => after(...trees.map((workTree) => ({ workTree, class: "progress" as const })));
  it.each<[string, string[], boolean]>([
    ["SD-09 commit X, revert, commit X again", ["X", "base", "X"], true],
    ["one tree twice, with new ones in between", ["A", "B", "A", "C", "A"], true],
    ["one undo", ["A", "base", "B", "C"], false],
    ["two undos of different work", ["A", "B", "A", "C", "D", "C", "E"], false],
    ["staying on one tree", ["A", "A", "A", "A"], false],
    ["ever new trees", ["A", "B", "C", "D", "E"], false],
    ["a tree named like a property", ["constructor", "B", "C"], false],
  ])("%s", (_name, trees, hits) => {
    expect(hit(walk(...trees)) === "oscillation").toBe(hits);
  });
});

describe("attempts on one task", () => {
  it("counts an iteration that does nothing as one, one that proves nothing as a half", () => {
    expect(after({}, {}).attempts).toEqual({ a: 2 });
    expect(after({ newTree: true }, { newTree: true }, { newTree: true }).attempts).toEqual({ a: 1.5 });
  });

  it("SD-11 starts again whenever anything was proved", () => {
    expect(after({}, { task: "b", proved: 1 }, {}).attempts).toEqual({ a: 1 });
    expect(after({}, { accepted: 1 }).attempts).toEqual({});
    expect(after({}, { betterGates: true }).attempts).toEqual({});
  });

  it("counts nothing for what ended outside of the work", () => {
    expect(after({}, { class: "infrastructure" }, { class: "limit" }).attempts).toEqual({ a: 1 });
  });

  it("counts nothing without a task", () => {
    expect(after({ task: null }).attempts).toEqual({});
  });
});

describe("disagreement", () => {
  it("hits at the third refused claim, not only in a row, and starts again after proof", () => {
    const refused = { refused: true, newTree: true };
    expect(hit(after(refused, { newTree: true }, refused))).toBeNull();
    expect(hit(after(refused, { newTree: true }, refused, refused))).toBe("disagreement");
    expect(hit(after(refused, refused, { proved: 1 }, refused))).toBeNull();
  });

  it("names the required gates that fail, or that tasks are open", () => {
    const counters = after({ refused: true }, { refused: true, newTree: true }, { refused: true, newTree: true });
    const gate = (name: string, verdict: string, required: boolean) => [name, { name, verdict, required }];
    const gates = Object.fromEntries([gate("tests", "fail", true), gate("lint", "fail", true), gate("types", "pass", true), gate("spelling", "fail", false)]);
    expect(hitOf(counters, {}, gates)?.signature).toBe("tests, lint");
    expect(hitOf(counters)?.signature).toBe("open tasks");
  });
});

describe("tampering", () => {
  it("hits when frozen paths were changed in a second iteration", () => {
    const touched = { restoredFrozen: 3, newTree: true };
    expect(hit(after(touched))).toBeNull();
    expect(hit(after(touched, { newTree: true }, touched))).toBe("tampering");
  });

  it("hits when compared paths lost lines three iterations in a row", () => {
    const touched = { restoredCompared: 1, newTree: true };
    expect(hit(after(touched, touched, { newTree: true }, touched, touched))).toBeNull();
    expect(hit(after(touched, touched, touched))).toBe("tampering");
  });
});

describe("what a hit tells a person", () => {
  const steps = (times: number, fact: Partial<IterationOutcome>) => after(...Array.from({ length: times }, () => fact));
  const trees = (...names: string[]) => after(...names.map((workTree) => ({ workTree, newTree: true })));
  const paths = ["a", "b", "a", "c", "d", "e", "f"];
  it.each<[string, BrakeHit | null, string, string, string]>([
    [
      "frozen paths",
      hitOf(steps(2, { restoredFrozen: 1, newTree: true }), {}, {}, paths),
      "Frozen paths were changed in 2 iterations (threshold 2) and put back each time.",
      "b, c, d, e, f",
      "make it yourself",
    ],
    [
      "compared paths",
      hitOf(steps(3, { restoredCompared: 1, newTree: true }), {}, {}, ["test/a.js"]),
      "Protected files lost lines in 3 iterations in a row (threshold 3) and were put back.",
      "test/a.js",
      "<!-- edits: path -->",
    ],
    [
      "one tree that came back",
      hitOf(trees("A", "B", "A", "C", "A", "D")),
      "The tree came back 2 times to a state it had earlier in this run (threshold 2).",
      "A",
      "Iterations undo each other",
    ],
    [
      "a walk among known trees",
      hitOf(trees("A", "B", "C", "B", "A")),
      "The tree came back 2 times to a state it had earlier in this run (threshold 2).",
      "A",
      "Iterations undo each other",
    ],
    [
      "refused claims",
      hitOf(steps(3, { refused: true, newTree: true })),
      "The agent said 3 times that all is done and was refused each time (threshold 3).",
      "open tasks",
      "Run the failing gate by hand",
    ],
    [
      "standing still",
      hitOf(steps(2, {})),
      "2 iterations in a row brought no new tree, no proved task and no better gate result (threshold 2).",
      "base",
      "Read the last iteration's stream",
    ],
  ])("about %s", (_name, found, summary, signature, advice) => {
    expect(found).toMatchObject({ summary, signature, lastActions: ["ran x", "wrote y"], advice: expect.stringContaining(advice) });
  });
});

describe("endings outside of the work", () => {
  it("SD-19 counts an agent that ends at once without doing anything", () => {
    const gone = { class: "infrastructure" as const, ending: { ...ENDING, exit: { kind: "exited" as const, code: 2 }, toolCalls: 0, durationMs: 200 } };
    expect(after(gone, gone, gone).quickExits).toBe(3);
    expect(after(gone, { class: "infrastructure" }).quickExits).toBe(0);
    expect(after(gone, { newTree: true, class: "progress" }).infrastructure).toBe(0);
  });

  it("counts them in a row, each kind by itself", () => {
    const [network, auth, limit] = [{ class: "infrastructure" as const }, { class: "auth" as const }, { class: "limit" as const }];
    const counted = (...outcomes: Partial<IterationOutcome>[]) => {
      const { infrastructure, quickExits, authFailures } = after(...outcomes);
      return { infrastructure, quickExits, authFailures };
    };
    expect(counted(network, network)).toEqual({ infrastructure: 2, quickExits: 0, authFailures: 0 });
    expect(counted(network, limit)).toEqual({ infrastructure: 0, quickExits: 0, authFailures: 0 });
    expect(counted({})).toEqual({ infrastructure: 0, quickExits: 0, authFailures: 0 });
    expect(counted(network, auth, auth)).toEqual({ infrastructure: 0, quickExits: 0, authFailures: 2 });
    expect(counted(auth, network)).toEqual({ infrastructure: 1, quickExits: 0, authFailures: 0 });
    // What failed outside and still brought something was no failure.
    expect(counted(network, { ...network, newTree: true })).toEqual({ infrastructure: 0, quickExits: 0, authFailures: 0 });
  });

  it.each<[string, Partial<IterationOutcome["ending"]>, number]>([
    ["exits at once without a tool call", {}, 1],
    ["exits at once after a tool call", { toolCalls: 1 }, 0],
    ["exits after the time that a start takes", { durationMs: QUICK_EXIT_MS }, 0],
    ["exits right before that", { durationMs: QUICK_EXIT_MS - 1 }, 1],
    ["is ended by a signal", { exit: { kind: "signalled", signal: "SIGKILL" } }, 0],
    ["was ended by the driver", { exit: { kind: "stopped", cause: "human" } }, 0],
    ["could not be started, however long that took", { exit: { kind: "cannotStart", message: "ENOENT" }, toolCalls: 9, durationMs: 60_000 }, 1],
  ])("that %s: %j", (_name, ending, quickExits) => {
    const quick = { ...ENDING, exit: { kind: "exited" as const, code: 2 }, toolCalls: 0, durationMs: 200 };
    expect(after({ class: "infrastructure", ending: { ...quick, ...ending } }).quickExits).toBe(quickExits);
  });
});

describe("a better gate result", () => {
  it.each<[string[], string[], boolean]>([
    [["a", "b"], ["a"], true],
    [["a", "b"], ["c"], true],
    [["a"], ["a"], false],
    [["a"], ["b"], false],
    [["a"], ["a", "b"], false],
    [["a", "a"], ["a"], false],
  ])("%j then %j", (before, now, better) => {
    expect(isBetter(before, now)).toBe(better);
  });
});
