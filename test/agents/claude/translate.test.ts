/** What Claude Code's stream says in which form; what each recorded run comes to stands in `endings.test.ts`. */
import { describe, expect, it } from "vitest";
import type { AgentEvent, AgentExit } from "../../../src/core/agent-event.js";
import { rawStream, recordings, translate as translateWith, translateRecording, translator } from "../recordings.js";

const translate = (stdout: Uint8Array, stderr: string, exit: AgentExit, into = translator("claude")): AgentEvent[] => translateWith(into, stdout, stderr, exit);

const OK = { kind: "exited", code: 0 } as const;

/** What went wrong, in one word; `ok` when nothing did. */
function outcome(events: AgentEvent[]): string {
  const failure = events.find((event) => event.type === "limit" || (event.type === "error" && event.fatal));
  if (failure !== undefined && "kind" in failure) return `${failure.type} ${failure.kind}`;
  return events.some((event) => event.type === "finished" && event.ok) ? "ok" : "nothing";
}

describe("recorded streams", () => {
  it("RL-01 take the reset time of an account limit from the vendor's field", () => {
    const recording = recordings.find(({ label }) => label === "claude-oauth-usagelimit");
    const limit = recording && translateRecording(recording).find((event) => event.type === "limit");
    expect(limit).toMatchObject({ resumeAtMs: 1_796_074_297_000 });
  });
});

describe("cut streams", () => {
  it.each(["claude-bashfail", "claude-oauth-usagelimit"])("SP-04 %s, cut at every byte, gives a prefix of its events", (label) => {
    const raw = rawStream(label);
    const whole = translate(raw, "", { kind: "stopped", cause: "human" }).filter((event) => event.type !== "unknown");
    for (let length = 0; length <= raw.length; length += 1) {
      const events = translate(raw.subarray(0, length), "", { kind: "stopped", cause: "human" });
      const known = events.filter((event) => event.type !== "unknown" && event.type !== "limit");
      expect(whole.filter((event) => event.type !== "limit").slice(0, known.length)).toEqual(known);
      expect(events.length - known.length).toBeLessThanOrEqual(2);
    }
  });

  it("BC-02 of a killed run still tell what its prompts took, each message once", () => {
    const raw = rawStream("claude-success").toString();
    const cut = raw.slice(0, raw.lastIndexOf('{"type":"result"'));
    const usage = translate(Buffer.from(cut), "", { kind: "stopped", cause: "budget" }).filter((event) => event.type === "usage");
    expect(usage.map((event) => [event.scope, event.inputTokens, event.cachedInputTokens, event.outputTokens, event.contextTokens])).toEqual([
      ["delta", 1700, 0, null, 1700],
      ["delta", 1300, 500, null, 1800],
      ["delta", 1400, 1000, null, 2400],
    ]);
  });
});

describe("shapes", () => {
  const lines = rawStream("claude-bashfail").toString().trim().split("\n");
  const expected = translate(Buffer.from(lines.join("\n")), "", OK);

  it("SP-11 one array of all events", () => {
    expect(translate(Buffer.from(`[${lines.join(",")}]\n`), "", OK)).toEqual(expected);
  });

  it("SP-11 one object, on a line or spread over many", () => {
    const result = lines.at(-1) ?? "";
    const last = expected.slice(-2);
    expect(translate(Buffer.from(result), "", OK)).toEqual(last);
    const spread = translate(Buffer.from(JSON.stringify(JSON.parse(result), null, 2)), "", OK);
    expect(spread.filter((event) => event.type !== "unknown")).toEqual(last);
  });

  it("SP-05 log lines between the events are kept and harm nothing", () => {
    const mixed = ["ERROR something", lines[0], "{broken", ...lines.slice(1)].join("\n");
    const events = translate(Buffer.from(mixed), "", OK);
    expect(events.filter((event) => event.type !== "unknown")).toEqual(expected);
    expect(events.filter((event) => event.type === "unknown")).toEqual([
      { type: "unknown", raw: "ERROR something" },
      { type: "unknown", raw: "{broken" },
    ]);
  });

  it("SP-05 a log prefix before an event does not hide it", () => {
    expect(translate(Buffer.from(`[warn] slow start ${lines.join("\n")}`), "", OK)).toEqual(expected);
  });

  it("SP-12 the last result wins", () => {
    const failed = JSON.stringify({ type: "result", subtype: "success", is_error: true, api_error_status: 529, result: "overloaded" });
    const good = JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "second" });
    const events = translate(Buffer.from(`${failed}\n${good}\n`), "", OK);
    expect(events).toEqual([
      { type: "finished", ok: false, text: null },
      { type: "finished", ok: true, text: "second" },
    ]);
    expect(outcome(translate(Buffer.from(`${good}\n${failed}\n`), "", OK))).toBe("error overload");
  });

  it("SP-06 a retry inside the CLI is no failure", () => {
    const recording = recordings.find(({ label }) => label === "claude-flaky");
    const events = recording === undefined ? [] : translateRecording(recording);
    expect(events.filter((event) => event.type === "error").map((event) => event.fatal)).toEqual([false, false]);
    expect(outcome(events)).toBe("ok");
  });

  it("SP-10 is_error false is no error, whatever the words", () => {
    const result = { type: "result", subtype: "error_odd", is_error: false, result: 'is_error: "true", error 529, 401' };
    expect(outcome(translate(Buffer.from(JSON.stringify(result)), "", OK))).toBe("ok");
  });

  it("SP-13 a cut last result discards nothing and claims nothing", () => {
    const events = translate(Buffer.from(`${lines.slice(0, -1).join("\n")}\n{"type":"result","result":"{x}`), "", OK);
    expect(events.slice(0, expected.length - 2)).toEqual(expected.slice(0, -2));
    expect(events.some((event) => event.type === "finished")).toBe(false);
  });

  it("SP-07 a cause that stands only on stderr is found", () => {
    const events = translate(Buffer.from(""), "Not logged in · Please run /login", { kind: "exited", code: 1 });
    expect(outcome(events)).toBe("error auth");
  });

  it("survives any JSON", () => {
    const shapes = [
      '{"type":"assistant"}',
      '{"type":"assistant","message":{"content":"x"}}',
      '{"type":"user","message":{"content":[null,1]}}',
      '{"type":"result"}',
      '{"type":"rate_limit_event"}',
      '{"type":"stream_event"}',
      "[]",
      "{}",
      "null",
      "[[]]",
      '{"type":"system"}',
      '{"type":7}',
    ];
    for (const shape of shapes) expect(() => translate(Buffer.from(shape), "", OK)).not.toThrow();
  });
});

describe("words that look like signals", () => {
  const tool = (text: string) => JSON.stringify({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t", content: text }] } });
  const result = (text: string) => JSON.stringify({ type: "result", is_error: false, result: text });

  it.each([
    ["RL-01", "5-hour limit reached ∙ resets 12:30am", "fixed"],
    ["RL-02", "x", "added @upstash/ratelimit; API Error: Request rejected (429)"],
    ["RL-03", "error on line 529", "status 401 on line 429"],
  ])("%s are not read as limits", (_id, output, text) => {
    expect(outcome(translate(Buffer.from(`${tool(output)}\n${result(text)}\n`), "", OK))).toBe("ok");
  });
});

describe("details", () => {
  const event = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);
  const message = (content: object[], over: object = {}) =>
    event({ type: "assistant", message: { id: "m1", model: "claude-x", content, usage: { input_tokens: 5, output_tokens: 1 } }, ...over });

  it("paths are relative to the working directory, writes carry their content", () => {
    const write = { type: "tool_use", id: "a", name: "Write", input: { file_path: "/home/dev/repo/src/a.ts", content: "x" } };
    const edit = { type: "tool_use", id: "b", name: "Edit", input: { file_path: "/etc/passwd", old_string: "a", new_string: "b" } };
    const calls = translate(message([write, edit]), "", OK).filter((found) => found.type === "toolCall");
    expect(calls).toMatchObject([
      { path: "src/a.ts", writes: true, content: "x" },
      { path: "/etc/passwd", writes: true },
    ]);
  });

  it("a subagent's words are not the agent's, its tools and tokens are", () => {
    const content = [
      { type: "text", text: "<ralph>COMPLETE</ralph>" },
      { type: "tool_use", id: "a", name: "Bash", input: { command: "ls" } },
    ];
    const events = translate(message(content, { parent_tool_use_id: "t1" }), "", { kind: "stopped", cause: "human" });
    expect(events.map((found) => found.type)).toEqual(["usage", "toolCall"]);
    expect(events[0]).not.toHaveProperty("contextTokens");
  });

  it("BC-01 the cost of a model that the CLI does not know is unknown, unless the user priced it", () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, costBasis: "unknown" };
    const result = { type: "result", is_error: false, result: "", total_cost_usd: 9, modelUsage: { "odd[1m]": usage } };
    expect(translate(event(result), "", OK)[0]).toMatchObject({ type: "usage", costUsd: null, inputTokens: 1_000_000 });
    const prices = { odd: { input: 2, output: 0, cacheRead: 0, cacheWrite: 0 } };
    expect(translate(event(result), "", OK, translator("claude", { prices }))[0]).toMatchObject({ costUsd: 2 });
  });

  it("usage over an account limit that extra usage pays is no limit", () => {
    const info = { status: "rejected", resetsAt: 1_796_074_297, isUsingOverage: true };
    const stream = Buffer.concat([event({ type: "rate_limit_event", rate_limit_info: info }), event({ type: "result", is_error: false, result: "ok" })]);
    expect(outcome(translate(stream, "", OK))).toBe("ok");
  });

  it("RL-01 an account limit of a run that was stopped before its result is told", () => {
    const info = { status: "rejected", resetsAt: 1_796_074_297 };
    const events = translate(event({ type: "rate_limit_event", rate_limit_info: info }), "", { kind: "stopped", cause: "idle" });
    expect(events).toEqual([{ type: "limit", kind: "account", resumeAtMs: 1_796_074_297_000, message: "account limit" }]);
  });

  it("BC-01 a result without numbers does not erase what was seen before", () => {
    const result = event({ type: "result", is_error: true, result: "x", usage: { input_tokens: 0, output_tokens: 0 }, modelUsage: {}, total_cost_usd: 0 });
    const types = (stream: Buffer) => translate(stream, "", OK).map((found) => (found.type === "usage" ? found.scope : found.type));
    expect(types(result)).toEqual(["total", "finished", "error"]);
    expect(types(Buffer.concat([message([]), result]))).toEqual(["delta", "finished", "error"]);
  });

  it("CF-03 denials that only the result lists are told once", () => {
    const result = { type: "result", is_error: false, result: "", permission_denials: [{ tool_use_id: "a" }] };
    const events = translate(event(result), "", OK);
    expect(events[0]).toEqual({ type: "toolResult", id: "a", ok: false, exitCode: null, output: "permission denied", denied: true });
  });

  it("TO-07 text from the agent is free of control sequences", () => {
    const events = translate(message([{ type: "text", text: "a\u001b]52;c;x\u0007b" }]), "", OK);
    expect(events).toContainEqual({ type: "text", text: "ab" });
  });

  it("CD-12 a marker inside the JSON result is real text", () => {
    const events = translate(event({ type: "result", is_error: false, result: "done\n<ralph>COMPLETE</ralph>" }), "", OK);
    expect(events.at(-1)).toEqual({ type: "finished", ok: true, text: "done\n<ralph>COMPLETE</ralph>" });
  });
});
