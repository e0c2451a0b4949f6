/** The warning of a full context: who can be reached how, what is estimated, what counts as taken in. */
import { describe, expect, it } from "vitest";
import { EMPTY_WATCH } from "../../src/core/brakes/watch-state.js";
import { contextNote, estimatedTokens, fullAnswers, noteChannel, seenCharacters } from "../../src/core/context-warning.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import { Session } from "../../src/driver/session.js";
import { warningWords } from "../../src/report/words.js";

const agent = (over: Partial<Parameters<typeof noteChannel>[0]>) => ({ kind: "claude", args: [], output: "events" as const, ...over });

function session(prompt = "") {
  return new Session({ settings: DEFAULT_SETTINGS, watch: EMPTY_WATCH, baseline: [], exempt: [], read: () => null, prompt, model: null, plainText: false });
}

describe("the way to a working agent", () => {
  it.each([
    [agent({}), "message"],
    [agent({ kind: "anthropic" }), "message"],
    [agent({ args: ["--input-format=text"] }), "file"],
    [agent({ kind: "codex" }), "file"],
    [agent({ kind: "acp:some-agent" }), "file"],
    [agent({ kind: "command" }), "file"],
    [agent({ kind: "command", output: "text" }), "none"],
  ] as const)("%j: %s", (of, channel) => expect(noteChannel(of)).toBe(channel));
});

describe("the size of a context", () => {
  // A lower bound: what is not the agent's to read adds nothing.
  it.each<[string, Parameters<typeof seenCharacters>[0], number]>([
    ["words", { type: "text", text: "four" }, 4],
    ["a call's arguments", { type: "toolCall", id: "1", name: "x", input: { a: 1 } }, 7],
    ["a call without arguments", { type: "toolCall", id: "1", name: "x", input: undefined }, 2],
    ["a result", { type: "toolResult", id: "1", ok: true, exitCode: 0, output: "out" }, 3],
    ["what belongs to no conversation", { type: "unknown", raw: "a line" }, 0],
  ])("grows by %s", (_name, event, characters) => expect(seenCharacters(event)).toBe(characters));

  it("is estimated at four characters a token", () => expect([0, 4, 6, 400].map(estimatedTokens)).toEqual([0, 1, 2, 100]));

  // The built-in agent hands over by itself first; others are ended when they were found full.
  it.each([
    ["anthropic", 3],
    ["replay", 3],
    ["claude", 1],
    ["command", 1],
  ])("may be full for the answers of %s: %i", (kind, answers) => expect(fullAnswers(kind)).toBe(answers));

  it("is told with the number at which the iteration ends, unless it is a guess", () => {
    expect(contextNote({ tokens: 71_000, estimated: false }, 80_000)).toMatch(
      /^Note from the driver: Your context holds 71000 tokens and this iteration is ended at 80000; .*`\.ralph\/progress\.md`.*word for word\.$/,
    );
    expect(contextNote({ tokens: 71_000, estimated: true }, 80_000)).toMatch(/holds about 71000 tokens and is filling up; /);
  });

  it("is what the agent reports; without a report it is estimated, and marked as that", () => {
    const seen = session("p".repeat(400));
    seen.take({ type: "toolCall", id: "1", name: "x", input: {} }, 0);
    seen.take({ type: "toolResult", id: "1", ok: true, exitCode: null, output: "o".repeat(398) }, 0);
    expect(seen.contextSize()).toEqual({ tokens: 200, estimated: true });
    seen.take({ type: "usage", scope: "delta", inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null, contextTokens: 9_000 }, 0);
    expect(seen.contextSize()).toEqual({ tokens: 9_000, estimated: false });
  });

  it("shows in a recorded stream that a note arrived, although the driver that gave it is dead", () => {
    const seen = session();
    seen.take({ type: "noteTaken", text: "note" }, 0);
    expect(seen.warned).toEqual({ tokens: 0, estimated: true, channel: "message", delivered: true });
  });

  it("is named with what became of the warning", () => {
    expect(warningWords({ tokens: 71_000, estimated: true, channel: "file", delivered: false })).toBe(
      "context at ~71,000 tokens, told by a file, which it was not seen to take in",
    );
    expect(warningWords({ tokens: 71_000, estimated: false, channel: "none", delivered: null })).toContain("not told");
    expect(contextNote({ tokens: 71_000, estimated: true }, 80_000)).not.toContain("80000");
  });
});
