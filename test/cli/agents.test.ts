/** The table of agents: installed, logged in, what each can report. */
import { describe, expect, it } from "vitest";
import { runAgents } from "../../src/cli/agents.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import type { Settings } from "../../src/core/settings.js";
import { executable, tempDir } from "../agents/process/fakes.js";

async function table(env: NodeJS.ProcessEnv, json: boolean, settings: Settings = DEFAULT_SETTINGS, confirmed = true): Promise<string[]> {
  const lines: string[] = [];
  await runAgents({ cwd: tempDir(), env: { HOME: tempDir(), ...env }, settings, confirmed, json, out: (line) => lines.push(line) });
  return lines;
}

describe("ralphd agents", () => {
  it("lists what is ready first, with version, billing and what it reports", async () => {
    const bin = tempDir();
    executable(bin, "codex", "#!/bin/sh\necho codex-cli 0.171.0");
    const lines = await table({ PATH: `${bin}:/usr/bin:/bin`, CODEX_API_KEY: "k" }, false);
    expect(lines[0]).toBe("codex      ready, 0.171.0, API key, per token (CODEX_API_KEY)");
    expect(lines[1]).toBe("           reports progress, tokens, exit codes of commands; not cost");
    expect(lines.find((line) => line.startsWith("gemini"))).toMatch(
      /not ready: gemini was not found on PATH; install it with `npm install -g @google\/gemini-cli`/,
    );
  });

  it("says in JSON what a run can be held by", async () => {
    const bin = tempDir();
    executable(bin, "gemini", "#!/bin/sh\necho 0.61.0");
    const rows = JSON.parse((await table({ PATH: `${bin}:/usr/bin:/bin` }, true)).join("")) as { agent: string }[];
    expect(rows.map(({ agent }) => agent)).toEqual([
      "claude",
      "codex",
      "gemini",
      "opencode",
      "copilot",
      "pi",
      "cursor",
      "acp",
      "anthropic",
      "command",
      "replay",
    ]);
    expect(rows.find(({ agent }) => agent === "gemini")).toMatchObject({
      installed: true,
      loggedIn: false,
      version: null,
      message: expect.stringContaining("GEMINI_API_KEY"),
      reports: { progress: true, tokens: true, cost: false, commands: false },
    });
  });

  it("lists what the user defined by a name of its own", async () => {
    const mine: Settings["agents"][number] = {
      ...DEFAULT_SETTINGS.agent,
      name: "mine",
      kind: "command",
      argv: [executable(tempDir(), "mine", "#!/bin/sh\n")],
      output: "events",
    };
    const settings = { ...DEFAULT_SETTINGS, agents: [mine] };
    const rows = JSON.parse((await table({}, true, settings)).join("")) as { agent: string }[];
    expect(rows.find(({ agent }) => agent === "mine")).toMatchObject({ kind: "command", installed: true, reports: { cost: true } });
    expect((await table({}, false, settings)).find((line) => line.startsWith("mine"))).toMatch(/^mine +\(command\) ready/);
  });

  it("hands the settings of one agent to that agent alone", async () => {
    const other = executable(tempDir(), "my-pi", "#!/bin/sh\necho 9.9.9");
    const settings = { ...DEFAULT_SETTINGS, agent: { ...DEFAULT_SETTINGS.agent, kind: "pi", argv: [other] } };
    const rows = JSON.parse((await table({ PATH: "/usr/bin:/bin", OPENAI_API_KEY: "k" }, true, settings)).join("")) as { agent: string }[];
    expect(rows.find(({ agent }) => agent === "pi")).toMatchObject({ version: "9.9.9" });
    expect(rows.find(({ agent }) => agent === "codex")).toMatchObject({ installed: false });
    const unasked = JSON.parse((await table({ PATH: "/usr/bin:/bin", OPENAI_API_KEY: "k" }, true, settings, false)).join("")) as { agent: string }[];
    expect(unasked.find(({ agent }) => agent === "pi")).toMatchObject({
      installed: null,
      loggedIn: null,
      version: null,
      message: expect.stringContaining("nobody has confirmed"),
    });
  });
});
