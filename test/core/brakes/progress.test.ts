/** The brakes between iterations. */
import { describe, expect, it } from "vitest";
import * as brake from "../../../src/core/brakes/progress.js";
import { SETTINGS } from "./actions.js";

const NOTHING = { newTree: false, provedTasks: 0, betterFingerprint: false };
const trees = (...ids: string[]): brake.Oscillation => ids.reduce(brake.oscillation, brake.NO_OSCILLATION);

describe("no_progress", () => {
  it("hits after two iterations that brought nothing", () => {
    const one = brake.noProgress({ streak: 0 }, NOTHING);
    expect(brake.noProgressHit(one, SETTINGS)).toBeNull();
    expect(brake.noProgressHit(brake.noProgress(one, NOTHING), SETTINGS)?.reason).toBe("no_progress");
  });

  it.each([{ newTree: true }, { provedTasks: 1 }, { betterFingerprint: true }])("starts again after %j", (fact) => {
    expect(brake.noProgress({ streak: 5 }, { ...NOTHING, ...fact }).streak).toBe(0);
  });

  it("SD-12 leaves research more room when asked to", () => {
    expect(brake.noProgressHit({ streak: 3 }, { ...SETTINGS, noProgress: 5 })).toBeNull();
  });
});

describe("oscillation", () => {
  const cases: [string, string[], boolean][] = [
    ["SD-09 commit X, revert, commit X again", ["base", "X", "base", "X"], true],
    ["one tree twice, with new ones in between", ["A", "B", "A", "C", "A"], true],
    ["one undo", ["base", "A", "base", "B", "C"], false],
    ["two undos of different work", ["A", "B", "A", "C", "D", "C", "E"], false],
    ["staying on one tree", ["A", "A", "A", "A"], false],
    ["ever new trees", ["A", "B", "C", "D", "E"], false],
    ["a tree named like a property", ["constructor", "B", "C"], false],
  ];
  it.each(cases)("%s", (_name, ids, hits) => {
    expect(brake.oscillationHit(trees(...ids), SETTINGS) !== null).toBe(hits);
  });
});

describe("attempts", () => {
  const fold = (...steps: [string | null, boolean][]): brake.Attempts =>
    steps.reduce<brake.Attempts>((state, [task, progressed]) => brake.attempts(state, task, progressed), {});

  it("parks a task after three attempts without progress", () => {
    expect(brake.attemptsHit(fold(["a", false], ["a", false], ["b", false]), SETTINGS)).toBeNull();
    expect(brake.attemptsHit(fold(["a", false], ["a", false], ["b", false], ["a", false]), SETTINGS)?.signature).toBe("a");
  });

  it("starts again after progress, and counts nothing without a task", () => {
    expect(brake.attemptsHit(fold(["a", false], ["a", false], ["a", true], ["a", false], ["a", false]), SETTINGS)).toBeNull();
    expect(fold([null, false])).toEqual({});
  });
});

describe("disagreement", () => {
  it("hits at the third refused claim, not in a row", () => {
    const claims = ["refused", "none", "refused", "none", "refused"] as const;
    const states = claims.map((_, index) => claims.slice(0, index + 1).reduce(brake.disagreement, { refused: 0 }));
    expect(states.map((state) => brake.disagreementHit(state, SETTINGS)?.reason ?? null)).toEqual([null, null, null, null, "disagreement"]);
    expect(brake.disagreement({ refused: 2 }, "accepted").refused).toBe(0);
  });
});

describe("tampering", () => {
  const fold = (...facts: { frozen: boolean; compared: boolean }[]): brake.Tampering =>
    facts.reduce(brake.tampering, { frozenTouches: 0, comparedStreak: 0 });
  const clean = { frozen: false, compared: false };
  const frozen = { frozen: true, compared: false };
  const compared = { frozen: false, compared: true };

  it("hits when frozen paths are changed a second time, however far apart", () => {
    expect(brake.tamperingHit(fold(frozen), SETTINGS)).toBeNull();
    expect(brake.tamperingHit(fold(frozen, clean, clean, frozen), SETTINGS)?.reason).toBe("tampering");
  });

  it("hits at three iterations in a row over compared paths", () => {
    expect(brake.tamperingHit(fold(compared, compared, clean, compared, compared), SETTINGS)).toBeNull();
    expect(brake.tamperingHit(fold(compared, compared, compared), SETTINGS)?.reason).toBe("tampering");
  });
});

describe("SD-21", () => {
  const hits = {
    no_progress: brake.noProgressHit({ streak: 2 }, SETTINGS, ["a", "b", "c", "d"]),
    oscillation: brake.oscillationHit(trees("A", "B", "A", "B"), SETTINGS, ["a", "b", "c", "d"]),
    needs_human: brake.attemptsHit({ a: 3 }, SETTINGS, ["a", "b", "c", "d"]),
    disagreement: brake.disagreementHit({ refused: 3 }, SETTINGS, ["a", "b", "c", "d"]),
    tampering: brake.tamperingHit({ frozenTouches: 2, comparedStreak: 0 }, SETTINGS, ["a", "b", "c", "d"]),
  };
  it.each(Object.entries(hits))("SD-21 %s names rule, numbers, evidence and what to do", (reason, hit) => {
    expect(hit?.reason).toBe(reason);
    expect(hit?.summary).toMatch(/\d+ .*threshold \d+/);
    expect(hit?.signature).not.toBe("");
    expect(hit?.lastActions).toEqual(["b", "c", "d"]);
    expect(hit?.advice.length).toBeGreaterThan(20);
  });
});

describe("gateFingerprintBetter", () => {
  const cases: [string[], string[], boolean][] = [
    [["a", "b"], ["a"], true],
    [["a", "b", "c"], ["d"], true],
    [["a"], [], true],
    [["a"], ["a"], false],
    [["a"], ["b"], false],
    [["a"], ["a", "b"], false],
    [[], [], false],
    [["a", "a"], ["a"], false],
  ];
  it.each(cases)("%j to %j", (previous, now, better) => {
    expect(brake.gateFingerprintBetter(previous, now)).toBe(better);
  });
});
