/** The reserve of the wrap-up: who may use it, and when the rest could not pay one. */
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import { foldAll } from "../../src/core/fold.js";
import { unpayable, usableMs, usableShare } from "../../src/core/reserve.js";
import type { RunState } from "../../src/core/run-state.js";
import type { Limits } from "../../src/core/settings.js";
import { UNKNOWN_USAGE, type Usage } from "../../src/core/usage.js";
import { agentEnded, iterationEnded, iterationStarted, started, timeline, used } from "../journal/events.js";

const HOUR = 3_600_000;

function stateOf(usages: Usage[], activeMs = 1_000, raised: Partial<Record<"tokens" | "costMicroUsd" | "timeMs", number>> = {}): RunState {
  const state = foldAll(
    timeline([
      [0, started(), { type: "limits.raised", iterations: 0, tokens: 0, costMicroUsd: 0, timeMs: 0, by: "me", ...raised }],
      ...usages.map((usage, at) => [at + 1, iterationStarted(), agentEnded(), iterationEnded({ usage, activeMs })] as const),
    ]),
  );
  if (state === null) throw new Error("no state");
  return state;
}
const settingsOf = (limits: Partial<Limits> = {}, once = false) => ({ ...DEFAULT_SETTINGS, once, limits: { ...DEFAULT_SETTINGS.limits, ...limits } });

describe("of tokens and cost", () => {
  it.each([
    ["work", false, 0.9],
    ["stepBack", false, 0.9],
    ["wrapUp", false, 1],
    ["work", true, 1],
  ] as const)("%s (the only iteration: %s) may use %s", (mode, once, share) => expect(usableShare(mode, settingsOf({}, once))).toBe(share));
});

describe("of the time", () => {
  it("work leaves a tenth, the wrap-up and a single iteration leave nothing", () => {
    const state = stateOf([]);
    expect(usableMs("work", settingsOf({ timeMs: HOUR }), state)).toBe(0.9 * HOUR);
    expect(usableMs("wrapUp", settingsOf({ timeMs: HOUR }), state)).toBe(HOUR);
    expect(usableMs("work", settingsOf({ timeMs: HOUR }, true), state)).toBe(HOUR);
  });

  it("what people grant counts", () => expect(usableMs("work", settingsOf({ timeMs: HOUR }), stateOf([], 0, { timeMs: HOUR }))).toBe(1.8 * HOUR));

  // A wrap-up of less than half a minute ends before its agent has read the prompt: then work has all.
  it.each([
    [300_000, 270_000],
    [299_999, 299_999],
  ])("of %i ms work may use %i", (timeMs, usable) => expect(usableMs("work", settingsOf({ timeMs }), stateOf([]))).toBe(usable));
});

describe("a wrap-up", () => {
  it.each([
    [30_000, null],
    [29_000, "29 s of time"],
    [0, "0 s of time"],
    [-5_000, "0 s of time"],
  ])("with %i ms left is unpayable: %s", (left, why) => {
    expect(unpayable({ settings: settingsOf({ timeMs: HOUR }), state: stateOf([UNKNOWN_USAGE], HOUR - left) })).toBe(why);
  });

  it.each<[string, Usage[], Partial<Limits>, string | null]>([
    ["takes a twentieth of the cheapest iteration's tokens", [used(2_000, 0, null), used(1_000, 0, null)], { tokens: 3_050 }, null],
    ["can't be paid with less tokens", [used(2_000, 0, null), used(1_000, 0, null)], { tokens: 3_049 }, "49 tokens"],
    ["takes a twentieth of the cheapest iteration's cost", [used(0, 0, 2_000_000), used(0, 0, 1_000_000)], { costMicroUsd: 3_050_000 }, null],
    ["can't be paid with less money", [used(0, 0, 2_000_000), used(0, 0, 1_000_000)], { costMicroUsd: 3_040_000 }, "$0.04"],
    ["is payable where nothing is limited", [used(1_000, 0, 1_000)], {}, null],
    ["is payable where nobody reported what work takes", [UNKNOWN_USAGE], { tokens: 1, costMicroUsd: 1 }, null],
    // An iteration that met its limit at once reports nothing used: it says nothing about what work takes.
    ["is measured by the iterations that worked, beside those that used nothing", [used(0, 0, 0), used(1_000, 0, 0)], { tokens: 1_049 }, "49 tokens"],
    ["is measured by those that reported, beside those that did not", [UNKNOWN_USAGE, used(1_000, 0, null)], { tokens: 1_049 }, "49 tokens"],
    ["is not measured by iterations that used nothing", [used(0, 0, 0)], { tokens: 0, costMicroUsd: 0 }, null],
  ])("%s", (_name, usages, limits, why) => expect(unpayable({ settings: settingsOf(limits), state: stateOf(usages) })).toBe(why));

  it("is payable again when a person grants more", () => {
    const settings = settingsOf({ tokens: 1_000, costMicroUsd: 1_000, timeMs: 1_000 });
    const spent = [used(1_000, 0, 1_000)];
    expect(unpayable({ settings, state: stateOf(spent, 1_000) })).toBe("0 s of time");
    expect(unpayable({ settings, state: stateOf(spent, 1_000, { timeMs: HOUR }) })).toBe("0 tokens");
    expect(unpayable({ settings, state: stateOf(spent, 1_000, { timeMs: HOUR, tokens: 50 }) })).toBe("$0.00");
    expect(unpayable({ settings, state: stateOf(spent, 1_000, { timeMs: HOUR, tokens: 50, costMicroUsd: 50 }) })).toBeNull();
  });
});
