/** The `anthropic` agent as the driver sees it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { anthropicAgent } from "../../../src/agents/anthropic/agent.js";
import type { BuiltInDeps } from "../../../src/agents/anthropic/built-in.js";
import { builtInTranslator } from "../../../src/agents/anthropic/translate.js";
import type { AgentEvent } from "../../../src/core/agent-event.js";
import { DEFAULT_SETTINGS } from "../../../src/core/defaults.js";
import type { AgentRun } from "../../../src/driver/ports.js";
import { replayServer, tempRoot, type Turns, until } from "./harness.js";

const SETTINGS = { ...DEFAULT_SETTINGS.agent, kind: "anthropic", model: "claude-haiku-4-5" };

function deps(env: NodeJS.ProcessEnv = {}): BuiltInDeps {
  return { env, context: { warnTokens: 70_000, rotateTokens: 80_000 }, killGraceMs: 2_000, settleGraceMs: 5_000, child: { retry: { baseMs: 1, tries: 2 } } };
}

async function start(turns: Turns) {
  const server = await replayServer(turns);
  const cwd = tempRoot();
  const env = { PATH: process.env["PATH"] ?? "", ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: server.url };
  const streamPath = join(tempRoot(), "stream.jsonl");
  const agent = anthropicAgent(SETTINGS, deps());
  const run = agent.start({ prompt: "go", cwd, run: "r", iteration: 1, token: `t-${process.pid}-${Math.random()}`, streamPath, env });
  return { agent, run, cwd, streamPath, server };
}

async function drain(run: AgentRun): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for (let event = await run.next(); event !== null; event = await run.next()) events.push(event);
  return events;
}

describe("anthropicAgent", () => {
  it("runs the loop as a process; its recorded stream says the same", async () => {
    const { agent, run, cwd, streamPath } = await start([{ calls: [{ write: { path: "x", content: "y" } }] }, { text: "Done." }]);
    const events = await drain(run);
    expect(await run.exit).toEqual({ kind: "exited", code: 0 });
    expect(readFileSync(join(cwd, "x"), "utf8")).toBe("y");
    expect(events.at(-1)).toEqual({ type: "finished", ok: true, text: "Done." });
    const raw = readFileSync(streamPath, "utf8");
    expect(agent.replayStream(raw)).toEqual(events);
    expect(agent.replayStream(raw.slice(0, -5)).at(-1)?.type).toBe("unknown");
  });

  it("stops while it waits for the model", async () => {
    const { run, server } = await start([{ hang: true }]);
    await until(() => server.requests.length === 1, "the request");
    run.stop("idle");
    expect(await run.exit).toEqual({ kind: "stopped", cause: "idle" });
  });

  it.each([
    [{}, "notLoggedIn"],
    [{ ANTHROPIC_API_KEY: " " }, "notLoggedIn"],
    [{ ANTHROPIC_API_KEY: "k" }, "ready"],
    [{ ANTHROPIC_AUTH_TOKEN: "t" }, "ready"],
  ])("checks for a login: %j is %s", async (env, kind) => {
    expect((await anthropicAgent(SETTINGS, deps(env)).check()).kind).toBe(kind);
  });

  it("says how it is billed without showing credentials of a gateway", async () => {
    const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "https://user:pw@gate.example/x" };
    expect(await anthropicAgent(SETTINGS, deps(env)).check()).toMatchObject({ billing: "API key, per token through gate.example" });
  });

  it("refuses an effort that the API does not know", async () => {
    const agent = anthropicAgent({ ...SETTINGS, effort: "extreme" }, deps({ ANTHROPIC_API_KEY: "k" }));
    expect(await agent.check()).toMatchObject({ kind: "missing", message: expect.stringContaining("extreme") });
  });

  it("BC-01 reports cost only for a model whose price is known", () => {
    expect(anthropicAgent(SETTINGS, deps()).reach.reportsCost).toBe(true);
    expect(anthropicAgent({ ...SETTINGS, model: "unknown-1" }, deps()).reach.reportsCost).toBe(false);
    const prices = { "unknown-1": { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 } };
    expect(anthropicAgent({ ...SETTINGS, model: "unknown-1", prices }, deps()).reach.reportsCost).toBe(true);
  });
});

describe("builtInTranslator", () => {
  it("makes a crash of an ending without a last word, with what stderr said", () => {
    const translator = builtInTranslator();
    expect(translator.line("Error: boom", "stderr")).toEqual([]);
    expect(translator.end({ kind: "exited", code: 1 })).toEqual([{ type: "error", kind: "crash", fatal: true, message: "Error: boom" }]);
    expect(builtInTranslator().end({ kind: "stopped", cause: "human" })).toEqual([]);
  });

  it("SP-05 keeps lines it does not know", () => {
    expect(builtInTranslator().line("warning: x", "stdout")).toEqual([{ type: "unknown", raw: "warning: x" }]);
    expect(builtInTranslator().line('{"type":"new"}', "stdout")[0]?.type).toBe("unknown");
  });
});
