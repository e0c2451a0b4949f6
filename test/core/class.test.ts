/** How an iteration ended: the world first, the exit code last. */
import { describe, expect, it } from "vitest";
import { classify } from "../../src/core/class.js";
import { type Ending, NO_CLAIMS } from "../../src/core/journal-event.js";
import type { IterationClass } from "../../src/core/words.js";

const CLEAN: Ending = { exit: { kind: "exited", code: 0 }, finishedOk: true, error: null, limit: null, toolCalls: 3, outputBytes: 100, durationMs: 60_000 };
const LIMIT = { kind: "account", resumeAtMs: null, message: "limit" };

function classOf(ending: Partial<Ending>, options: { progressed?: boolean; claims?: Partial<typeof NO_CLAIMS> } = {}): IterationClass {
  return classify({ ending: { ...CLEAN, ...ending }, claims: { ...NO_CLAIMS, ...options.claims }, progressed: options.progressed === true });
}

describe("an iteration that changed something", () => {
  it.each<[string, Partial<Ending>]>([
    ["SD-18 and was killed before its final event", { exit: { kind: "signalled", signal: "SIGKILL" }, finishedOk: null }],
    ["and timed out", { exit: { kind: "stopped", cause: "iteration_timeout" }, finishedOk: null }],
    ["and met its limit", { exit: { kind: "exited", code: 1 }, finishedOk: false, limit: LIMIT }],
    ["and exited 1", { exit: { kind: "exited", code: 1 }, finishedOk: null }],
  ])("%s has worked", (_name, ending) => {
    expect(classOf(ending, { progressed: true })).toBe("progress");
  });
});

describe("an iteration that changed nothing", () => {
  it.each<[string, Partial<Ending>, IterationClass]>([
    ["CD-18 exited 0 in silence", { finishedOk: null, toolCalls: 0 }, "no_op"],
    ["exited 1 without a word", { exit: { kind: "exited", code: 1 }, finishedOk: null }, "infrastructure"],
    ["could not start", { exit: { kind: "cannotStart", message: "ENOENT" }, finishedOk: null }, "infrastructure"],
    ["fell silent", { exit: { kind: "stopped", cause: "idle" }, finishedOk: null }, "infrastructure"],
    ["never said anything", { exit: { kind: "stopped", cause: "first_output" }, finishedOk: null }, "infrastructure"],
    ["ran out of time", { exit: { kind: "stopped", cause: "iteration_timeout" }, finishedOk: null }, "timeout"],
    ["was stopped by a person", { exit: { kind: "stopped", cause: "human" }, finishedOk: null }, "killed"],
    ["was ended by a brake", { exit: { kind: "stopped", cause: "brake" }, finishedOk: null }, "no_op"],
    ["was killed by somebody", { exit: { kind: "signalled", signal: "SIGKILL" }, finishedOk: null }, "killed"],
    ["stayed after its result", { exit: { kind: "stopped", cause: "settled" } }, "no_op"],
    [
      "stayed after it told its failure",
      { exit: { kind: "stopped", cause: "settled" }, finishedOk: false, error: { kind: "context", message: "too long" } },
      "infrastructure",
    ],
    ["RL-14 was logged out", { exit: { kind: "exited", code: 1 }, finishedOk: false, error: { kind: "auth", message: "401" } }, "auth"],
    ["met an account limit", { exit: { kind: "exited", code: 1 }, finishedOk: false, limit: LIMIT }, "limit"],
    ["SP-06 met a limit on the way and succeeded", { limit: LIMIT }, "no_op"],
    ["SP-07 lost the network", { exit: { kind: "exited", code: 1 }, finishedOk: false, error: { kind: "network", message: "disconnected" } }, "infrastructure"],
    [
      "PR-10 overflowed its context",
      { exit: { kind: "exited", code: 1 }, finishedOk: false, error: { kind: "context", message: "too long" } },
      "infrastructure",
    ],
    ["refused", { exit: { kind: "exited", code: 1 }, finishedOk: false, error: { kind: "refusal", message: "no" } }, "no_op"],
    ["met its own turn cap", { exit: { kind: "exited", code: 1 }, finishedOk: false, error: { kind: "turn_cap", message: "50" } }, "no_op"],
  ])("and %s", (_name, ending, expected) => {
    expect(classOf(ending)).toBe(expected);
  });

  it("SD-13 waits when told to, SD-16 is blocked when asked for a person", () => {
    expect(classOf({}, { claims: { wait: "the build" } })).toBe("waiting");
    expect(classOf({}, { claims: { blocked: "which key?" } })).toBe("blocked");
    expect(classOf({}, { claims: { gutter: true } })).toBe("blocked");
  });
});
