/** Tokens and money: unknown stays unknown, and no report may make a known number disappear. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyUsage, countedTokens, mergeUsage, microToUsd, sumUsage, UNKNOWN_USAGE, type Usage, usdToMicro, ZERO_USAGE } from "../../src/core/usage.js";

const KEYS = ["inputTokens", "cachedInputTokens", "outputTokens", "costMicroUsd"] as const;
const amount = fc.option(fc.nat(1_000_000));
const usage = fc.record({ inputTokens: amount, cachedInputTokens: amount, outputTokens: amount, costMicroUsd: amount });
const report = (scope: "delta" | "total", of: Partial<Usage> & { costUsd?: number | null }) => ({
  type: "usage" as const,
  scope,
  inputTokens: null,
  cachedInputTokens: null,
  outputTokens: null,
  costUsd: null,
  ...of,
});
const used = (inputTokens: number | null, outputTokens: number | null, costMicroUsd: number | null = null): Usage => ({
  inputTokens,
  cachedInputTokens: null,
  outputTokens,
  costMicroUsd,
});

describe("two reports about one piece of work", () => {
  it("add what is known, in any order; nothing is added by silence", () => {
    fc.assert(
      fc.property(usage, usage, usage, (a, b, c) => {
        expect(mergeUsage(a, UNKNOWN_USAGE)).toEqual(a);
        expect(mergeUsage(a, b)).toEqual(mergeUsage(b, a));
        expect(mergeUsage(mergeUsage(a, b), c)).toEqual(mergeUsage(a, mergeUsage(b, c)));
        for (const key of KEYS) expect(mergeUsage(a, b)[key]).toBe(a[key] === null && b[key] === null ? null : (a[key] ?? 0) + (b[key] ?? 0));
      }),
    );
  });
});

describe("two separate pieces of work", () => {
  it("have a sum only where both are known: a part that nobody reported could be anything", () => {
    expect(sumUsage(used(1, null, 3), used(20, 5, null))).toEqual(used(21, null, null));
    expect(sumUsage(used(null, 1), used(2, 3))).toEqual(used(null, 4));
    fc.assert(
      fc.property(usage, usage, (a, b) => {
        expect(sumUsage(a, ZERO_USAGE)).toEqual(a);
        for (const key of KEYS) {
          const [x, y] = [a[key], b[key]];
          expect(sumUsage(a, b)[key]).toBe(x === null || y === null ? null : x + y);
        }
      }),
    );
  });
});

describe("a report of the agent", () => {
  it.each([
    ["adds as a delta", used(10, 1, 5), report("delta", { inputTokens: 3, costUsd: 0.000002 }), used(13, 1, 7)],
    ["begins to count with a delta", UNKNOWN_USAGE, report("delta", { outputTokens: 4 }), used(null, 4)],
    [
      "replaces as a total",
      used(10, 1, 5),
      report("total", { inputTokens: 3, outputTokens: 0, cachedInputTokens: 8, costUsd: 0 }),
      { ...used(3, 0, 0), cachedInputTokens: 8 },
    ],
    // Some agents send totals without the cost that an earlier line told.
    ["leaves as a total what it does not know", used(10, 1, 5), report("total", { outputTokens: 2 }), used(10, 2, 5)],
    ["that knows nothing changes nothing", used(10, null, 5), report("total", {}), used(10, null, 5)],
  ])("%s", (_name, old, told, after) => expect(applyUsage(old, told)).toEqual(after));
});

it.each([
  [used(10, 4), 14],
  [used(10, null), 10],
  [used(null, 4), 4],
  [used(0, 0), 0],
  // Cache reads are not what limits count: they would eat a budget within minutes.
  [{ ...used(null, null), cachedInputTokens: 900 }, null],
])("limits count of %j: %s", (of, tokens) => expect(countedTokens(of)).toBe(tokens));

it("counts money in whole micro-dollars, so that sums don't drift", () => {
  expect([usdToMicro(0.1) + usdToMicro(0.2), usdToMicro(1.0000004), microToUsd(1_500_000), microToUsd(0), microToUsd(null)]).toEqual([
    300_000,
    1_000_000,
    1.5,
    0,
    null,
  ]);
});
