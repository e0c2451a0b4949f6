/** Agents by name, and those that stand in. */
import { describe, expect, it } from "vitest";
import { refused, settled } from "./fixture.js";

const MINE =
  "agents:\n  mine: { argv: [./mine.sh], output: events, envSet: { LOG_level: high } }\n  claude: { args: [--verbose], model: opus }\n  cheap: { kind: claude, model: haiku }\n";

describe("agents of the user's own", () => {
  it("run by their name, with what was said of them", () => {
    const { settings, origins } = settled({ user: MINE, flags: { agent: "mine" } });
    expect(settings.agent).toMatchObject({ name: "mine", kind: "command", argv: ["./mine.sh"], output: "events", envSet: { LOG_level: "high" } });
    expect(origins["agent.argv"]).toBe("~/.config/ralphd/config.yaml:2");
  });

  it("say something of a kind whoever asks for it, and a project's own words win", () => {
    expect(settled({ user: MINE, project: "agent: claude" }).settings.agent).toMatchObject({ kind: "claude", args: ["--verbose"], model: "opus" });
    expect(settled({ user: MINE, project: "agent: { kind: claude, model: sonnet }" }).settings.agent).toMatchObject({ args: ["--verbose"], model: "sonnet" });
    expect(settled({ user: MINE, flags: { agent: "cheap" } }).settings.agent).toMatchObject({ name: "cheap", kind: "claude", model: "haiku", args: [] });
  });

  it.each([
    ["agents:\n  mine: { model: x }", "2:3: agents.mine: needs a kind, or the argv of a program"],
    ["agents:\n  claude: { kind: codex }", "agents.claude: claude is an agent of its own"],
    ["agents:\n  mine: { kind: codx }", "agents.mine: there is no kind codx"],
    ["agents:\n  mine: { kind: command }", "agents.mine: the command agent needs a program"],
    ["agents:\n  'my agent': { argv: [x] }", "agents.my agent: a name has letters, digits, dot and dash"],
  ])("%s is refused", (user, message) => {
    expect(refused({ user }).join("\n")).toContain(message);
  });

  it("belong to the user alone, and a mistyped name is told", () => {
    expect(refused({ project: MINE })[0]).toMatch(/config.yaml:1:1: agents belong into config.yaml of your own config directory/);
    expect(refused({ user: MINE, flags: { agent: "mune" } })).toEqual([
      'agent.kind: unknown value "mune"; did you mean mine? one of auto, claude, codex, gemini, opencode, copilot, pi, cursor, acp, anthropic, command, replay, cheap, mine',
    ]);
  });
});

describe("fallback", () => {
  it("takes names, models and the rest from the definitions", () => {
    const { settings, repositoryCommands } = settled({
      user: MINE,
      plan: "agent: claude\nfallback: [codex, cheap, { kind: claude, model: sonnet }, { kind: command, argv: [./other.sh] }]",
    });
    expect(settings.fallback.map(({ name, kind, model, args }) => [name, kind, model, args])).toEqual([
      ["codex", "codex", null, []],
      ["cheap", "claude", "haiku", []],
      ["claude", "claude", "sonnet", ["--verbose"]],
      ["command", "command", null, []],
    ]);
    expect(repositoryCommands).toEqual([{ what: "fallback command", command: "./other.sh", origin: "PLAN.md:3" }]);
  });

  it("comes from flag and environment with commas", () => {
    expect(settled({ flags: { agent: "claude", fallback: ["codex,anthropic", "acp:a,b"] } }).settings.fallback.map(({ kind }) => kind)).toEqual([
      "codex",
      "anthropic",
      "acp:a,b",
    ]);
    expect(settled({ flags: { agent: "claude" }, env: { RALPHD_FALLBACK: "codex, pi" } }).settings.fallback.map(({ kind }) => kind)).toEqual(["codex", "pi"]);
  });

  it.each([
    ["agent: claude\nfallback: [claude]", "PLAN.md:3:12: fallback[0]: claude stands in the line already"],
    ["agent: claude\nfallback: [codex, codex]", "fallback[1]: codex stands in the line already"],
    ["fallback: [auto]", "auto can't stand in for an agent"],
    ["fallback: [{ model: x }]", "fallback[0]: names no agent"],
    ["fallback: [command]", "fallback[0]: the command agent needs a program"],
    ["fallback: [codx]", 'fallback[0].kind: unknown value "codx"; did you mean codex?'],
  ])("%s is refused", (plan, message) => {
    expect(refused({ plan }).join("\n")).toContain(message);
  });

  it("holds waits on a leash", () => {
    expect(settled({ flags: { maxLimitWait: "8h" } }).settings.limits.limitWaitMs).toBe(8 * 3_600_000);
    expect(settled({ env: { RALPHD_MAX_LIMIT_WAIT: "8h" } }).settings.limits.limitWaitMs).toBe(8 * 3_600_000);
  });
});
