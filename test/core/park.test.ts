/** What parking a task answers, and what it must not. */
import { describe, expect, it } from "vitest";
import { foldAll } from "../../src/core/fold.js";
import type { StopReason } from "../../src/core/words.js";
import { iterationStarted, started, timeline } from "../journal/events.js";

const hit = (reason: StopReason) => ({ type: "brake.hit" as const, hit: { reason, summary: "s", signature: "x", lastActions: [], advice: "a" } });

describe("parking a task", () => {
  it.each<[StopReason, boolean]>([
    ["gutter_command", true],
    ["no_progress", true],
    ["tampering", false],
    ["oscillation", false],
  ])("a hit of %s is answered: %s", (reason, answered) => {
    const state = foldAll(
      timeline([
        [0, started()],
        [1, iterationStarted(), hit(reason), { type: "task.parked", task: "t", question: "q" }],
      ]),
    );
    expect(state?.hit === null).toBe(answered);
  });
});
