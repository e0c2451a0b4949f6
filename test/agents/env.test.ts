/** What an agent's environment holds, and what it does not. */
import { describe, expect, it } from "vitest";
import { type EnvironmentOptions, agentEnvironment, searchedPath } from "../../src/agents/env.js";
import { vendorOf } from "../../src/agents/vendors.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import type { AgentSettings } from "../../src/core/settings.js";

const build = (base: NodeJS.ProcessEnv, over: Partial<EnvironmentOptions> = {}) =>
  agentEnvironment({ base, mode: "inherit", pass: [], deny: [], run: "r1", iteration: 7, token: "t1", keepSecrets: [], ...over });

describe("agent environment", () => {
  it("PH-13 has no marker of a surrounding agent", () => {
    const env = build({
      PATH: "/bin",
      CLAUDECODE: "1",
      CLAUDE_CODE_ENTRYPOINT: "cli",
      CODEX_SANDBOX_NETWORK_DISABLED: "1",
      GEMINI_CLI: "1",
      CURSOR_AGENT: "1",
      AGENT: "x",
    });
    expect(Object.keys(env).sort()).toEqual(["PATH", "RALPHD_DEPTH", "RALPHD_ITERATION", "RALPHD_RUN", "RALPHD_TOKEN"]);
  });

  it("PH-13 keeps settings and keys of the same vendors", () => {
    const base = {
      CODEX_HOME: "/c",
      CLAUDE_CODE_OAUTH_TOKEN: "k",
      CLAUDE_CODE_MAX_RETRIES: "9",
      GEMINI_API_KEY: "g",
      CURSOR_API_KEY: "c",
      ANTHROPIC_API_KEY: "a",
    };
    expect(build(base)).toMatchObject(base);
  });

  it("SE-05 does not hand on the driver's own settings", () => {
    const env = build({ RALPHD_WEBHOOK: "https://secret", RALPHD_MAX_COST: "5", RALPHD_TOKEN: "outer" });
    expect(env).toEqual({ RALPHD_RUN: "r1", RALPHD_ITERATION: "7", RALPHD_TOKEN: "t1", RALPHD_DEPTH: "1" });
  });

  it.each([
    ["1", "2"],
    ["0", "1"],
    ["7", "8"],
    ["nonsense", "1"],
  ])("PH-22 counts the depth: %s becomes %s", (outer, inner) => {
    expect(build({ RALPHD_DEPTH: outer })["RALPHD_DEPTH"]).toBe(inner);
  });

  it("SE-04 minimal leaves what programs need, what was named, and the vendor's key", () => {
    const base = { PATH: "/bin", HOME: "/h", LC_ALL: "C", SECRET: "s", NPM_TOKEN: "n", MY_FLAG: "1", ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o" };
    const env = build(base, { mode: "minimal", pass: ["MY_*"], keepSecrets: vendorOf("claude").variables });
    expect(Object.keys(env).filter((name) => !name.startsWith("RALPHD_"))).toEqual(["PATH", "HOME", "LC_ALL", "MY_FLAG", "ANTHROPIC_API_KEY"]);
  });

  it("denies by name and by pattern, also what is passed", () => {
    const env = build({ AWS_KEY: "1", AWS_ID: "2", AXWS_ID: "3", DOT: "4", "D.T": "5" }, { pass: ["AWS_ID"], deny: ["AWS_*", "D.T"] });
    expect(Object.keys(env).filter((name) => !name.startsWith("RALPHD_"))).toEqual(["AXWS_ID", "DOT"]);
  });

  it("names the folders of every agent that may work, and the driver's own, in which gates find programs", () => {
    const agent = (over: Partial<AgentSettings>): AgentSettings => ({ ...DEFAULT_SETTINGS.agent, ...over });
    const settings = {
      agent: agent({ envSet: { PATH: "/r/tools:/bin" } }),
      fallback: [agent({ envSet: { PATH: "/r/other:/bin" } }), agent({ envDeny: ["PATH"] })],
    };
    expect(searchedPath(settings, { PATH: "/usr/bin:/bin" })).toBe("/r/tools:/bin:/r/other:/usr/bin");
    expect(searchedPath({ agent: agent({}), fallback: [] }, {})).toBe("");
  });
});
