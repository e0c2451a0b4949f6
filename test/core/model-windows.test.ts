/** When a context counts as full: the absolute numbers, or the share of a window that is known. */
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import { contextLimits, windowOf } from "../../src/core/model-windows.js";
import { Session } from "../../src/driver/session.js";
import { EMPTY_WATCH } from "../../src/core/brakes/watch-state.js";
import { settled } from "../config/fixture.js";

const settings = { ...DEFAULT_SETTINGS, context: { ...DEFAULT_SETTINGS.context, windows: { small: 128_000 } } };
const { context } = settings;
const full = (contextTokens: number) => ({
  type: "usage" as const,
  scope: "delta" as const,
  inputTokens: 1,
  cachedInputTokens: 0,
  outputTokens: 1,
  costUsd: null,
  contextTokens,
});

it.each([
  ["anthropic/claude-haiku-4-5", 200_000],
  ["claude-sonnet-4-5[1m]", 1_000_000],
  ["claude-sonnet-4-5", 200_000],
  ["mine", 32_000],
  ["local/mine", 32_000],
  ["never-heard-of", null],
  ["constructor", null],
  [null, null],
])("the window of %s is %s", (model, window) => expect(windowOf(model, { mine: 32_000 })).toBe(window));

describe("a full context", () => {
  it("is 40 % of a known smaller window, else the absolute numbers", () => {
    expect(contextLimits(context, "small")).toEqual({ warnTokens: 44_800, rotateTokens: 51_200 });
    expect(contextLimits(context, "claude-opus-5-5")).toEqual({ warnTokens: 70_000, rotateTokens: 80_000 });
    expect(contextLimits(context, "never-heard-of")).toEqual({ warnTokens: 70_000, rotateTokens: 80_000 });
    expect(contextLimits({ ...context, sharePercent: null }, "small").rotateTokens).toBe(80_000);
  });

  it("is what a person says, and the share only where it is said too", () => {
    expect(contextLimits(settled({ plan: "context: { rotate: 100k, windows: { small: 128k } }" }).settings.context, "small").rotateTokens).toBe(100_000);
    const both = settled({ plan: "context:\n  rotate: 100k\n  share: 50\n  windows: { Local_Model: 64k, small: 128k }" }).settings.context;
    expect([contextLimits(both, "small").rotateTokens, contextLimits(both, "Local_Model").rotateTokens]).toEqual([64_000, 32_000]);
  });

  it("goes by the model that the agent names, whatever the settings say, and only by reported sizes", () => {
    const session = new Session({
      settings,
      watch: EMPTY_WATCH,
      baseline: [],
      exempt: [],
      read: () => null,
      prompt: "p".repeat(4 * 90_000),
      model: "claude-opus-5-5",
      plainText: false,
    });
    expect([session.contextSize().estimated, session.fullAnswers]).toEqual([true, 0]);
    session.take(full(60_000), 0);
    expect(session.fullAnswers).toBe(0);
    session.take({ type: "started", model: "small" }, 0);
    session.take(full(60_000), 0);
    expect(session.fullAnswers).toBe(1);
  });
});
