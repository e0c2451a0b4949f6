/** Costs are computed from tokens, exactly and never guessed. */
import { describe, expect, it } from "vitest";
import { costMicroUsd } from "../../../src/agents/anthropic/prices.js";

const tokens = (counts: Partial<Parameters<typeof costMicroUsd>[1]>) => ({ input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, ...counts });
const MILLION = 1_000_000;

describe("costMicroUsd", () => {
  it.each([
    ["claude-opus-5-5", [4, 20, 0.2, 5, 8]],
    ["claude-sonnet-5-5", [2, 10, 0.1, 2.5, 4]],
    ["claude-fable-5-2", [8, 40, 0.2, 10, 16]],
    ["claude-opus-4-8", [5, 25, 0.5, 6.25, 10]],
    ["claude-haiku-4-5", [1, 5, 0.1, 1.25, 2]],
  ])("%s by kind of token", (model, usd) => {
    const kinds = ["input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"] as const;
    expect(kinds.map((kind) => (costMicroUsd(model, tokens({ [kind]: MILLION })) ?? 0) / MILLION)).toEqual(usd);
  });

  it("takes the dearer tier for the whole request once the prompt is over its step", () => {
    const at = (input: number) => costMicroUsd("claude-haiku-5-5", tokens({ input, cacheRead: 50_000, output: 1000 }));
    expect(at(50_000)).toBe(50_000 * 0.1 + 50_000 * 0.01 + 1000 * 0.5);
    expect(at(50_001)).toBe(Math.round(50_001 * 0.5 + 50_000 * 0.05 + 1000 * 2.5));
  });

  it("BC-01 does not know the price of an unknown model, whatever its name", () => {
    expect(costMicroUsd("gpt-x", tokens({ input: 5 }))).toBeNull();
    expect(costMicroUsd("constructor", tokens({ input: 5 }))).toBeNull();
  });

  it("lets the user's prices win", () => {
    const own = { "claude-opus-5-5": { input: 1, output: 2, cacheRead: 0, cacheWrite: 10 } };
    expect(costMicroUsd("claude-opus-5-5", tokens({ input: 10, output: 10, cacheWrite5m: 1, cacheWrite1h: 1 }), own)).toBe(10 + 20 + 10 + 16);
  });

  it("is a whole number of micro-dollars", () => {
    expect(costMicroUsd("claude-haiku-5-5", tokens({ input: 3 }))).toBe(0);
    expect(costMicroUsd("claude-haiku-5-5", tokens({ input: 7 }))).toBe(1);
  });
});
