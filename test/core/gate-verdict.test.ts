/** A result beside its baseline: fewer tests refuse, known failures can be allowed by name. */
import { describe, expect, it } from "vitest";
import { judgeBaseline, judgeCounts } from "../../src/core/gate-verdict.js";
import type { GateResult } from "../../src/core/gate.js";

function result(change: Partial<GateResult>): GateResult {
  return {
    name: "tests",
    verdict: "pass",
    reason: "exit 0",
    required: true,
    failing: [],
    fingerprint: "pass",
    testsRun: null,
    exitCode: 0,
    durationMs: 1,
    flaky: false,
    outputPath: null,
    detail: null,
    ...change,
  };
}
const failed = (failing: string[], change: Partial<GateResult> = {}): GateResult =>
  result({ verdict: "fail", reason: "exit 1", exitCode: 1, failing, fingerprint: failing.join(), detail: "…", ...change });

describe("B-16 judgeCounts", () => {
  it.each<[number | null, number | null, "pass" | "fail"]>([
    [12, 12, "pass"],
    [12, 13, "pass"],
    [12, 11, "fail"],
    [12, null, "fail"],
    [null, 3, "pass"],
    [null, null, "pass"],
    [0, null, "pass"],
  ])("%s tests at the start and %s now: %s", (before, now, verdict) => {
    const judged = judgeCounts(result({ testsRun: now }), { testsRun: before });
    expect(judged.verdict).toBe(verdict);
    if (verdict === "fail") expect(judged).toMatchObject({ detail: judged.reason, fingerprint: expect.not.stringMatching(/^pass$/) });
  });

  it("says how many are missing", () => {
    expect(judgeCounts(result({ testsRun: 9 }), { testsRun: 12 }).reason).toBe("only 9 of at least 12 tests ran; bring back those that are missing");
  });

  // The fingerprint tells the brakes that it fails in the same way again.
  it.each([
    [9, "only 9 of at least 12 tests ran; bring back those that are missing", "tests run: 9 < 12"],
    [null, "exit 0, but no test count in the output any more (12 ran at the start); let the gate's command print its tests again", "tests run: unknown < 12"],
  ])("makes a fail of %s tests, whole, with its reason", (testsRun, reason, fingerprint) => {
    const passed = result({ testsRun });
    expect(judgeCounts(passed, { testsRun: 12 })).toEqual({ ...passed, verdict: "fail", reason, fingerprint, detail: reason });
  });

  it("changes nothing without a baseline and nothing about a fail", () => {
    expect(judgeCounts(result({ testsRun: 1 }), null).verdict).toBe("pass");
    const fail = failed(["a"], { testsRun: 1 });
    expect(judgeCounts(fail, { testsRun: 5 })).toBe(fail);
  });
});

describe("judgeBaseline", () => {
  const baseline = failed(["a", "b"], { testsRun: 10 });
  const allow = { baseline: "allow" } as const;

  it("leaves a pass as it is, also one that names what it tolerates", () => {
    const tolerant = result({ failing: ["b"], testsRun: 10 });
    expect(judgeBaseline(tolerant, baseline, allow)).toBe(tolerant);
  });

  it("passes when every failing name failed at the start", () => {
    expect(judgeBaseline(failed(["b"], { testsRun: 10 }), baseline, allow)).toMatchObject({
      verdict: "pass",
      fingerprint: "pass",
      detail: null,
      reason: "failing as at the start, allowed by baseline: b",
      failing: ["b"],
    });
  });

  it.each<[string, GateResult, GateResult | null, "require" | "allow"]>([
    ["a new name", failed(["a", "c"], { testsRun: 10 }), baseline, "allow"],
    ["no names", failed([], { testsRun: 10 }), baseline, "allow"],
    ["fewer tests", failed(["a"], { testsRun: 4 }), baseline, "allow"],
    ["a killed gate", failed(["a"], { exitCode: null, testsRun: 10 }), baseline, "allow"],
    ["a green start", failed(["a"]), result({ testsRun: 10 }), "allow"],
    ["no baseline", failed(["a"]), null, "allow"],
    ["baseline: require", failed(["a"], { testsRun: 10 }), baseline, "require"],
  ])("stays a fail with %s", (_, now, before, mode) => {
    expect(judgeBaseline(now, before, { baseline: mode }).verdict).toBe("fail");
  });

  it("names what is new", () => {
    expect(judgeBaseline(failed(["a", "c", "d"], { testsRun: 10 }), baseline, allow).reason).toBe("2 new failing beside the 2 of the start: c, d");
  });
});
