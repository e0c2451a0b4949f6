/** What a person is told before the start about what nobody can check. */
import { describe, expect, it } from "vitest";
import { startText } from "../../src/cli/start-text.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import type { AgentReach } from "../../src/driver/ports.js";
import type { Preflight } from "../../src/run/preflight.js";

const ALL: AgentReach = { streams: true, reportsUsage: true, reportsCost: true, reportsCommands: true };

function notes(
  reach: AgentReach,
  limits: Partial<typeof DEFAULT_SETTINGS.limits> = {},
  agentNote = "agent: some 1.0.0",
  others: [string, { reach: AgentReach }][] = [],
): string[] {
  const settings = { ...DEFAULT_SETTINGS, limits: { ...DEFAULT_SETTINGS.limits, ...limits } };
  return textOf({ settings, agents: new Map([["some", { reach }], ...others]), agentNotes: [agentNote] });
}

/** Only what the text reads; a whole preflight needs a repository. */
function textOf(facts: object): string[] {
  const ready = {
    settings: DEFAULT_SETTINGS,
    plan: null,
    agents: new Map(),
    agentNotes: [],
    sandbox: { isolated: false, note: "sandbox: off" },
    ...facts,
  } as unknown as Preflight;
  return startText(ready).filter((line) => line.startsWith("note:"));
}

describe("start text", () => {
  it("has no notes for an agent that reports everything", () => {
    expect(notes(ALL, { tokens: 1_000, costMicroUsd: 1_000_000 })).toEqual([]);
  });

  it("says what a brake goes by where exit codes are missing", () => {
    expect(notes({ ...ALL, reportsCommands: false })).toEqual([expect.stringMatching(/some tells no exit codes.*what test runners print/)]);
    // Plain text reports nothing while it runs, and no brake looks at it.
    expect(notes({ ...ALL, streams: false, reportsCommands: false })).toEqual([]);
  });

  it("BC-07 CC-06 calls dollars an estimate where a subscription is billed, and names what shares its login", () => {
    expect(notes(ALL, {}, "agent: claude 2.1.332 (subscription (max))")).toEqual([
      expect.stringContaining("estimates at list price"),
      expect.stringContaining("CLAUDE_CONFIG_DIR"),
    ]);
  });

  it("says that what is declared as kept ends with its agent in a sandbox, and nothing without one", () => {
    const settings = { ...DEFAULT_SETTINGS, keep: ["docker compose", "vite"] };
    expect(textOf({ settings, sandbox: { isolated: true, note: "sandbox: on" } })).toEqual([
      expect.stringMatching(/keep can't hold \(docker compose, vite\); --sandbox off lets it/),
    ]);
    expect(textOf({ settings })).toEqual([]);
    expect(textOf({ sandbox: { isolated: true, note: "sandbox: on" } })).toEqual([]);
  });

  it("BC-01 says which limits can't hold, and what holds instead", () => {
    const limits = { tokens: 1_000, costMicroUsd: 1_000_000 };
    expect(notes({ ...ALL, reportsCost: false }, limits)).toEqual([expect.stringMatching(/no cost.*--max-cost can't hold.*so do tokens/)]);
    expect(notes(ALL, limits, "agent: some 1.0.0", [["codex", { reach: { ...ALL, reportsCost: false } }]])).toEqual([
      expect.stringMatching(/codex reports no cost/),
    ]);
    expect(notes({ ...ALL, reportsUsage: false }, limits)).toEqual([expect.stringMatching(/no tokens.*--max-tokens can't hold/)]);
  });
});
