/** The closed vocabularies: each reason has one status; what a script or a person can go on with. */
import { describe, expect, it } from "vitest";
import { agentLabel, agentOf } from "../../src/core/agent-list.js";
import type { AgentExit } from "../../src/core/agent-event.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import { endingText } from "../../src/core/ending-text.js";
import { iterationDir, rejectedPath } from "../../src/core/paths.js";
import { canContinue } from "../../src/core/run-state.js";
import { type FinalStatus, STOP_REASONS, type StopReason, statusOf } from "../../src/core/words.js";

describe("stop reasons", () => {
  const all = Object.entries(STOP_REASONS).flatMap(([status, reasons]) => reasons.map((reason) => [reason, status] as const));

  it.each(all)("%s belongs to %s", (reason, status) => expect(statusOf(reason)).toBe(status));

  it("stand beside one status only, since exit codes follow from it", () => expect(new Set(all.map(([reason]) => reason)).size).toBe(all.length));

  // From a journal of a newer version: better no status than a wrong one.
  it("that nobody knows have no status", () => expect(() => statusOf("later" as StopReason)).toThrow("unknown stop reason later"));
});

describe("the same command goes on with a run", () => {
  it.each<[FinalStatus, StopReason, boolean]>([
    ["stopped", "human", true],
    ["failed", "disk", true],
    ["failed", "auth", false],
    ["done", "all_tasks_checked", false],
    ["capped", "iterations", false],
    ["escalated", "no_progress", false],
  ])("that ended as %s/%s: %s", (status, reason, expected) => {
    const stopped = { status, reason, verified: false, summary: "", evidence: [], at: "" };
    expect(canContinue({ stopped })).toBe(expected);
  });

  it("that has no ending", () => expect(canContinue({ stopped: null })).toBe(true));
});

describe("an agent's name", () => {
  const named = (name: string, model: string | null) => ({ ...DEFAULT_SETTINGS.agent, name, model });
  const settings = { agent: named("claude", null), fallback: [named("claude", "haiku"), named("codex", null)] };

  it("tells two models of one product apart", () =>
    expect([settings.agent, ...settings.fallback].map(agentLabel)).toEqual(["claude", "claude haiku", "codex"]));

  it.each([
    ["claude", 0],
    ["claude haiku", 1],
    ["codex", 2],
    // Journals of older versions, and agents that were taken out of the configuration since.
    ["gone", 0],
  ])("%s leads to its settings", (label, index) => expect(agentOf(settings, label)).toBe([settings.agent, ...settings.fallback][index]));
});

describe("how an agent ended", () => {
  it.each<[AgentExit, string]>([
    [{ kind: "exited", code: 3 }, "exit code 3"],
    [{ kind: "signalled", signal: "SIGSEGV" }, "killed by SIGSEGV"],
    [{ kind: "stopped", cause: "idle" }, "ended by the driver (idle)"],
    [{ kind: "cannotStart", message: "no such program" }, "no such program"],
  ])("%j is told from outside", (exit, text) => expect(endingText({ error: null, exit })).toBe(text));

  it("is told in its own words where it had some", () => {
    expect(endingText({ error: { kind: "auth", message: "log in again" }, exit: { kind: "exited", code: 1 } })).toBe("log in again");
  });
});

// Test runners search every folder: a kept copy must not look like a test.
it("names folders so that they sort, and kept copies so that nothing runs them", () => {
  expect([iterationDir(7), iterationDir(12_345), rejectedPath(7, "test/a.test.ts")]).toEqual([
    "iterations/0007",
    "iterations/12345",
    "iterations/0007/rejected/test/a.test.ts.kept",
  ]);
});
