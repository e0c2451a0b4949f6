/** The loop against a replay server: every way an answer can end, and what is sent back. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LoggedRequest } from "../../../src/agents/replay/server.js";
import { ofType, talk } from "./harness.js";

interface Body {
  messages: { role: string; content: { type: string; text?: string; is_error?: boolean; tool_use_id?: string; content?: string }[] }[];
  max_tokens: number;
}

function bodies(requests: readonly LoggedRequest[]): Body[] {
  return requests.map((request) => request.body as Body);
}

/** What the model was told last before the request with this number. */
function lastUser(requests: readonly LoggedRequest[], at: number) {
  return bodies(requests)[at]?.messages.at(-1)?.content ?? [];
}

describe("a task done with tools", () => {
  it("changes real files and ends with the final text", async () => {
    const run = await talk(
      [
        { thinking: "look", text: "I look.", calls: [{ read: { path: "a.txt" } }] },
        {
          calls: [
            { edit: { path: "a.txt", old: "one", new: "ONE" } },
            { write: { path: "sub/b.txt", content: "b\n" } },
            { bash: { command: "cat a.txt sub/b.txt" } },
          ],
        },
        { text: "All done." },
      ],
      { files: { "a.txt": "one\n" } },
    );
    expect(run.ok).toBe(true);
    expect(readFileSync(join(run.root, "a.txt"), "utf8")).toBe("ONE\n");
    expect(ofType(run.events, "toolCall").map(({ name, path, writes, content, command }) => ({ name, path, writes, content, command }))).toEqual([
      { name: "read", path: "a.txt" },
      { name: "edit", path: "a.txt", writes: true, content: "ONE\n" },
      { name: "write", path: "sub/b.txt", writes: true, content: "b\n" },
      { name: "bash", command: "cat a.txt sub/b.txt" },
    ]);
    expect(ofType(run.events, "toolResult").at(-1)).toMatchObject({ ok: true, exitCode: 0, output: "ONE\nb\n[exit code 0]" });
    expect(ofType(run.events, "text").map((event) => event.text)).toEqual(["I look.", "All done."]);
    expect(run.events.at(0)).toEqual({ type: "started", model: "claude-haiku-4-5" });
    expect(run.events.at(-1)).toEqual({ type: "finished", ok: true, text: "All done." });
  });

  it("sends thinking back unchanged", async () => {
    const run = await talk([{ thinking: "hm", calls: [{ bash: { command: "true" } }] }, { text: "ok" }]);
    const assistant = bodies(run.requests)[1]?.messages[1];
    expect(assistant?.content[0]).toMatchObject({ type: "thinking", thinking: "hm", signature: expect.stringMatching(/.+/) });
  });

  it("answers every call of a turn in order, unknown tools and bad input as errors", async () => {
    const run = await talk([
      { calls: [{ tool: { name: "nope", input: {} } }, { tool: { name: "read", input: { path: 7 } } }, { bash: { command: "exit 4" } }] },
      { text: "ok" },
    ]);
    expect(run.ok).toBe(true);
    const results = lastUser(run.requests, 1);
    expect(results.map((block) => [block.type, block.is_error])).toEqual([
      ["tool_result", true],
      ["tool_result", true],
      ["tool_result", true],
    ]);
    expect(results[0]?.content).toContain("there is no tool nope");
    expect(results[1]?.content).toContain("path");
    expect(results[2]?.content).toContain("[exit code 4]");
    expect(ofType(run.events, "toolResult").map((event) => event.exitCode)).toEqual([null, null, 4]);
  });
});

describe("endings of an answer", () => {
  it("does not run a call whose input was cut off, and raises the output limit", async () => {
    const run = await talk([
      { calls: [{ write: { path: "whole.txt", content: "w" } }, { write: { path: "cut.txt", content: "x".repeat(500) } }], stop: "max_tokens" },
      { text: "ok" },
    ]);
    expect(run.ok).toBe(true);
    expect(existsSync(join(run.root, "whole.txt"))).toBe(true);
    expect(existsSync(join(run.root, "cut.txt"))).toBe(false);
    expect(lastUser(run.requests, 1)[1]).toMatchObject({ is_error: true, content: expect.stringContaining("cut off") });
    expect(bodies(run.requests).map((body) => body.max_tokens)).toEqual([32_000, 64_000]);
  });

  it("gives up after four cut answers in a row", async () => {
    const run = await talk([{ text: "and so on", stop: "max_tokens", times: 9 }]);
    expect(run.ok).toBe(false);
    expect(run.requests).toHaveLength(4);
    expect(ofType(run.events, "error").at(-1)).toMatchObject({ kind: "other", fatal: true });
  });

  it("ends with a refusal and does not take its text as a message", async () => {
    const run = await talk([{ text: "I must not", stop: "refusal" }]);
    expect(run.ok).toBe(false);
    expect(ofType(run.events, "error")).toMatchObject([{ kind: "refusal", fatal: true }]);
    expect(ofType(run.events, "text")).toEqual([]);
    expect(run.events.at(-1)).toEqual({ type: "finished", ok: false, text: null });
  });

  it("ends when the model's window is full", async () => {
    const run = await talk([{ text: "half", stop: "model_context_window_exceeded" }]);
    expect(ofType(run.events, "error")).toMatchObject([{ kind: "context", fatal: true }]);
  });

  it("goes on after a pause without adding a user message, but not for ever", async () => {
    const run = await talk([{ text: "searching", stop: "pause_turn" }, { text: "ok" }]);
    expect(bodies(run.requests)[1]?.messages.at(-1)?.role).toBe("assistant");
    expect(run.ok).toBe(true);
    expect((await talk([{ text: "searching", stop: "pause_turn", times: 20 }])).requests).toHaveLength(6);
  });

  it("nudges after an empty answer twice and then ends without a text", async () => {
    const run = await talk([{ text: "", times: 9 }]);
    expect(run.ok).toBe(true);
    expect(run.requests).toHaveLength(3);
    expect(run.events.at(-1)).toEqual({ type: "finished", ok: true, text: null });
    expect(lastUser(run.requests, 2)[0]?.text).toContain("empty");
  });

  it("stops at the cap of answers and says so to model and driver", async () => {
    const run = await talk([{ calls: [{ bash: { command: "true" } }], times: 50 }], { config: { maxTurns: 5 } });
    expect(run.ok).toBe(false);
    expect(run.requests).toHaveLength(5);
    expect(lastUser(run.requests, 4).at(-1)?.text).toContain("4 of 5 answers");
    expect(ofType(run.events, "error")).toMatchObject([{ kind: "turn_cap", fatal: true }]);
  });
});

describe("the size of the context", () => {
  const step = (input: number) => ({ calls: [{ bash: { command: "true" } }], usage: { input, output: 1 } });

  it("asks once to wrap up at the warning threshold", async () => {
    const run = await talk([step(10), step(70), step(75), { text: "noted" }], { config: { warnTokens: 60, rotateTokens: 80 } });
    const notes = bodies(run.requests)
      .at(-1)
      ?.messages.flatMap((message) => message.content.filter((block) => block.text?.startsWith("Note from the loop")));
    expect(notes).toHaveLength(1);
    const taken = run.events.findIndex((event) => event.type === "noteTaken");
    // Only the answer to it shows that it arrived.
    expect(run.events.slice(0, taken).filter((event) => event.type === "usage")).toHaveLength(3);
    expect(lastUser(run.requests, 1).map((block) => block.type)).toEqual(["tool_result"]);
    expect(lastUser(run.requests, 2).map((block) => block.type)).toEqual(["tool_result", "text"]);
    expect(run.ok).toBe(true);
  });

  const LATE = { calls: [{ write: { path: "late.txt", content: "" } }], usage: { input: 80, output: 1 } };
  const LIMITS = { config: { warnTokens: 60, rotateTokens: 80 } };

  it("ends cleanly at the rotation threshold, before running more tools, and hands over in the notes", async () => {
    const answer = "Sure.\n## Done\n- parsed dates\n\n**Decided:**\n- UTC, because logs are\n## Remaining\n- the tests\n";
    const run = await talk([step(10), LATE, { text: answer, usage: { input: 81, output: 1 } }], { ...LIMITS, files: { ".ralph/progress.md": "# Notes" } });
    expect(run.ok).toBe(true);
    expect(run.requests).toHaveLength(3);
    expect(existsSync(join(run.root, "late.txt"))).toBe(false);
    expect(lastUser(run.requests, 2).map((block) => block.type)).toEqual(["tool_result", "text"]);
    expect(readFileSync(join(run.root, ".ralph/progress.md"), "utf8")).toBe(
      "# Notes\n\n## Hand-over: the context was full\n\nDone:\n- parsed dates\nDecided:\n- UTC, because logs are\nRemaining:\nSure.\n- the tests\n",
    );
    expect(ofType(run.events, "toolCall").at(-1)).toMatchObject({ name: "hand_over", path: ".ralph/progress.md", writes: true });
    expect(run.events.at(-1)).toMatchObject({ type: "finished", ok: true, text: expect.stringContaining("hand-over is in the notes") });
  });

  it("rotates without a hand-over when none can be got, and says so", async () => {
    const run = await talk([LATE, { error: { status: 400, type: "invalid_request_error", message: "no" } }], LIMITS);
    expect(run.ok).toBe(true);
    expect(existsSync(join(run.root, ".ralph"))).toBe(false);
    expect(run.events.at(-1)).toMatchObject({ type: "finished", ok: true, text: expect.stringContaining("No hand-over") });
  });

  it("bounds a hand-over, whatever the model writes, and takes calls in it for nothing", async () => {
    const run = await talk(
      [LATE, { text: `## Done\n${"x".repeat(50_000)}`, calls: [{ write: { path: "late.txt", content: "" } }], usage: { input: 90, output: 1 } }],
      LIMITS,
    );
    expect(readFileSync(join(run.root, ".ralph/progress.md"), "utf8").length).toBeLessThan(2_000);
    expect(existsSync(join(run.root, "late.txt"))).toBe(false);
    expect(run.ok).toBe(true);
  });
});

describe("usage", () => {
  it("reports each answer, with its cost and the size of its prompt", async () => {
    const run = await talk([
      { calls: [{ bash: { command: "true" } }], usage: { input: 100, cacheWrite: 1000, cacheRead: 5000, output: 40 } },
      { text: "ok", usage: { input: 1, cacheRead: 6100, output: 2 } },
    ]);
    // haiku-4-5: 1 in, 5 out, 0.1 read, 1.25 written a million.
    expect(ofType(run.events, "usage")).toEqual([
      { type: "usage", scope: "delta", inputTokens: 1100, cachedInputTokens: 5000, outputTokens: 40, costUsd: 0.00205, contextTokens: 6100 },
      { type: "usage", scope: "delta", inputTokens: 1, cachedInputTokens: 6100, outputTokens: 2, costUsd: 0.000621, contextTokens: 6101 },
    ]);
  });

  it("BC-01 the cost of a model without a known price is unknown, not zero", async () => {
    const run = await talk([{ text: "ok" }], { config: { model: "someone-elses-model" } });
    expect(ofType(run.events, "usage")[0]?.costUsd).toBeNull();
  });
});
