/** Explorers: a context of their own, tools that only look, the conclusion alone comes back, and everything is paid for in one ledger. */
import { describe, expect, it } from "vitest";
import { EXPLORE_BOUNDS } from "../../../src/agents/anthropic/explore.js";
import { ofType, talk } from "./harness.js";

interface Body {
  system: { text: string }[];
  tools: { name: string }[];
  messages: { role: string; content: { type: string; text?: string; content?: string; is_error?: boolean }[] }[];
}

const ask = { calls: [{ tool: { name: "explore", input: { question: "Where is the port read?" } } }], usage: { input: 100, output: 10 } };
const look = (input: number) => ({ text: "Looking.", calls: [{ read: { path: "a.txt" } }], usage: { input, output: 5 } });
const FILES = { files: { "a.txt": `port 8080 ${"detail ".repeat(300)}\n` } };

describe("an explorer", () => {
  it("gets the question alone, can only look, and gives back its conclusion alone", async () => {
    const run = await talk(
      [ask, look(20), { text: "In a.txt:1.", usage: { input: 30, output: 5 } }, { text: "Done.", usage: { input: 120, output: 5 } }],
      FILES,
    );
    expect(run.ok).toBe(true);
    const bodies = run.requests.map((request) => request.body as Body);
    expect(bodies[1]?.messages).toHaveLength(1);
    expect(bodies[1]?.messages[0]?.content[0]?.text).toBe("Where is the port read?");
    expect(bodies[1]?.tools.map(({ name }) => name)).toEqual(["find", "grep", "read"]);
    expect(bodies[3]?.messages.at(-1)?.content).toMatchObject([{ type: "tool_result", content: "In a.txt:1." }]);
    expect(JSON.stringify(bodies[3])).not.toContain("detail detail");
    expect(run.events.at(-1)).toEqual({ type: "finished", ok: true, text: "Done." });
    expect(ofType(run.events, "text").map(({ text }) => text)).toEqual(["Done."]);
  });

  it("counts what it uses, and not the size of its context", async () => {
    const run = await talk([ask, look(20), { text: "There.", usage: { input: 30, output: 5 } }, { text: "Done.", usage: { input: 120, output: 5 } }], FILES);
    const usage = ofType(run.events, "usage");
    expect(usage.map(({ inputTokens, contextTokens }) => [inputTokens, contextTokens])).toEqual([
      [100, 100],
      [20, undefined],
      [30, undefined],
      [120, 120],
    ]);
    expect(usage.every(({ costUsd }) => costUsd !== null && costUsd > 0)).toBe(true);
    expect(ofType(run.events, "toolCall").map(({ name }) => name)).toEqual(["explore", "read"]);
  });

  it("concludes when its context or its answers are used up", async () => {
    const full = await talk([ask, look(EXPLORE_BOUNDS.rotateTokens), { text: "So far: a.txt.", usage: { input: 1, output: 1 } }, { text: "Done." }], FILES);
    expect(full.requests).toHaveLength(4);
    expect((full.requests[3]?.body as Body).messages.at(-1)?.content[0]?.content).toBe("So far: a.txt.");
    const long = await talk([ask, { ...look(20), times: EXPLORE_BOUNDS.turns - 1 }, { text: "Enough." }, { text: "Done." }], FILES);
    expect(long.requests).toHaveLength(1 + EXPLORE_BOUNDS.turns + 1);
    expect((long.requests.at(-1)?.body as Body).messages.at(-1)?.content[0]?.content).toBe("Enough.");
    expect(long.ok).toBe(true);
  });

  it("that fails is an error of its call, not of the iteration", async () => {
    const run = await talk([ask, { text: "I must not", stop: "refusal" }, { text: "Then I look myself." }], FILES);
    expect(run.ok).toBe(true);
    expect((run.requests[2]?.body as Body).messages.at(-1)?.content[0]).toMatchObject({ is_error: true, content: expect.stringContaining("no conclusion") });
  });
});
