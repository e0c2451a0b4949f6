/** What only shows when sources meet: agents, gates, branches, levels, trust. */
import { describe, expect, it } from "vitest";
import { checkTaskGates, formatProblem } from "../../src/config/load.js";
import { gateText } from "../../src/core/gate.js";
import { refused, settled } from "./fixture.js";

describe("agent", () => {
  it("takes the arguments after -- as the command agent, over whatever the files name", () => {
    const { settings, origins } = settled({ flags: { argv: ["./agent.sh", "-x"] }, project: "agent: { kind: claude, args: [--fast], model: opus }" });
    expect(settings.agent).toMatchObject({ kind: "command", argv: ["./agent.sh", "-x"], args: [], model: null });
    expect(origins["agent.argv"]).toBe("arguments after --");
  });

  it("refuses arguments after -- together with another agent", () => {
    expect(refused({ flags: { agent: "claude", argv: ["x"] } })).toEqual([expect.stringContaining("leave out --agent claude")]);
    expect(settled({ flags: { agent: "command", argv: ["x"] } }).settings.agent.kind).toBe("command");
  });

  it("does not hand what a file says for one agent to another, and says so", () => {
    const { settings, warnings } = settled({
      flags: { agent: "codex" },
      env: { RALPHD_MODEL: "gpt" },
      project: "agent:\n  argv: [./my-claude]\n  effort: high",
      user: "agent: claude",
    });
    expect(settings.agent).toMatchObject({ kind: "codex", argv: [], effort: null, model: "gpt" });
    expect(warnings).toEqual([
      "agent.argv of .ralph/config.yaml:2 is meant for another agent and is not used with codex",
      "agent.effort of .ralph/config.yaml:3 is meant for another agent and is not used with codex",
    ]);
  });

  it("takes a program without a kind for the command agent", () => {
    const { settings, origins } = settled({ project: "agent: { argv: [./agent.sh] }" });
    expect(settings.agent.kind).toBe("command");
    expect(origins["agent.kind"]).toBe("agent.argv");
  });

  it("keeps model ids as they are and reads prices", () => {
    const prices = "agent:\n  prices:\n    my-model_4.1: { input: 3, output: 15, cache_read: 0.3, cacheWrite: 3.75 }";
    expect(settled({ project: prices }).settings.agent.prices).toEqual({ "my-model_4.1": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } });
  });
});

describe("gates", () => {
  it("add up by name over the sources, the plan first", () => {
    const { settings, origins } = settled({
      plan: "gates:\n  - {name: tests, run: npm test, retries: 0}",
      project:
        "baseline: allow\ngates:\n  - {name: tests, run: make test}\n  - {name: lint, run: npm run lint, required: no, when: iteration, baseline: require}",
      user: "gates: [echo hi]",
      flags: { gate: ["npm test", "echo hi there", "echo hi-there"] },
      implied: [{ name: "validation", run: "make all" }],
    });
    expect(settings.gates.map((gate) => [gate.name, gateText(gate), gate.required, gate.retries, gate.baseline])).toEqual([
      ["tests", "npm test", true, 0, "allow"],
      ["validation", "make all", true, 1, "allow"],
      ["lint", "npm run lint", false, 1, "require"],
      ["echo-hi", "echo hi", true, 1, "allow"],
      ["echo-hi-there", "echo hi there", true, 1, "allow"],
      ["echo-hi-there-2", "echo hi-there", true, 1, "allow"],
    ]);
    expect(origins).toMatchObject({
      "gates.tests": "PLAN.md:3",
      "gates.validation": "PLAN.md",
      "gates.lint": ".ralph/config.yaml:4",
      "gates.echo-hi-there": "--gate",
    });
  });

  it("names a task's unknown gate with its line and the nearest", () => {
    const { settings } = settled({ plan: "gates:\n - {name: health, run: x, for: tasks}" });
    const task = { text: "GET /health", line: 9, gates: ["health", "helth"] };
    expect(checkTaskGates([task], settings.gates, "PLAN.md").map(formatProblem)).toEqual([
      'PLAN.md:9: task "GET /health" names the unknown gate helth; did you mean health?',
    ]);
    expect(checkTaskGates([task], [], "PLAN.md").map((problem) => problem.message)[0]).toContain("no gate is configured");
  });
});

describe("branch and level", () => {
  it.each([
    ["nothing said", {}, { level: 2, branchMode: "run", branch: null }],
    ["--current-branch over a branch of the file", { flags: { currentBranch: true }, project: "branch: x" }, { branchMode: "current", branch: null }],
    ["--branch over the file's current branch", { flags: { branch: "y" }, project: "currentBranch: true" }, { branchMode: "run", branch: "y" }],
    ["level 3 with a gate", { flags: { level: "3", gate: ["true"] } }, { level: 3, branchMode: "current" }],
    ["level 3 with a worktree", { flags: { level: "3", gate: ["true"], worktree: true } }, { level: 3, branchMode: "run", worktree: true }],
  ])("%s", (_, given, expected) => expect(settled(given).settings).toMatchObject(expected));

  it.each([
    ["no gate", ""],
    ["only an advisory gate", "gates: [{run: x, required: false}]"],
    ["only a task's gate", "gates: [{run: x, for: tasks}]"],
  ])("refuses level 3 with %s", (_, project) => {
    expect(refused({ flags: { level: "3" }, project })).toEqual([expect.stringContaining("level 3 runs unattended and needs a required, deterministic gate")]);
  });

  it("refuses two answers in one source", () => {
    expect(refused({ flags: { currentBranch: true, worktree: true } })).toEqual([expect.stringContaining("a worktree of its own")]);
  });

  it("warns when the wall clock ends the run before the iteration's own limit", () => {
    expect(settled({ flags: { iterationTimeout: "2h", maxTime: "1h" } }).warnings).toEqual([
      expect.stringContaining("limits.iteration of --iteration-timeout"),
    ]);
    expect(settled({ flags: { maxTime: "10m" } }).warnings).toEqual([]);
  });
});

it("lists the commands that the repository's own files would run, and no others", () => {
  const { repositoryCommands } = settled({
    plan: "gates: [npm test]\nsetup: npm ci",
    project: "agent: { kind: command, argv: [sh, -c, 'x y'] }",
    user: "gates: [my-check]",
    flags: { gate: ["make"] },
  });
  expect(repositoryCommands).toEqual([
    { what: "gate npm-test", command: "npm test", origin: "PLAN.md:2" },
    { what: "setup", command: "npm ci", origin: "PLAN.md:3" },
    { what: "agent", command: 'sh -c "x y"', origin: ".ralph/config.yaml:1" },
  ]);
  expect(settled({ flags: { argv: ["mine"] }, project: "agent: { kind: command, argv: [theirs] }" }).repositoryCommands).toEqual([]);
  const acp = settled({ project: "agent: 'acp:./theirs.sh x'", plan: "fallback: ['acp:./other']" });
  expect(acp.repositoryCommands.map(({ what, command }) => [what, command])).toEqual([
    ["agent", "./theirs.sh x"],
    ["fallback acp:./other", "./other"],
  ]);
  expect(settled({ flags: { agent: "acp:mine" } }).repositoryCommands).toEqual([]);
});
