/** Any executable as an agent, with executables written by the test. */
import { describe, expect, it } from "vitest";
import { commandAgent } from "../../src/agents/command.js";
import type { AgentSettings } from "../../src/core/settings.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import { alive, cleanEnv, collect, executable, freshToken, tempDir } from "./process/fakes.js";

async function agentOf(source: string, over: Partial<AgentSettings> = {}) {
  const cwd = tempDir();
  const argv = [executable(cwd, "agent", source)];
  const settings = { ...DEFAULT_SETTINGS, killGraceMs: 1_000, settleGraceMs: 50, agent: { ...DEFAULT_SETTINGS.agent, kind: "command", argv, ...over } };
  const agent = await commandAgent(settings, { cwd, env: cleanEnv, confirmed: true });
  const token = freshToken();
  const start = (prompt = "the prompt\n") => agent.start({ prompt, cwd, run: "r", iteration: 1, token, streamPath: `${cwd}/stream.jsonl`, env: cleanEnv });
  return { agent, start, token, cwd };
}

describe("command agent, text", () => {
  it("gives its output as one message, and its exit as its last word", async () => {
    const { start } = await agentOf("#!/bin/sh\nread line; echo \"got $line\"; echo; printf 'last\\n\\n'");
    const run = start();
    expect(await collect(run)).toEqual([
      { type: "text", text: "got the prompt\n\nlast" },
      { type: "finished", ok: true, text: "got the prompt\n\nlast" },
    ]);
    expect(await run.exit).toEqual({ kind: "exited", code: 0 });
  });

  it("CD-17 assembles a marker that comes in pieces", async () => {
    const { start } = await agentOf(`#!${process.execPath}\nprocess.stdout.write("<promise>CO", () => setImmediate(() => console.log("MPLETE</promise>")));`);
    expect((await collect(start())).at(-1)).toEqual({ type: "finished", ok: true, text: "<promise>COMPLETE</promise>" });
  });

  it("CD-18 says nothing for an agent that says nothing", async () => {
    const { start } = await agentOf("#!/bin/sh\nexit 0");
    expect(await collect(start())).toEqual([{ type: "finished", ok: true, text: null }]);
  });

  it("PH-19 tells a crash with what stood on stderr", async () => {
    const { start } = await agentOf("#!/bin/sh\necho half; echo 'segfault at 0' >&2; exit 3");
    expect(await collect(start())).toEqual([
      { type: "text", text: "half" },
      { type: "error", kind: "crash", fatal: true, message: "segfault at 0" },
      { type: "finished", ok: false, text: "half" },
    ]);
  });

  it("PH-17 keeps the end of a long output, without control sequences", async () => {
    const { start } = await agentOf("#!/bin/sh\nseq 1 100000; printf '10%%\\r\\033[1m100%%\\033[0m\\n'");
    const [text] = await collect(start());
    expect(text?.type === "text" && text.text.length).toBeLessThanOrEqual(64 * 1024);
    expect(text?.type === "text" && text.text.endsWith("99999\n100000\n100%")).toBe(true);
  });

  it("PR-05 PR-06 hands the prompt over as it is", async () => {
    const prompt = "---\n\"a\" 'b' \\ $(touch pwn) `id`\n---\n---\n";
    const { start } = await agentOf("#!/bin/sh\ncat");
    expect((await collect(start(prompt))).at(0)).toEqual({ type: "text", text: prompt.trim() });
  });

  it("PH-13 fails when it can see a surrounding agent, which the environment hides", async () => {
    const { start } = await agentOf('#!/bin/sh\n[ -z "$CLAUDECODE" ] || exit 1; echo "$RALPHD_TOKEN"');
    const run = start();
    const { token } = { token: (await collect(run)).at(0) };
    expect(token).toMatchObject({ type: "text", text: expect.stringMatching(/^test-/) });
  });

  it("translates the recorded output of an iteration that nobody settled", async () => {
    const { agent } = await agentOf("#!/bin/sh\n");
    expect(agent.replayStream("working\ndone\n")).toEqual([{ type: "text", text: "working\ndone" }]);
  });
});

describe("command agent, events", () => {
  const printing = (...lines: string[]) => `#!/bin/sh\ncat > /dev/null\ncat <<'END'\n${lines.join("\n")}\nEND\n`;

  it("reads one event a line", async () => {
    const lines = ['{"type":"toolCall","name":"Bash","command":"ls"}', "log line", '{"type":"toolResult","exitCode":0}', '{"type":"finished"}'];
    const { start } = await agentOf(printing(...lines), { output: "events" });
    expect((await collect(start())).map((event) => event.type)).toEqual(["toolCall", "unknown", "toolResult", "finished"]);
  });

  it("CD-16 is ended when it stays after its result", async () => {
    const { start, token } = await agentOf(`${printing('{"type":"finished","ok":true}')}exec sleep 600`, { output: "events" });
    const run = start();
    expect(await collect(run)).toEqual([{ type: "finished", ok: true, text: null }]);
    expect(await run.exit).toEqual({ kind: "stopped", cause: "settled" });
    expect(alive(token)).toEqual([]);
  });

  it("tells a crash once, unless the agent explained itself", async () => {
    const silent = await agentOf("#!/bin/sh\necho broken >&2; exit 2", { output: "events" });
    expect((await collect(silent.start())).filter((event) => event.type === "error")).toEqual([
      { type: "error", kind: "crash", fatal: true, message: "broken" },
    ]);
    const open = await agentOf(`${printing('{"type":"error","kind":"auth","message":"log in"}')}exit 2`, { output: "events" });
    expect((await collect(open.start())).filter((event) => event.type === "error")).toHaveLength(1);
  });
});

describe("check", () => {
  it("finds a program on PATH, by relative and by absolute path", async () => {
    const { agent, cwd } = await agentOf("#!/bin/sh\n");
    expect(await agent.check()).toEqual({ kind: "ready", version: `${cwd}/agent`, billing: null });
    const named = await agentOf("", { argv: ["sh"] });
    expect(await named.agent.check()).toMatchObject({ kind: "ready", version: expect.stringMatching(/\/sh$/) });
    const settings = { ...DEFAULT_SETTINGS, agent: { ...DEFAULT_SETTINGS.agent, argv: ["./agent"] } };
    expect(await (await commandAgent(settings, { cwd, env: {}, confirmed: true })).check()).toMatchObject({ kind: "ready" });
  });

  it.each([
    [["no-such-agent"], /no-such-agent was not found on PATH/],
    [["./no-such-agent"], /no-such-agent does not exist/],
    [["/etc/passwd"], /not executable/],
    [["/tmp/"], /is not a file/],
    [[], /after `--`/],
  ])("says what is wrong with %j", async (argv, message) => {
    const { agent } = await agentOf("", { argv });
    expect(await agent.check()).toEqual({ kind: "missing", message: expect.stringMatching(message) });
  });
});
