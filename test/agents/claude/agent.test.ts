/** Claude Code as a process, with a fake CLI that shows what it was given. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { product } from "../../../src/agents/claude.js";
import { claudeLogin } from "../../../src/agents/claude/login.js";
import { cliAgent } from "../../../src/agents/cli/cli-agent.js";
import { DEFAULT_SETTINGS } from "../../../src/core/defaults.js";
import type { AgentSettings } from "../../../src/core/settings.js";
import { cleanEnv, collect, executable, freshToken, tempDir } from "../process/fakes.js";

const FAKE = `#!${process.execPath}
if (process.argv[2] === "--version") { console.log("2.1.332 (Claude Code)"); process.exit(0); }
const argv = process.argv.slice(2);
const say = (event) => console.log(JSON.stringify(event));
const end = (prompt) => say({ type: "result", is_error: false, result: JSON.stringify({ prompt, argv, env: process.env }) });
const { createInterface } = require("node:readline");
const lines = [];
createInterface({ input: process.stdin }).on("line", (line) => {
  lines.push(line);
  if (!argv.includes("--replay-user-messages")) return;
  const { message } = JSON.parse(line);
  say({ type: "user", message, isReplay: true });
  const prompt = JSON.parse(lines[0]).message.content[0].text;
  if (prompt !== "wait for a note" || lines.length > 1) end(prompt);
}).on("close", () => argv.includes("--replay-user-messages") || end(lines.join("\\n")));`;

function agentOf(over: Partial<AgentSettings> = {}, env: NodeJS.ProcessEnv = {}) {
  const cwd = tempDir();
  executable(cwd, "claude", FAKE);
  const settings = { ...DEFAULT_SETTINGS, agent: { ...DEFAULT_SETTINGS.agent, ...over } };
  const home = { HOME: cwd, PATH: `${cwd}:${cleanEnv["PATH"]}` };
  return { cwd, home, agent: cliAgent(product, settings, { cwd, env: { ...home, ...env }, confirmed: true }) };
}

async function seenBy(over: Partial<AgentSettings>, env: Record<string, string> = {}) {
  const { agent, cwd, home } = agentOf(over);
  const run = agent.start({ prompt: "do it", cwd, run: "r", iteration: 1, token: freshToken(), streamPath: join(cwd, "s.jsonl"), env: { ...home, ...env } });
  const last = (await collect(run)).at(-1);
  await run.exit;
  return JSON.parse((last?.type === "finished" && last.text) || "{}") as { prompt: string; argv: string[]; env: Record<string, string> };
}

describe("claude agent", () => {
  it("PR-04 passes the prompt on stdin and its flags as arguments", async () => {
    const seen = await seenBy({ model: "opus", args: ["--max-turns", "9"] });
    expect(seen.prompt).toBe("do it");
    expect(seen.argv.join(" ")).toBe(
      "-p --output-format stream-json --verbose --dangerously-skip-permissions --input-format stream-json --replay-user-messages --model opus --max-turns 9",
    );
  });

  it("leaves stdin to arguments of the user's own", async () => {
    const seen = await seenBy({ args: ["--input-format", "text"] });
    expect(seen).toMatchObject({ prompt: "do it", argv: expect.not.arrayContaining(["--replay-user-messages"]) });
  });

  it("takes a note into the running conversation, shows that it arrived, and ends by itself with its last word", async () => {
    const { agent, cwd, home } = agentOf();
    const run = agent.start({ prompt: "wait for a note", cwd, run: "r", iteration: 1, token: freshToken(), streamPath: join(cwd, "s.jsonl"), env: home });
    run.tell?.("come to an end\nsoon");
    expect((await collect(run)).map((event) => (event.type === "noteTaken" ? event.text : event.type))).toEqual(["come to an end\nsoon", "finished"]);
    expect(await run.exit).toEqual({ kind: "exited", code: 0 });
    run.tell?.("too late");
  });

  it("keeps retries inside the CLI short, unless the user set them", async () => {
    expect((await seenBy({})).env).toMatchObject({ CLAUDE_CODE_MAX_RETRIES: "2", API_TIMEOUT_MS: "180000", DISABLE_AUTOUPDATER: "1" });
    expect((await seenBy({}, { CLAUDE_CODE_MAX_RETRIES: "7" })).env).toMatchObject({ CLAUDE_CODE_MAX_RETRIES: "7" });
  });

  it("tells the CLI that it may run as root, only when it does", async () => {
    expect((await seenBy({})).env["IS_SANDBOX"]).toBe(process.getuid?.() === 0 ? "1" : undefined);
  });

  it("is ready with version and billing", async () => {
    const { agent } = agentOf({}, { ANTHROPIC_API_KEY: "k" });
    expect(await agent.check()).toEqual({ kind: "ready", version: "2.1.332", billing: "API key, per token (ANTHROPIC_API_KEY)" });
  });

  it("takes its executable from argv or RALPHD_CLAUDE_PATH", async () => {
    const other = executable(tempDir(), "other", "#!/bin/sh\necho 9.9.9");
    const env = { ANTHROPIC_API_KEY: "k" };
    expect(await agentOf({ argv: [other] }, env).agent.check()).toMatchObject({ version: "9.9.9" });
    expect(await agentOf({}, { ...env, RALPHD_CLAUDE_PATH: other }).agent.check()).toMatchObject({ version: "9.9.9" });
  });

  it("RL-13 CF-04 says what is missing or would wait for a person: program, working program, login", async () => {
    expect(await agentOf({}, { PATH: "/nowhere" }).agent.check()).toMatchObject({ kind: "missing", message: expect.stringContaining("npm install") });
    const broken = executable(tempDir(), "broken", "#!/bin/sh\necho no libc >&2; exit 127");
    for (const args of [["--permission-mode", "plan"], ["--permission-mode=default"]]) {
      expect(await agentOf({ args }, { ANTHROPIC_API_KEY: "k" }).agent.check()).toMatchObject({
        kind: "missing",
        message: expect.stringContaining("waits for a person's approval"),
      });
    }
    expect(await agentOf({ args: ["--permission-mode", "acceptEdits"] }, { ANTHROPIC_API_KEY: "k" }).agent.check()).toMatchObject({ kind: "ready" });
    expect(await agentOf({ argv: [broken] }).agent.check()).toMatchObject({ kind: "missing", message: expect.stringContaining("no libc") });
    if (process.platform === "linux") {
      expect(await agentOf().agent.check()).toMatchObject({ kind: "notLoggedIn", message: expect.stringContaining("ANTHROPIC_API_KEY") });
    }
  });
});

describe("login", () => {
  const home = (files: Record<string, unknown>): string => {
    const folder = tempDir();
    mkdirSync(join(folder, ".claude"));
    for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, ".claude", name), JSON.stringify(value));
    return folder;
  };

  it.each([
    [{ CLAUDE_CODE_USE_BEDROCK: "1", ANTHROPIC_API_KEY: "k" }, "Amazon Bedrock"],
    [{ CLAUDE_CODE_USE_BEDROCK: "0", ANTHROPIC_API_KEY: "k" }, "API key, per token (ANTHROPIC_API_KEY)"],
    [{ ANTHROPIC_AUTH_TOKEN: "t" }, "bearer token (ANTHROPIC_AUTH_TOKEN)"],
    [{ CLAUDE_CODE_OAUTH_TOKEN: "t" }, "subscription (CLAUDE_CODE_OAUTH_TOKEN)"],
  ])("%j is billed by: %s", (env, billing) => expect(claudeLogin({ HOME: home({}), ...env }, "linux")).toEqual({ kind: "found", billing }));

  it("reads the CLI's own files, also from CLAUDE_CONFIG_DIR", () => {
    const folder = home({ ".credentials.json": { claudeAiOauth: { subscriptionType: "max" } } });
    expect(claudeLogin({ HOME: folder }, "linux")).toEqual({ kind: "found", billing: "subscription (max)" });
    expect(claudeLogin({ HOME: "/nowhere", CLAUDE_CONFIG_DIR: join(folder, ".claude") }, "linux")).toMatchObject({ kind: "found" });
    expect(claudeLogin({ HOME: home({ "settings.json": { apiKeyHelper: "/x" } }) }, "linux")).toMatchObject({ kind: "found" });
  });

  it("is unknown, not absent, where a keychain may hold it", () => {
    expect(claudeLogin({ HOME: home({}) }, "linux")).toEqual({ kind: "none" });
    expect(claudeLogin({ HOME: home({}) }, "darwin")).toEqual({ kind: "found", billing: null });
  });
});
