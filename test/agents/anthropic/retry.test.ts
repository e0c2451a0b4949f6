/** The waits between tries. */
import { describe, expect, it } from "vitest";
import { retryWait, withRetry } from "../../../src/agents/anthropic/retry.js";

const POLICY = { baseMs: 1_000, maxMs: 60_000, tries: 10, stalls: 3 };
const overload = { kind: "transient", cause: "overload", message: "", retryAfterMs: null } as const;

describe("retryWait", () => {
  it("doubles from one second to one minute", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((tried) => retryWait(overload, tried, POLICY, 0));
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000]);
  });

  it("takes at most a quarter off as jitter", () => {
    expect(retryWait(overload, 3, POLICY, 0.999)).toBeGreaterThanOrEqual(3000);
    expect(retryWait(overload, 3, POLICY, 0.999)).toBeLessThan(3010);
  });

  it("obeys the server up to the longest wait, and gives up beyond it", () => {
    expect(retryWait({ ...overload, retryAfterMs: 60_000 }, 1, POLICY, 0.5)).toBe(60_000);
    expect(retryWait({ ...overload, retryAfterMs: 60_001 }, 1, POLICY, 0.5)).toBeNull();
  });

  it("does not repeat what would fail again", () => {
    expect(retryWait({ kind: "rejected", error: "auth", message: "" }, 1, POLICY, 0)).toBeNull();
    expect(retryWait({ kind: "limited", limit: "credit", resumeAtMs: null, message: "" }, 1, POLICY, 0)).toBeNull();
    expect(retryWait({ kind: "aborted" }, 1, POLICY, 0)).toBeNull();
  });
});

describe("withRetry", () => {
  it("tries ten times in a storm and returns the last failure", async () => {
    const waits: number[] = [];
    let tries = 0;
    const outcome = await withRetry(
      async () => {
        tries++;
        return { kind: "failed" as const, failure: overload };
      },
      POLICY,
      { sleep: async (ms) => void waits.push(ms), random: () => 0, onRetry: () => undefined },
    );
    expect(outcome).toEqual({ kind: "failed", failure: overload });
    expect(tries).toBe(10);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(243_000);
  });
});
