/** The sample of commits that a person looks at. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawSample, formatJudgement, judgedIterations, riskOf } from "../../src/core/audit.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";

const commits = (count: number, paths: string[]) => Array.from({ length: count }, (_, index) => ({ iteration: index + 1, commit: `c${index}`, paths }));

describe("risk", () => {
  it.each([
    [["README.md"], "low"],
    [["test/auth.test.ts", "docs/a.md"], "low"],
    [["src/list.ts", "README.md"], "medium"],
    [["src/auth/session.ts"], "high"],
    [["src/paymentForm.tsx"], "high"],
    [["db/migrations/0001.rb"], "high"],
    [[".github/workflows/ci.yml"], "high"],
    [["package-lock.json"], "high"],
  ] as const)("%j is %s", (paths, risk) => expect(riskOf([...paths])).toBe(risk));
});

describe("the sample", () => {
  it("is the same whoever draws it, and another for another run", () => {
    const all = commits(200, ["src/a.ts"]);
    const draw = (run: string) => drawSample(run, all, DEFAULT_SETTINGS.audit).map((one) => one.iteration);
    expect(draw("20261130-2000")).toEqual(draw("20261130-2000"));
    expect(draw("20261130-2000")).not.toEqual(draw("20261130-2001"));
  });

  it("takes about the named share of each class, and all of what is risky", () => {
    const share = (paths: string[]) => drawSample("20261130-2000", commits(2_000, paths), DEFAULT_SETTINGS.audit).length / 2_000;
    expect(share(["a.md"])).toBeCloseTo(0.1, 1);
    expect(share(["src/a.ts"])).toBeCloseTo(0.3, 1);
    expect(share(["src/auth.ts"])).toBe(1);
  });

  it("of a run whose commits all rank too high is its lowest", () => {
    const none = { high: 0, medium: 0, low: 0 };
    expect(drawSample("r", commits(3, ["a.md"]), none)).toHaveLength(1);
    expect(drawSample("r", [], none)).toEqual([]);
  });

  it("is never empty while there is a commit, and holds only commits of the run", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 30 }), fc.constantFrom("a.md", "src/a.ts", "src/auth.ts"), (run, count, path) => {
        const all = commits(count, [path]);
        const drawn = drawSample(run, all, DEFAULT_SETTINGS.audit);
        expect(drawn.length).toBeGreaterThan(0);
        expect(all.map((one) => one.commit)).toEqual(expect.arrayContaining(drawn.map((one) => one.commit)));
      }),
    );
    expect(drawSample("x", [], DEFAULT_SETTINGS.audit)).toEqual([]);
  });
});

it("a record says which iterations are judged, whatever the reasons contain", () => {
  const judgement = {
    iteration: 12,
    commit: "abc",
    paths: [],
    risk: "low" as const,
    verdict: "fail" as const,
    reason: "bad\n## Iteration 3, commit x: pass",
    by: "ann",
    at: "2026-11-30T00:00:00Z",
  };
  expect([...judgedIterations(formatJudgement(judgement))]).toEqual([12]);
});
