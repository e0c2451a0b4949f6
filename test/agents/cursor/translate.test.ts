/** Cursor CLI's documented stream; nothing here was recorded from the real program. */
import { describe, expect, it } from "vitest";
import { translate, translator } from "../recordings.js";

const OK = { kind: "exited", code: 0 } as const;
const lines = (...events: object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join("");
const session = { session_id: "s1" };
const said = (text: string) => ({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] }, ...session });
const tool = (subtype: string, call_id: string, tool_call: object) => ({ type: "tool_call", subtype, call_id, tool_call, ...session });
const read = (stream: string, stderr = "", exit: Parameters<typeof translate>[3] = OK) => translate(translator("cursor"), stream, stderr, exit);

describe("cursor", () => {
  it("tells messages, commands with their exit codes, writes with their content, and the end", () => {
    const shell = { args: { command: "npm test" } };
    const events = read(
      lines(
        { type: "system", subtype: "init", cwd: "/home/dev/repo", model: "Auto", permissionMode: "default", ...session },
        { type: "user", message: { role: "user", content: [{ type: "text", text: "hi" }] }, ...session },
        { type: "thinking", subtype: "delta", text: "hm", ...session },
        said("I will run it."),
        tool("started", "c1", { shellToolCall: shell }),
        tool("completed", "c1", { shellToolCall: { ...shell, result: { success: { exitCode: 2, stdout: "out", stderr: "err" } } } }),
        tool("started", "c2", { writeToolCall: { args: { path: "/home/dev/repo/a.md", fileText: "x" } } }),
        tool("completed", "c2", { writeToolCall: { args: { path: "/home/dev/repo/a.md", fileText: "x" }, result: { success: { linesCreated: 1 } } } }),
        tool("completed", "c3", { shellToolCall: { args: { command: "rm -rf /" }, result: { rejected: { reason: "not allowed" } } } }),
        said("Done."),
        { type: "result", subtype: "success", is_error: false, duration_ms: 5, result: "I will run it.Done.", ...session },
      ),
    );
    expect(events).toEqual([
      { type: "started", sessionId: "s1", model: "Auto" },
      { type: "text", text: "I will run it." },
      { type: "toolCall", id: "c1", name: "shell", input: { command: "npm test" }, command: "npm test" },
      { type: "toolResult", id: "c1", ok: false, exitCode: 2, output: "out\nerr" },
      { type: "toolCall", id: "c2", name: "write", input: { path: "/home/dev/repo/a.md", fileText: "x" }, path: "a.md", writes: true, content: "x" },
      { type: "toolResult", id: "c2", ok: true, exitCode: null, output: '{"linesCreated":1}' },
      { type: "toolCall", id: "c3", name: "shell", input: { command: "rm -rf /" }, command: "rm -rf /" },
      { type: "toolResult", id: "c3", ok: false, exitCode: null, output: "not allowed", denied: true },
      { type: "text", text: "Done." },
      { type: "finished", ok: true, text: "Done." },
    ]);
  });

  it.each([
    ["Authentication required. Please run 'agent login' first, or set CURSOR_API_KEY.", { type: "error", kind: "auth" }],
    ["Cannot use this model: nope. Available models: auto", { type: "error", kind: "model" }],
    ["segmentation fault", { type: "error", kind: "crash" }],
  ])("SP-07 explains an end without a result from stderr: %s", (stderr, expected) => {
    const events = read(lines(said("x")), stderr, { kind: "exited", code: 1 });
    expect(events.at(-2)).toMatchObject(expected);
    expect(events.at(-1)).toEqual({ type: "finished", ok: false, text: null });
  });

  it("RL-01 a failed result is a limit by its own words alone", () => {
    const failed = (result: string) =>
      read(lines({ type: "result", subtype: "error", is_error: true, result })).find((event) => event.type === "limit" || event.type === "error");
    expect(failed("You've hit your usage limit")).toMatchObject({ type: "limit", kind: "account" });
    expect(failed("connection lost: ECONNRESET")).toMatchObject({ type: "error", kind: "network" });
    const good = read(lines(said("fixed the rate limit: 429"), { type: "result", subtype: "success", is_error: false, result: "usage limit" }));
    expect(good.at(-1)).toEqual({ type: "finished", ok: true, text: "fixed the rate limit: 429" });
  });
});
