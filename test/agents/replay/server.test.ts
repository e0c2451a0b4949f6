/** The replay server as clients see it: the SDK's tools, Claude Code's tools, side requests, broken answers. */
import { describe, expect, it } from "vitest";
import { serve } from "../anthropic/harness.js";
import { CLOSING_TEXT } from "../../../src/agents/replay/script.js";
import type { RecordingInput } from "../../../src/agents/replay/recording.js";

type Json = Record<string, unknown>;

const tool = (name: string, ...properties: string[]) => ({
  name,
  input_schema: { type: "object", properties: Object.fromEntries(properties.map((property) => [property, {}])) },
});
const CLAUDE_CODE = [
  tool("Bash", "command", "description", "timeout"),
  tool("Read", "file_path"),
  tool("Write", "file_path", "content"),
  tool("Edit", "file_path", "old_string", "new_string"),
];
const OURS = [tool("bash", "command", "timeout_s"), tool("read", "path"), tool("write", "path", "content"), tool("edit", "path", "old_text", "new_text")];
const ALL_CALLS = [
  { bash: { command: "ls", timeout_s: 9 } },
  { read: { path: "a" } },
  { write: { path: "b", content: "it's" } },
  { edit: { path: "c", old: "x", new: "y" } },
  { tool: { name: "Other", input: { z: 1 } } },
];

function recording(...iterations: RecordingInput["iterations"][number]["turns"][]): RecordingInput {
  return { version: 1, model: "m", iterations: iterations.map((turns) => ({ turns })) };
}

async function ask(url: string, body: Json, path = "/v1/messages") {
  const response = await fetch(url + path, { method: "POST", body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "go" }], ...body }) });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json & { content: Json[]; usage: Json } };
}

const inputs = (content: Json[]) => content.map((block) => [block["name"], block["input"]]);

describe("tool calls", () => {
  it("become the tools of the built-in agent", async () => {
    const { url } = await serve(recording([{ calls: ALL_CALLS }]), 1);
    const { body } = await ask(url, { tools: OURS });
    expect(inputs(body.content)).toEqual([
      ["bash", { command: "ls", timeout_s: 9 }],
      ["read", { path: "a" }],
      ["write", { path: "b", content: "it's" }],
      ["edit", { path: "c", old_text: "x", new_text: "y" }],
      ["Other", { z: 1 }],
    ]);
    expect(body["stop_reason"]).toBe("tool_use");
  });

  it("become Claude Code's tools, with absolute paths from its working directory", async () => {
    const { url } = await serve(recording([{ calls: ALL_CALLS }]), 1);
    const system = [
      { type: "text", text: "You are an agent." },
      { type: "text", text: " - Primary working directory: /tmp/w1\n - Is a git repository" },
    ];
    const { body } = await ask(url, { tools: CLAUDE_CODE, system }, "/v1/messages?beta=true");
    expect(inputs(body.content)).toEqual([
      ["Bash", { command: "ls" }],
      ["Read", { file_path: "/tmp/w1/a" }],
      ["Write", { file_path: "/tmp/w1/b", content: "it's" }],
      ["Edit", { file_path: "/tmp/w1/c", old_string: "x", new_string: "y" }],
      ["Other", { z: 1 }],
    ]);
  });

  it("writes by shell where the client has no tool for it", async () => {
    const { url } = await serve(recording([{ calls: [{ write: { path: "d/b", content: "it's" } }] }]), 1);
    const { body } = await ask(url, { tools: CLAUDE_CODE.slice(0, 1) });
    expect(inputs(body.content)).toEqual([["Bash", { command: `mkdir -p "$(dirname 'd/b')" && printf %s 'it'\\''s' > 'd/b'` }]]);
  });
});

describe("the order of turns", () => {
  const user = { role: "user", content: "go" };
  const assistant = { role: "assistant", content: "x" };
  const texts = async (url: string, ...histories: Json[][]) => {
    const said: unknown[] = [];
    for (const messages of histories) said.push((await ask(url, { tools: OURS, messages })).body.content?.[0]?.["text"] ?? "error");
    return said;
  };

  it("serves the turns of the iteration and then a closing text, again and again", async () => {
    const { url } = await serve(recording([{ text: "no" }], [{ text: "a", times: 2 }, { text: "b" }]), 2);
    expect(await texts(url, [user], [user], [user], [user], [user])).toEqual(["a", "a", "b", CLOSING_TEXT, CLOSING_TEXT]);
  });

  it("takes a fresh conversation for the next iteration when asked to", async () => {
    const { url } = await serve(recording([{ text: "a1" }, { text: "a2" }], [{ text: "b1" }]), "byConversation");
    expect(await texts(url, [user], [user, assistant, user], [user], [user])).toEqual(["a1", "a2", "b1", CLOSING_TEXT]);
  });

  it("does not take the repetition of a failed request for a fresh conversation", async () => {
    const error = { status: 529, type: "overloaded_error", message: "Overloaded" };
    const { url } = await serve(recording([{ error }, { text: "a" }], [{ text: "b" }]), "byConversation");
    expect(await texts(url, [user], [user], [user])).toEqual(["error", "a", "b"]);
  });

  it("answers requests without tools beside the script", async () => {
    const server = await serve(recording([{ text: "a" }]), 1);
    const side = await ask(server.url, {});
    const format = { type: "json_schema", schema: { type: "object", properties: { title: {}, topic: {} } } };
    const structured = await ask(server.url, { output_config: { format } });
    expect(side.body.content[0]?.["text"]).toBe("side answer");
    expect(JSON.parse(String(structured.body.content[0]?.["text"]))).toEqual({ title: "side answer", topic: "side answer" });
    expect(await texts(server.url, [user])).toEqual(["a"]);
    expect(server.requests.map((request) => request.kind)).toEqual(["side", "side", "turn"]);
  });
});

describe("the rest of the API", () => {
  it("answers what clients ask besides messages", async () => {
    const { url } = await serve(recording([]), 1);
    expect((await fetch(`${url}/`, { method: "HEAD" })).status).toBe(200);
    expect((await ask(url, {}, "/v1/messages/count_tokens")).body["input_tokens"]).toBeGreaterThan(0);
    expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({ data: [{ id: "m" }], has_more: false });
    expect(await (await fetch(`${url}/v1/models/claude-x`)).json()).toMatchObject({ id: "claude-x" });
    expect((await fetch(`${url}/v1/else`)).status).toBe(404);
  });

  it("sends recorded errors with their headers", async () => {
    const error = { status: 429, type: "rate_limit_error", message: "slow", headers: { "retry-after": "5" } };
    const { url } = await serve(recording([{ error }]), 1);
    const { status, headers, body } = await ask(url, { tools: OURS });
    expect([status, headers.get("retry-after"), headers.get("request-id")]).toEqual([429, "5", "req_1_0"]);
    expect(body).toEqual({ type: "error", error: { type: "rate_limit_error", message: "slow" } });
  });

  it("answers a body that is no JSON instead of hanging", async () => {
    const { url } = await serve(recording([]), 1);
    expect((await fetch(`${url}/v1/messages`, { method: "POST", body: "{" })).status).toBe(400);
  });
});

describe("derived usage", () => {
  const cached = (text: string) => ({ role: "user", content: [{ type: "text", text, cache_control: { type: "ephemeral" } }] });

  it("counts a beginning that was seen before as read and the rest as written", async () => {
    const { url } = await serve(recording([{ text: "a", times: 3 }]), 1);
    const first = (await ask(url, { tools: OURS, messages: [cached("x".repeat(4000))] })).body.usage;
    const second = (await ask(url, { tools: OURS, messages: [cached("x".repeat(4000)), cached("y".repeat(400))] })).body.usage;
    expect(first["cache_read_input_tokens"]).toBe(0);
    expect(first["cache_creation_input_tokens"]).toBeGreaterThan(1000);
    expect(second["cache_read_input_tokens"]).toBeGreaterThanOrEqual(first["cache_creation_input_tokens"] as number);
    expect(second["cache_creation_input_tokens"]).toBeLessThan(200);
  });

  it("caches nothing for a client that asks for no caching", async () => {
    const { url } = await serve(recording([{ text: "a", times: 2 }]), 1);
    await ask(url, { tools: OURS });
    expect((await ask(url, { tools: OURS })).body.usage).toMatchObject({ cache_read_input_tokens: 0, cache_creation_input_tokens: 0 });
  });
});
