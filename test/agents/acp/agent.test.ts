/** An ACP agent as a process: a fake one that speaks the protocol by the same SDK, driven through the bridge. Needs the built code. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { acpAgent, acpCommand } from "../../../src/agents/acp.js";
import { DEFAULT_SETTINGS } from "../../../src/core/defaults.js";
import type { AgentEvent } from "../../../src/core/agent-event.js";
import { alive, cleanEnv, collect, executable, freshToken, tempDir, until } from "../process/fakes.js";

const SDK = fileURLToPath(new URL("../../../node_modules/@agentclientprotocol/sdk/dist/v1/stable/acp.js", import.meta.url));

/** What the agent does with a prompt; `update(…)` sends a session update, `ask(…)` a request for permission. */
function fakeAgent(body: string, sessionNew = "return { sessionId: 's1' };"): string {
  return `#!${process.execPath}
import { Readable, Writable } from "node:stream";
const acp = await import(${JSON.stringify(SDK)});
const session = acp.methods.agent.session;
const configs = [];
acp.agent({ name: "fake" })
  .onRequest(acp.methods.agent.initialize, ({ params }) => ({ protocolVersion: params.protocolVersion, agentCapabilities: {} }))
  .onRequest(session.new, () => { ${sessionNew} })
  .onRequest(session.setConfigOption, ({ params }) => { configs.push(params); return { configOptions: [] }; })
  .onRequest(session.prompt, async ({ params, client }) => {
    const prompt = params.prompt[0].text;
    const update = (value) => client.notify(acp.methods.client.session.update, { sessionId: "s1", update: value });
    const say = (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    const ask = (toolCall, options) => client.request(acp.methods.client.session.requestPermission, { sessionId: "s1", toolCall, options });
    ${body}
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
`;
}

function start(source: string, over: { model?: string } = {}) {
  const cwd = tempDir();
  const file = executable(cwd, "agent.mjs", source);
  const settings = { ...DEFAULT_SETTINGS, agent: { ...DEFAULT_SETTINGS.agent, kind: `acp:${file} --acp`, model: over.model ?? null } };
  const token = freshToken();
  const run = acpAgent(settings, { cwd, env: cleanEnv, confirmed: true }).start({
    prompt: "do it",
    cwd,
    run: "r",
    iteration: 1,
    token,
    streamPath: join(cwd, "s.jsonl"),
    env: cleanEnv,
  });
  return { run, token, cwd };
}

async function eventsOf(source: string, over: { model?: string } = {}): Promise<AgentEvent[]> {
  const { run } = start(source, over);
  const events = await collect(run);
  await run.exit;
  return events;
}

describe("acp agent", () => {
  it("asks the prompt, allows what is asked for, and tells messages whole, calls and results", async () => {
    const events = await eventsOf(
      fakeAgent(`
        await say("I will "); await say("run: " + prompt);
        await update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "npm test", kind: "execute", status: "pending", rawInput: { command: "npm test" } });
        const answer = await ask({ toolCallId: "t1" }, [{ optionId: "no", name: "No", kind: "reject_once" }, { optionId: "yes", name: "Yes", kind: "allow_once" }]);
        await update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "in_progress" });
        await update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "failed", content: [{ type: "content", content: { type: "text", text: "boom " + answer.outcome.optionId } }], rawOutput: { exitCode: 2 } });
        await update({ sessionUpdate: "tool_call", toolCallId: "t2", title: "Write a.txt", kind: "edit", status: "completed", content: [{ type: "diff", path: process.cwd() + "/src/a.txt", oldText: "", newText: "x" }] });
        await update({ sessionUpdate: "usage_update", used: 1200, size: 200000, cost: { amount: 0.5, currency: "USD" } });
        await say("Done.");
        return { stopReason: "end_turn" };`),
    );
    expect(events).toEqual([
      { type: "started", sessionId: "s1" },
      { type: "text", text: "I will run: do it" },
      { type: "toolCall", id: "t1", name: "execute", input: { title: "npm test", command: "npm test" }, command: "npm test" },
      { type: "toolResult", id: "t1", ok: false, exitCode: 2, output: "boom yes" },
      { type: "toolCall", id: "t2", name: "edit", input: { title: "Write a.txt" }, path: "src/a.txt", writes: true },
      { type: "toolResult", id: "t2", ok: true, exitCode: null, output: "" },
      { type: "usage", scope: "total", inputTokens: null, cachedInputTokens: null, outputTokens: null, costUsd: 0.5, contextTokens: 1200 },
      { type: "text", text: "Done." },
      { type: "finished", ok: true, text: "Done." },
    ]);
  });

  it.each([
    ["a refusal", "return { stopReason: 'refusal' };", { type: "error", kind: "refusal" }],
    ["a turn cap", "return { stopReason: 'max_turn_requests' };", { type: "error", kind: "turn_cap" }],
    ["a login that is missing", "throw new acp.RequestError(-32000, 'Authentication required');", { type: "error", kind: "auth" }],
    ["a throttle", "throw new acp.RequestError(429, 'Too many requests');", { type: "limit", kind: "throttle" }],
    [
      "an account limit",
      "throw new acp.RequestError(-32603, 'Internal error', { details: 'usage limit reached, try again in 2 hours' });",
      { type: "limit", kind: "account" },
    ],
    ["an end in the middle", "process.exit(3);", { type: "error", kind: expect.any(String) as string }],
  ])("RL-13 %s is a failure of its kind", async (_what, body, expected) => {
    const events = await eventsOf(fakeAgent(body));
    expect(events.at(-2)).toMatchObject(expected);
    expect(events.at(-1)).toEqual({ type: "finished", ok: false, text: null });
  });

  it("chooses the model where the agent offers a choice, and says so where it does not", async () => {
    const offers =
      "return { sessionId: 's1', configOptions: [{ id: 'm', name: 'Model', category: 'model', type: 'select', currentValue: 'a', options: [{ value: 'a', name: 'A' }, { value: 'b', name: 'B' }] }] };";
    const body = "await say(JSON.stringify(configs.map((c) => [c.configId, c.value]))); return { stopReason: 'end_turn' };";
    expect(await eventsOf(fakeAgent(body, offers), { model: "b" })).toContainEqual({ type: "text", text: '[["m","b"]]' });
    expect((await eventsOf(fakeAgent(body), { model: "b" })).at(-2)).toMatchObject({ type: "error", message: expect.stringContaining("no choice of a model") });
  });

  it("PH-09 leaves nothing running, whether it is stopped or comes to its end", async () => {
    const leave = `const { spawn } = await import("node:child_process"); spawn("sleep", ["300"], { detached: true, stdio: "ignore" }).unref();`;
    const finished = start(fakeAgent(`${leave} await say("left"); return { stopReason: "end_turn" };`));
    await collect(finished.run);
    expect(await finished.run.exit).toEqual({ kind: "exited", code: 0 });
    expect(alive(finished.token)).toEqual([]);
    const hung = start(
      fakeAgent(
        `${leave} await say("left"); await update({ sessionUpdate: "usage_update", used: 1, size: 2 }); await new Promise(() => setInterval(() => {}, 1000));`,
      ),
    );
    for (let event = await hung.run.next(); event !== null && event.type !== "usage"; event = await hung.run.next());
    hung.run.stop("iteration_timeout");
    expect(await hung.run.exit).toEqual({ kind: "stopped", cause: "iteration_timeout" });
    await until(() => alive(hung.token).length === 0, "the tree is gone");
  });

  it("splits its command as a shell would, without one", () => {
    const agent = { ...DEFAULT_SETTINGS.agent, kind: "acp:my-agent --say 'a b' $(touch x)", args: ["--more"] };
    expect(acpCommand({ ...DEFAULT_SETTINGS, agent })).toEqual(["my-agent", "--say", "a b", "$(touch x)", "--more"]);
  });

  it("RL-13 says which command is missing", async () => {
    const check = (kind: string) =>
      acpAgent({ ...DEFAULT_SETTINGS, agent: { ...DEFAULT_SETTINGS.agent, kind } }, { cwd: tempDir(), env: cleanEnv, confirmed: true }).check();
    expect(await check("acp")).toMatchObject({ kind: "missing", message: expect.stringContaining("acp:") });
    expect(await check("acp:no-such-agent")).toMatchObject({ kind: "missing", message: expect.stringContaining("no-such-agent") });
  });
});
