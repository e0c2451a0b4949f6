/** From a name in the settings to an agent. */
import { describe, expect, it } from "vitest";
import { createAgent } from "../../src/agents/registry.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import { executable, tempDir } from "./process/fakes.js";

const create = (kind: string, env: NodeJS.ProcessEnv = {}) =>
  createAgent({ ...DEFAULT_SETTINGS, agent: { ...DEFAULT_SETTINGS.agent, kind } }, { cwd: tempDir(), env: { HOME: tempDir(), ...env }, confirmed: true });

describe("createAgent", () => {
  it.each(["claude", "codex", "gemini", "opencode", "copilot", "pi", "cursor", "acp", "anthropic", "command", "replay"])("makes %s", async (kind) => {
    expect(await create(kind)).toMatchObject({ agent: { kind }, note: null });
  });

  it("names the nearest of a mistyped name, and none for a far-fetched one", async () => {
    expect(await create("cluade")).toMatchObject({ nearest: "claude", error: expect.stringContaining("there is no agent cluade") });
    expect(await create("constructor")).not.toHaveProperty("nearest");
  });

  it("makes an agent of the command behind acp:", async () => {
    expect(await create("acp:my-agent --acp 'a b'")).toMatchObject({ agent: { kind: "acp" }, note: null });
  });

  it("lists what there is for an agent that nobody knows", async () => {
    expect(await create("nobody")).toEqual({ error: expect.stringMatching(/there is no agent nobody; agents: auto, claude, codex, .*replay/) });
  });

  it("auto takes the first that is installed and logged in, and says how it is billed", async () => {
    const bin = tempDir();
    executable(bin, "claude", "#!/bin/sh\necho 2.1.332");
    expect(await create("auto", { PATH: bin, ANTHROPIC_API_KEY: "k" })).toMatchObject({
      agent: { kind: "claude" },
      note: expect.stringMatching(/claude 2\.1\.332 \(API key/),
    });
    expect(await create("auto", { PATH: "/nowhere", ANTHROPIC_API_KEY: "k" })).toMatchObject({ agent: { kind: "anthropic" } });
  });

  it("auto says for each agent why it can't be taken", async () => {
    if (process.platform !== "linux") return;
    const refused = await create("auto", { PATH: "/nowhere" });
    expect(refused).toEqual({ error: expect.stringMatching(/claude was not found on PATH[^]*ANTHROPIC_API_KEY/) });
  });
});
