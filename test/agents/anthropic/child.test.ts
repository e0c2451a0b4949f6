/** The built-in agent as the process that the driver starts; needs the built `dist/`. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isAlive, ofType, replayServer, startChild, tempRoot, type Turns, until } from "./harness.js";

async function against(turns: Turns, options: { env?: Record<string, string>; config?: object; prompt?: string; cwd?: string } = {}) {
  const server = await replayServer(turns);
  const cwd = options.cwd ?? tempRoot();
  const started = startChild({
    cwd,
    env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "test-key", ...options.env },
    config: { model: "claude-haiku-4-5", retry: { baseMs: 1, tries: 2 }, ...options.config },
    prompt: options.prompt ?? "do the task",
  });
  return { ...started, cwd, server };
}

describe("the child process", () => {
  it("works in its folder, speaks events only, and exits 0 on a good ending", async () => {
    const run = await against([{ text: "Now.", calls: [{ bash: { command: "echo hi > out.txt; env" } }] }, { text: "Done." }]);
    const { code, events } = await run.done;
    expect(code).toBe(0);
    expect(readFileSync(join(run.cwd, "out.txt"), "utf8")).toBe("hi\n");
    expect(events.map((event) => event.type)).toEqual(["started", "usage", "text", "toolCall", "toolResult", "usage", "text", "finished"]);
    expect(ofType(events, "toolResult")[0]?.output).not.toMatch(/ANTHROPIC_|test-key|RALPHD_AGENT_CONFIG/);
  });

  it("PR-01 takes a prompt larger than any argument, byte for byte", async () => {
    const prompt = `---\n"'\\ $(id) 中\u2028\n---\n${"x".repeat(300_000)}`;
    const run = await against([{ text: "ok" }], { prompt });
    expect((await run.done).code).toBe(0);
    expect(run.server.requests[0]?.body).toMatchObject({ messages: [{ role: "user", content: [{ type: "text", text: prompt }] }] });
  });

  it("exits 1 with an event that says why when the API refuses the key", async () => {
    const { code, events } = await (await against([{ error: { status: 401, type: "authentication_error", message: "bad key" } }])).done;
    expect(code).toBe(1);
    expect(events.slice(-2)).toMatchObject([
      { type: "error", kind: "auth", fatal: true },
      { type: "finished", ok: false },
    ]);
  });

  it("exits 1 with an auth error when there is no key at all", async () => {
    const { code, events } = await (await against([], { env: { ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "" } })).done;
    expect(code).toBe(1);
    expect(ofType(events, "error")).toMatchObject([{ kind: "auth", fatal: true }]);
  });

  it("reports a network that is not there", async () => {
    const { code, events } = await (await against([], { env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } })).done;
    expect(code).toBe(1);
    expect(ofType(events, "error")).toMatchObject([
      { kind: "network", fatal: false },
      { kind: "network", fatal: true },
    ]);
  });

  it("names what is wrong with its configuration", async () => {
    const { code, events } = await (await against([], { config: { maxTurns: 0 } })).done;
    expect(code).toBe(1);
    expect(ofType(events, "error")[0]?.message).toContain("maxTurns");
  });

  it("ends its running command and itself on SIGTERM", async () => {
    const run = await against([{ calls: [{ bash: { command: "echo $$ > pid; sleep 600" } }] }]);
    const pidFile = join(run.cwd, "pid");
    await until(() => existsSync(pidFile) && readFileSync(pidFile, "utf8").endsWith("\n"), "the command's pid");
    run.child.kill("SIGTERM");
    const { code, events } = await run.done;
    expect(code).toBe(1);
    expect(await isAlive(Number(readFileSync(pidFile, "utf8")))).toBe(false);
    expect(events.at(-1)).toEqual({ type: "finished", ok: false, text: null });
  });

  it("ST-15 stops working when nobody reads its events any more", async () => {
    const run = await against([{ calls: [{ bash: { command: "true" } }], times: 1000 }], { config: { maxTurns: 1000 } });
    await until(() => run.server.requests.length > 1, "the second request");
    const exited = new Promise((done) => run.child.once("exit", done));
    run.child.stdout.destroy();
    run.child.stderr.destroy();
    run.done.catch(() => undefined);
    expect(await exited).toBe(1);
    expect(run.server.requests.length).toBeLessThan(1000);
  });

  it("ends a wait for the API at once on SIGTERM", async () => {
    const run = await against([{ hang: true }]);
    await until(() => run.server.requests.length === 1, "the request");
    run.child.kill("SIGTERM");
    expect((await run.done).code).toBe(1);
  });
});

describe("the child process with a recording", () => {
  it("plays its iteration without key and network, whatever credentials are around", async () => {
    const cwd = tempRoot();
    const recording = join(cwd, "recording.json");
    const iterations = [{ turns: [{ text: "first" }] }, { turns: [{ calls: [{ write: { path: "x", content: "y" } }] }, { text: "second" }] }];
    writeFileSync(recording, JSON.stringify({ version: 1, model: "replayed", iterations }));
    const env = { ANTHROPIC_AUTH_TOKEN: "other", ANTHROPIC_API_KEY: "real", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };
    const { code, events } = await startChild({ cwd, env, config: { replay: { recording, iteration: 2 } }, prompt: "go" }).done;
    expect(code).toBe(0);
    expect(readFileSync(join(cwd, "x"), "utf8")).toBe("y");
    expect(events[0]).toEqual({ type: "started", model: "replayed" });
    expect(events.at(-1)).toEqual({ type: "finished", ok: true, text: "second" });
  });

  it("says what is wrong with a recording", async () => {
    const cwd = tempRoot({ "r.json": '{"version":2}' });
    const { code, events } = await startChild({ cwd, env: {}, config: { replay: { recording: join(cwd, "r.json"), iteration: 1 } }, prompt: "" }).done;
    expect(code).toBe(1);
    expect(ofType(events, "error")[0]?.message).toContain("not a recording");
  });
});
