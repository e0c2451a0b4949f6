/** Limits, waits and agents that do not work: what ends a run or lets it rest, and what a person reads of it. */
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import type { JournalBody } from "../../src/core/journal-event.js";
import type { RunState } from "../../src/core/run-state.js";
import type { Limits } from "../../src/core/settings.js";
import { type Ended, HOUR, NOW, next, progress, reason, stateOf } from "./deciding.js";

describe("limits", () => {
  it("has one iteration where only one was asked for, whatever the limit says, and no wrap-up in it", () => {
    const once = { settings: { once: true } };
    expect(next(stateOf([]), once)).toMatchObject({ kind: "run", mode: "work" });
    expect(next(stateOf(progress(1)), once)).toMatchObject({ reason: "iterations", summary: "The limit of 1 iteration is used up." });
    expect(next(stateOf([]), { ...once, limits: { iterations: 0 } })).toMatchObject({ kind: "run" });
    const nearly = stateOf([{ class: "infrastructure", tokens: 980 }], [{ type: "wait.ended", waitedMs: 1 }]);
    expect(next(nearly, { ...once, limits: { tokens: 1_000 } })).toMatchObject({ kind: "run", mode: "work" });
  });

  it("may be none of iterations", () => {
    expect(next(stateOf(progress(40)), { limits: { iterations: null } })).toMatchObject({ kind: "run", mode: "work" });
  });

  it.each<[string, Partial<Limits>, string]>([
    ["iterations", { iterations: 2 }, "The limit of 2 iterations is used up."],
    ["tokens", { tokens: 500 }, "The limit of 500 tokens is used up. Nothing was left for a wrap-up."],
    ["cost", { costMicroUsd: 500_000 }, "The limit of $0.50 is used up. Nothing was left for a wrap-up."],
    ["time", { timeMs: HOUR }, "The limit of 60 minutes is used up. Nothing was left for a wrap-up."],
  ])("that stops by %s says so in words", (why, limits, summary) => {
    const state = stateOf(Array.from({ length: 2 }, (_, n) => ({ tree: `w${n + 1}`, tokens: 250, cost: 250_000, activeMs: HOUR / 2 })));
    expect(next(state, { limits })).toMatchObject({ kind: "stop", reason: why, summary });
  });

  it("that a wrap-up used up does not complain of a missing one", () => {
    const wrapped = stateOf([{ tree: "w1", tokens: 1_000, mode: "wrapUp" }]);
    expect(next(wrapped, { limits: { tokens: 1_000 } })).toMatchObject({ evidence: [], summary: "The limit of 1000 tokens is used up." });
    const reserve = stateOf([{ tree: "w1", tokens: 950, mode: "wrapUp" }]);
    expect(next(reserve, { limits: { tokens: 1_000 } })).toMatchObject({
      evidence: [],
      summary: "The limit of 1000 tokens is used up to the wrap-up's reserve.",
    });
  });

  it.each<[string, Partial<Limits>, Partial<Record<"iterations" | "tokens" | "costMicroUsd" | "timeMs", number>>, string]>([
    ["iterations", { iterations: 2 }, { iterations: 1 }, "wrapUp"],
    ["tokens", { tokens: 500 }, { tokens: 500 }, "work"],
    ["cost", { costMicroUsd: 500_000 }, { costMicroUsd: 500_000 }, "work"],
    ["time", { timeMs: HOUR }, { timeMs: HOUR }, "work"],
  ])("of %s grows by what a person grants", (_name, limits, grant, mode) => {
    const iterations = Array.from({ length: 2 }, (_, n) => ({ tree: `w${n + 1}`, tokens: 250, cost: 250_000, activeMs: HOUR / 2 }));
    const granted: JournalBody = { type: "limits.raised", iterations: 0, tokens: 0, costMicroUsd: 0, timeMs: 0, by: "me", ...grant };
    expect(next(stateOf(iterations), { limits })).toMatchObject({ kind: "stop", evidence: [] });
    expect(next(stateOf(iterations, [granted]), { limits })).toMatchObject({ kind: "run", mode });
  });

  it("that were raised and are used up again are named as they are now", () => {
    const granted: JournalBody = { type: "limits.raised", iterations: 1, tokens: 500, costMicroUsd: 500_000, timeMs: HOUR, by: "me" };
    const said = (limits: Partial<Limits>) => next(stateOf([{ tree: "w1", tokens: 1_000, cost: 1_000_000, activeMs: 2 * HOUR }], [granted]), { limits });
    expect(said({ tokens: 500 })).toMatchObject({ summary: expect.stringContaining("The limit of 1000 tokens is used up.") });
    expect(said({ costMicroUsd: 500_000 })).toMatchObject({ summary: expect.stringContaining("The limit of $1.00 is used up.") });
    expect(said({ timeMs: HOUR })).toMatchObject({ summary: expect.stringContaining("The limit of 120 minutes is used up.") });
  });

  it("of no iteration starts none", () => {
    expect(reason(next(stateOf([]), { limits: { iterations: 0 } }))).toBe("iterations");
  });

  it("makes the iteration beyond the limit impossible", () => {
    expect(reason(next(stateOf(progress(19))))).toBe("run");
    expect(reason(next(stateOf(progress(20))))).toBe("iterations");
  });

  it("makes the last allowed iteration the wrap-up, but never the only one", () => {
    expect(next(stateOf(progress(18)))).toMatchObject({ mode: "work" });
    expect(next(stateOf(progress(19)))).toMatchObject({ mode: "wrapUp" });
    const granted: JournalBody = { type: "limits.raised", iterations: 5, tokens: 0, costMicroUsd: 0, timeMs: 0, by: "me" };
    expect(next(stateOf(progress(23), [granted]))).toMatchObject({ mode: "work" });
    expect(next(stateOf(progress(24), [granted]))).toMatchObject({ mode: "wrapUp" });
    expect(next(stateOf([]), { limits: { iterations: 1 } })).toMatchObject({ mode: "work" });
  });

  it("keeps a tenth of tokens, cost and time for the wrap-up", () => {
    const at = (share: number): RunState => stateOf([{ tree: "w1", tokens: 1_000 * share, cost: 1_000 * share, activeMs: HOUR * share }]);
    for (const limits of [{ tokens: 1_000 }, { costMicroUsd: 1_000 }, { timeMs: HOUR }]) {
      expect(next(at(0.89), { limits })).toMatchObject({ mode: "work" });
      expect(next(at(0.9), { limits })).toMatchObject({ mode: "wrapUp" });
      expect(next(at(1), { limits }).kind).toBe("stop");
    }
  });

  it("skips a wrap-up that the rest can't pay, and says so", () => {
    const big = { tree: "w1", tokens: 9_600, cost: 9_600, activeMs: 60_000 };
    for (const limits of [{ tokens: 10_000 }, { costMicroUsd: 10_000 }, { timeMs: 85_000 }]) {
      const decision = next(stateOf([big]), { limits });
      const timed = "timeMs" in limits;
      if (timed) expect(decision).toMatchObject({ mode: "work" });
      else
        expect(decision).toMatchObject({ kind: "stop", evidence: [], summary: expect.stringMatching(/wrap-up was skipped: (400 tokens|\$0\.00) can't pay/) });
    }
    expect(next(stateOf([{ tree: "w1", activeMs: 280_000 }]), { limits: { timeMs: 300_000 } })).toMatchObject({
      reason: "time",
      summary: expect.stringContaining("20 s of time"),
    });
  });

  it("stops after the wrap-up although the reserve is not empty", () => {
    const state = stateOf([
      { tree: "w1", tokens: 900 },
      { tree: "w2", tokens: 20, mode: "wrapUp" },
    ]);
    expect(reason(next(state, { limits: { tokens: 1_000 } }))).toBe("tokens");
  });

  it("BC-01 lets unknown cost and tokens hold nothing", () => {
    for (const least of [0, 1]) expect(reason(next(stateOf(progress(3)), { limits: { tokens: least, costMicroUsd: least } }))).toBe("run");
  });

  it("goes on when a person grants more", () => {
    const granted: JournalBody = { type: "limits.raised", iterations: 5, tokens: 0, costMicroUsd: 0, timeMs: 0, by: "me" };
    expect(reason(next(stateOf(progress(20), [granted])))).toBe("run");
  });

  it("RL-13 does not spend iterations on limits, logins and infrastructure", () => {
    const state = stateOf([
      { class: "limit", ending: { finishedOk: false, limit: { kind: "account", resumeAtMs: null, message: "x" } } },
      { class: "infrastructure" },
      { tree: "w1" },
    ]);
    expect(state.spent).toBe(1);
  });
});

describe("an agent that does not work", () => {
  const quick: Ended = { class: "infrastructure", ending: { exit: { kind: "exited", code: 2 }, finishedOk: null, toolCalls: 0, durationMs: 100 } };
  it("PH-13 ends after three endings at once, and waits in between", () => {
    expect(reason(next(stateOf([quick, quick])))).toBe("wait");
    const last: Ended = { ...quick, ending: { ...quick.ending, exit: { kind: "exited", code: 9 } } };
    expect(next(stateOf([quick, quick, last]))).toEqual({
      kind: "stop",
      reason: "cannot_start_agent",
      verified: false,
      summary: "The agent ended at once 3 times in a row: exit code 9",
      evidence: ["exit code 9"],
      hit: null,
    });
  });

  it("ends after twenty endings outside of the work, however long each took", () => {
    const network: Ended = { class: "infrastructure", ending: { exit: { kind: "exited", code: 1 }, error: { kind: "network", message: "no route" } } };
    expect(reason(next(stateOf(Array.from({ length: 19 }, () => network))))).toBe("wait");
    expect(next(stateOf(Array.from({ length: 20 }, () => network)))).toMatchObject({
      reason: "cannot_start_agent",
      summary: "20 iterations in a row failed outside the work: no route",
      evidence: ["no route"],
    });
  });

  it("that never started counts as gone at once, however long that took", () => {
    const never: Ended = { class: "infrastructure", ending: { exit: { kind: "cannotStart", message: "ENOENT" }, toolCalls: 3, durationMs: 60_000 } };
    expect(next(stateOf([never, never, never]))).toMatchObject({ reason: "cannot_start_agent", summary: "The agent ended at once 3 times in a row: ENOENT" });
  });

  it("RL-14 ends when the login is gone", () => {
    expect(next(stateOf([{ tree: "w1" }, { class: "auth", ending: { error: { kind: "auth", message: "401" }, finishedOk: false } }]))).toMatchObject({
      reason: "auth",
      summary: "The agent is not logged in any more: 401",
      evidence: ["401"],
    });
  });
});

describe("waiting", () => {
  const limited = (resumeAtMs: number | null): Ended => ({
    class: "limit",
    ending: { finishedOk: false, limit: { kind: "account", resumeAtMs, message: "resets later" } },
  });

  it("waits for the reset time plus slack", () => {
    expect(next(stateOf([limited(NOW + HOUR)]))).toMatchObject({ kind: "wait", untilMs: NOW + HOUR + 60_000 });
  });

  it("RL-11 backs off, longer each time, when no usable time is known", () => {
    const once = next(stateOf([limited(null)]));
    const twice = next(stateOf([limited(NOW - HOUR), limited(NOW - HOUR)]));
    expect([once, twice].map((decision) => decision.kind === "wait" && decision.untilMs - NOW)).toEqual([300_000, 600_000]);
  });

  it("waits once after an iteration, then tries again", () => {
    const state = stateOf(
      [limited(null)],
      [
        { type: "wait.started", untilMs: NOW, why: "x" },
        { type: "wait.ended", waitedMs: 300_000 },
      ],
    );
    expect(reason(next(state))).toBe("run");
  });

  it("ST-11 goes on with a wait that a restart interrupted", () => {
    const state = stateOf([limited(null)], [{ type: "wait.started", untilMs: NOW + HOUR, why: "x" }]);
    expect(next(state)).toMatchObject({ kind: "wait", untilMs: NOW + HOUR });
  });

  it("waits as the agent asked, longer each time it asks again, up to the longest", () => {
    const { firstMs, maxMs } = DEFAULT_SETTINGS.backoff;
    const asked = (times: number) => next(stateOf(Array.from({ length: times }, () => ({ class: "waiting" as const }))));
    expect(asked(1)).toEqual({ kind: "wait", untilMs: NOW + firstMs, why: "the agent asked to wait" });
    expect(asked(3)).toMatchObject({ untilMs: NOW + 4 * firstMs });
    expect(asked(19)).toMatchObject({ untilMs: NOW + maxMs });
  });

  it("does not make a wait longer because the clock was set back", () => {
    const state = stateOf([limited(null)], [{ type: "wait.started", untilMs: NOW + HOUR, why: "x" }]);
    expect(next(state, { nowMs: NOW - 10 * HOUR })).toMatchObject({ kind: "wait", untilMs: NOW - 9 * HOUR });
  });

  it("has a leash over all waits together", () => {
    const limits = { limitWaitMs: 2 * HOUR };
    const served: JournalBody[] = [
      { type: "wait.started", untilMs: NOW, why: "x" },
      { type: "wait.ended", waitedMs: HOUR },
    ];
    const waited = (ms: number) => stateOf([{ ...limited(null), between: served }], [{ type: "wait.started", untilMs: NOW + ms, why: "account limit" }]);
    expect(next(waited(HOUR), { limits })).toMatchObject({ kind: "wait" });
    expect(next(waited(HOUR + 1), { limits })).toMatchObject({
      reason: "time",
      summary: "Waiting any longer would exceed the leash on waiting: account limit",
      evidence: ["account limit"],
    });
  });

  it("ends when the leash on waiting is used up", () => {
    expect(reason(next(stateOf([limited(NOW + 25 * HOUR)])))).toBe("time");
  });

  it("backs off from a throttle, and takes no slack on top of a time that the API names", () => {
    const throttled = (resumeAtMs: number | null): Ended => ({
      class: "limit",
      ending: { finishedOk: false, limit: { kind: "throttle", resumeAtMs, message: "slow down" } },
    });
    const { firstMs } = DEFAULT_SETTINGS.backoff;
    expect(next(stateOf([throttled(null)]))).toMatchObject({ kind: "wait", untilMs: NOW + firstMs });
    expect(next(stateOf([throttled(null), throttled(NOW - 1)]))).toMatchObject({ untilMs: NOW + 2 * firstMs });
    expect(next(stateOf([throttled(NOW + 1_200)]))).toMatchObject({ untilMs: NOW + firstMs });
    expect(next(stateOf([throttled(NOW + 60_000)]))).toMatchObject({ untilMs: NOW + 60_000 });
  });

  it("waits also after an iteration that worked before it met its limit", () => {
    const worked: Ended = { ...limited(NOW + HOUR), tree: "w1", class: "progress" };
    expect(next(stateOf([worked])).kind).toBe("wait");
  });
});
