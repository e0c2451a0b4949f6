/** Every command-line agent as a process, with a fake CLI that shows what it was given. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAgent } from "../../src/agents/registry.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import type { AgentSettings } from "../../src/core/settings.js";
import type { Agent } from "../../src/driver/ports.js";
import { cleanEnv, collect, executable, freshToken, tempDir } from "./process/fakes.js";

/** Prints what it got as an event that no adapter knows, which passes through as `unknown`. */
const FAKE = `#!${process.execPath}
if (process.argv[2] === "--version") { console.log("v1.2.3"); process.exit(0); }
let prompt = "";
process.stdin.on("data", (part) => (prompt += part)).on("end", () => {
  const seen = { argv: process.argv.slice(2), prompt, env: Object.fromEntries(Object.entries(process.env).filter(([name]) => /GEMINI|OPENCODE|COPILOT|PI_|CODEX/.test(name))) };
  console.log(JSON.stringify({ type: "seen", ...seen }));
});`;

const PROGRAMS: Readonly<Record<string, string>> = {
  codex: "codex",
  gemini: "gemini",
  opencode: "opencode",
  copilot: "copilot",
  pi: "pi",
  cursor: "cursor-agent",
};
const KINDS = Object.keys(PROGRAMS);

interface Place {
  cwd: string;
  home: string;
  agent: Agent;
  env: Record<string, string>;
}

async function place(kind: string, over: Partial<AgentSettings> = {}, env: Record<string, string> = {}, files: Record<string, string> = {}): Promise<Place> {
  const cwd = tempDir();
  const home = tempDir();
  executable(cwd, PROGRAMS[kind] ?? kind, FAKE);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), content);
  }
  const whole = { HOME: home, PATH: `${cwd}:${cleanEnv["PATH"]}`, ...env };
  const settings = { ...DEFAULT_SETTINGS, agent: { ...DEFAULT_SETTINGS.agent, ...over, kind } };
  const created = await createAgent(settings, { cwd, env: whole, confirmed: true });
  if ("error" in created) throw new Error(created.error);
  return { cwd, home, agent: created.agent, env: whole };
}

async function seenBy(kind: string, over: Partial<AgentSettings> = {}, env: Record<string, string> = {}) {
  const { cwd, agent, env: whole } = await place(kind, over, env);
  const run = agent.start({ prompt: "do `it` $(now)", cwd, run: "r", iteration: 1, token: freshToken(), streamPath: join(cwd, "s.jsonl"), env: whole });
  const events = await collect(run);
  await run.exit;
  const raw = events.find((event) => event.type === "unknown");
  return { events, seen: JSON.parse(raw?.type === "unknown" ? raw.raw : "{}") as { prompt: string; argv: string[]; env: Record<string, string> } };
}

describe.each(KINDS)("%s", (kind) => {
  it("PR-01 PH-06 gets its prompt on stdin, which is then closed, and nothing of it as an argument", async () => {
    const { seen } = await seenBy(kind);
    expect(seen.prompt).toBe("do `it` $(now)");
    expect(seen.argv.join(" ")).not.toContain("now");
  });

  it("did not end well when it exits with 0 and says nothing final", async () => {
    const { events } = await seenBy(kind);
    expect(events.slice(-2)).toEqual([
      { type: "error", kind: "crash", fatal: true, message: expect.stringContaining("without a final event") },
      { type: "finished", ok: false, text: null },
    ]);
  });

  it("RL-13 says what is missing: program, working program, login", async () => {
    const { agent } = await place(kind, {}, { PATH: "/nowhere" });
    expect(await agent.check()).toMatchObject({ kind: "missing", message: expect.stringContaining(`RALPHD_${kind.toUpperCase()}_PATH`) });
    const broken = executable(tempDir(), "broken", "#!/bin/sh\necho no libc >&2; exit 127");
    expect(await (await place(kind, { argv: [broken] })).agent.check()).toMatchObject({ kind: "missing", message: expect.stringContaining("no libc") });
    if (process.platform === "linux") expect(await (await place(kind)).agent.check()).toMatchObject({ kind: "notLoggedIn" });
  });

  it("takes its executable from argv or the environment", async () => {
    const other = executable(tempDir(), "other", "#!/bin/sh\necho 9.9.9");
    const login = { CODEX_API_KEY: "k", GEMINI_API_KEY: "k", OPENAI_API_KEY: "k", COPILOT_GITHUB_TOKEN: "k", CURSOR_API_KEY: "k" };
    expect(await (await place(kind, { argv: [other] }, login)).agent.check()).toMatchObject({ kind: "ready", version: "9.9.9" });
    expect(await (await place(kind, {}, { ...login, [`RALPHD_${kind.toUpperCase()}_PATH`]: other })).agent.check()).toMatchObject({ version: "9.9.9" });
    expect(await (await place(kind, {}, login)).agent.check()).toMatchObject({ version: "1.2.3" });
  });
});

describe("command lines for an unattended run", () => {
  it.each([
    ["codex", {}, "exec --json --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox -c check_for_update_on_startup=false"],
    [
      "codex",
      { model: "gpt-5.5", effort: "high" },
      'exec --json --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox -c check_for_update_on_startup=false -m gpt-5.5 -c model_reasoning_effort="high"',
    ],
    ["gemini", { model: "gemini-3.8-flash" }, "-o stream-json --yolo -m gemini-3.8-flash"],
    ["opencode", { model: "a/b", effort: "high" }, "run --format json --auto --title ralphd --model a/b --variant high"],
    ["copilot", { model: "m", args: ["--no-color"] }, "--output-format json --allow-all --no-auto-update --model m --no-color"],
    ["pi", { model: "m", effort: "low" }, "--mode json -p --model m --thinking low"],
    ["cursor", { model: "m" }, "-p --output-format stream-json --force --model m"],
  ])("%s %j", async (kind, over, expected) => {
    const { seen } = await seenBy(kind, over);
    expect(seen.argv.join(" ")).toBe(expected);
  });

  it("keeps retries inside Codex short for a provider of the user's own, unless the user set them", async () => {
    const own = ["-c", "model_provider=fake", "-c", "model_providers.fake.stream_max_retries=9"];
    const { seen } = await seenBy("codex", { args: own });
    expect(seen.argv.join(" ")).toMatch(/model_providers\.fake\.request_max_retries=2 -c model_provider=fake/);
    expect(seen.argv.filter((argument) => argument.includes("stream_max_retries"))).toEqual(["model_providers.fake.stream_max_retries=9"]);
  });

  it("sets variables that the user did not set", async () => {
    expect((await seenBy("gemini")).seen.env).toMatchObject({ GEMINI_CLI_NO_RELAUNCH: "true", GEMINI_CLI_TRUST_WORKSPACE: "true" });
    expect((await seenBy("gemini", {}, { GEMINI_CLI_TRUST_WORKSPACE: "false" })).seen.env).toMatchObject({ GEMINI_CLI_TRUST_WORKSPACE: "false" });
  });
});

describe("logins", () => {
  const billing = async (kind: string, env: Record<string, string>, files: Record<string, string> = {}, over: Partial<AgentSettings> = {}) => {
    const checked = await (await place(kind, over, env, files)).agent.check();
    return checked.kind === "ready" ? checked.billing : checked.kind;
  };

  it.each([
    ["codex", {}, { ".codex/auth.json": '{"tokens":{"access_token":"t"}}' }, "subscription (ChatGPT login)"],
    ["codex", {}, { ".codex/auth.json": '{"OPENAI_API_KEY":"k","tokens":null}' }, "API key, per token (codex login)"],
    ["codex", {}, { ".codex/config.toml": 'model_provider = "local"\n' }, null],
    ["codex", { CODEX_API_KEY: " " }, { ".codex/auth.json": "{broken" }, "notLoggedIn"],
    [
      "gemini",
      {},
      { ".gemini/oauth_creds.json": '{"a":1}', ".gemini/settings.json": '{"security":{"auth":{"selectedType":"oauth-personal"}}}' },
      "Google account",
    ],
    ["gemini", {}, { ".gemini/settings.json": '{"security":{"auth":{"selectedType":"oauth-personal"}}}' }, "notLoggedIn"],
    ["gemini", {}, { ".gemini/.env": "GEMINI_API_KEY=k\n" }, "API key, per token (~/.gemini/.env)"],
    ["gemini", { GOOGLE_GENAI_USE_VERTEXAI: "true" }, {}, "Google Vertex AI"],
    ["opencode", {}, { ".local/share/opencode/auth.json": '{"anthropic":{},"zai":{}}' }, "login of anthropic, zai"],
    ["opencode", {}, { ".config/opencode/opencode.jsonc": '{ /* mine */ "provider": {} }' }, null],
    ["copilot", {}, { ".copilot/config.json": '// managed\n{"lastLoggedInUser":{"login":"x"}}' }, "subscription, premium requests"],
    ["copilot", { COPILOT_PROVIDER_BASE_URL: "http://127.0.0.1/v1" }, {}, "own model provider (COPILOT_PROVIDER_BASE_URL)"],
    ["pi", {}, { ".pi/agent/auth.json": '{"anthropic":{}}' }, "login of anthropic"],
    ["pi", {}, { ".pi/agent/models.json": '{"providers":{"local":{}}}' }, null],
    ["cursor", {}, { ".config/cursor/auth.json": '{"accessToken":"t"}' }, "subscription"],
  ])("%s with %j and %j", async (kind, env, files, expected) => {
    expect(await billing(kind, env as Record<string, string>, files as unknown as Record<string, string>)).toBe(expected);
  });

  it("opencode without a login can use the free models by name", async () => {
    expect(await billing("opencode", {}, {}, { model: "opencode/free" })).toBe("free models of OpenCode");
  });
});
