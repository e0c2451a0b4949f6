/** The beginning of a request never changes: the prompt cache and bound thinking depend on it. */
import { describe, expect, it } from "vitest";
import type { LoggedRequest } from "../../../src/agents/replay/server.js";
import { talk } from "./harness.js";

type Json = Record<string, unknown>;

/** Bytes in cache order; breakpoints are not part of what is cached. */
function bytes(request: LoggedRequest): { tools: string; system: string; messages: string } {
  const body = request.body as Json;
  const plain = (value: unknown) => JSON.stringify(value, (key, inner: unknown) => (key === "cache_control" ? undefined : inner));
  return { tools: JSON.stringify(body["tools"]), system: JSON.stringify(body["system"]), messages: plain(body["messages"]).slice(0, -1) };
}

const TURNS = [
  { thinking: "a", text: "one", calls: [{ bash: { command: "echo 1" } }, { read: { path: "nothing" } }] },
  { calls: [{ write: { path: "x", content: "y" } }] },
  { calls: [{ tool: { name: "nope", input: { b: 1, a: 2 } } }] },
  { text: "ok" },
];

describe("request prefix", () => {
  it("only grows over the turns of an iteration", async () => {
    const seen = (await talk(TURNS)).requests.map(bytes);
    expect(seen).toHaveLength(4);
    for (const [at, now] of seen.entries()) {
      const before = seen[at - 1] ?? now;
      expect(now.tools).toBe(before.tools);
      expect(now.system).toBe(before.system);
      expect(now.messages.startsWith(before.messages)).toBe(true);
    }
  });

  it("has the same tools and system in every iteration", async () => {
    const [a, b] = await Promise.all([talk(TURNS, { prompt: "first" }), talk(TURNS, { prompt: "second" })]);
    const [first, second] = [a, b].map((run) => run.requests[0]).map((request) => request && bytes(request));
    expect(first?.tools).toBe(second?.tools);
    expect(first?.system).toBe(second?.system);
    expect(first?.messages).not.toBe(second?.messages);
  });

  it("marks the system block and the ends of the last two user messages", async () => {
    const { requests } = await talk(TURNS);
    const last = requests.at(-1)?.body as { system: Json[]; messages: { role: string; content: Json[] }[] };
    const marked = last.messages.map((message) => message.content.map((block) => block["cache_control"] !== undefined));
    expect(last.system.map((block) => block["cache_control"])).toEqual([{ type: "ephemeral", ttl: "1h" }]);
    expect(marked.map((blocks) => blocks.lastIndexOf(true))).toEqual([-1, -1, -1, -1, 0, -1, 0]);
    expect(marked.flat().filter(Boolean)).toHaveLength(2);
  });

  it("marks the part of the prompt that iterations share, as the fourth and last breakpoint", async () => {
    const { requests } = await talk(TURNS, { prompt: "rules for all\n\nthis iteration", config: { promptBreaks: [10, 15] } });
    const last = requests.at(-1)?.body as { messages: { content: Json[] }[] };
    expect(last.messages[0]?.content).toMatchObject([{ text: "rules for " }, { text: "all\n\n", cache_control: { ttl: "1h" } }, { text: "this iteration" }]);
    expect(JSON.stringify(last).match(/"cache_control"/g)).toHaveLength(4);
    const cut = await talk([{ text: "ok" }], { prompt: "short", config: { promptBreaks: [15] } });
    expect((cut.requests[0]?.body as { messages: { content: Json[] }[] }).messages[0]?.content).toHaveLength(1);
  });

  it("sends no sampling parameter, no tool choice, and effort only when set", async () => {
    const [plain, hard] = await Promise.all([talk([{ text: "ok" }]), talk([{ text: "ok" }], { config: { effort: "xhigh" } })]);
    const body = plain.requests[0]?.body as Json;
    expect(Object.keys(body).sort()).toEqual(["max_tokens", "messages", "model", "stream", "system", "thinking", "tools"]);
    expect(body["thinking"]).toEqual({ type: "adaptive", display: "summarized" });
    expect((hard.requests[0]?.body as Json)["output_config"]).toEqual({ effort: "xhigh" });
  });

  it("counts a repeated beginning as read from the cache", async () => {
    const { events } = await talk(TURNS);
    const usage = events.flatMap((event) => (event.type === "usage" ? [event] : []));
    for (const [at, now] of usage.entries()) {
      expect(now.cachedInputTokens ?? 0).toBeGreaterThanOrEqual((usage[at - 1]?.contextTokens ?? 0) - 2);
    }
  });
});
