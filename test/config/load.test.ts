/** From sources to settings: precedence, origins, problems with their places. */
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import { refused, resolve, settled } from "./fixture.js";

describe("precedence", () => {
  it("gives the defaults when nothing is said, and says so for every value", () => {
    const { settings, origins, warnings } = settled({});
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, plan: "PLAN.md" });
    expect(new Set(Object.values(origins))).toEqual(new Set(["default"]));
    expect(Object.keys(origins)).toEqual(expect.arrayContaining(["limits.time", "agent.kind", "protect", "marker", "context.warn", "preset"]));
    expect(warnings).toEqual([]);
  });

  const all = {
    flags: { maxIterations: "1" },
    env: { RALPHD_MAX_ITERATIONS: "2" },
    plan: "limits:\n  iterations: 3",
    project: "max_iterations: 4",
    user: "preset: format\nlimits: { iterations: 5 }",
  };
  it.each([
    [[], 1, "--max-iterations"],
    [["flags"], 2, "RALPHD_MAX_ITERATIONS"],
    [["flags", "env"], 3, "PLAN.md:3"],
    [["flags", "env", "plan"], 4, ".ralph/config.yaml:1"],
    [["flags", "env", "plan", "project"], 5, "~/.config/ralphd/config.yaml:2"],
  ])("without %j takes the next source", (without, iterations, origin) => {
    const { settings, origins } = settled(Object.fromEntries(Object.entries(all).filter(([name]) => !(without as string[]).includes(name))));
    expect(settings.limits.iterations).toBe(iterations);
    expect(origins["limits.iterations"]).toBe(origin);
  });

  it("puts a preset above the defaults and below every source, whoever names it", () => {
    const { settings, origins } = settled({ flags: { preset: "integration" }, user: "limits: { tokens: 1M }" });
    expect([settings.limits.iterations, settings.limits.tokens, settings.brakes.noProgress]).toEqual([7, 1_000_000, 3]);
    expect(origins).toMatchObject({
      preset: "--preset",
      "limits.iterations": "preset integration",
      "limits.tokens": "~/.config/ralphd/config.yaml:1",
      "brakes.noProgress": "preset integration",
    });
  });

  it("reads every flag", () => {
    const { settings } = settled({
      flags: {
        agent: "claude",
        agentOutput: "events",
        model: "m",
        maxIterations: "unlimited",
        maxTokens: "200k",
        maxCost: "$5",
        maxTime: "8h",
        iterationTimeout: "30m",
        idleTimeout: "5m",
        gate: ["npm test"],
        requireGate: true,
        level: "1",
        branch: "b",
        worktree: true,
        allowDirty: true,
        onStuck: "park",
        sandbox: "off",
        once: true,
        marker: "SHIP IT",
      },
    });
    expect(settings).toMatchObject({
      agent: { kind: "claude", output: "events", model: "m" },
      limits: { iterations: null, tokens: 200_000, costMicroUsd: 5_000_000, timeMs: 28_800_000, iterationMs: 1_800_000, idleMs: 300_000 },
      gates: [{ kind: "run", name: "npm-test", run: "npm test", required: true, scope: "plan" }],
      requireGate: true,
      level: 1,
      branch: "b",
      branchMode: "run",
      worktree: true,
      allowDirty: true,
      brakes: { onStuck: "park" },
      sandbox: "off",
      once: true,
      marker: "SHIP IT",
    });
  });

  it("CF-05 reads every timer from a file", () => {
    const { settings } = settled({
      project: `limits: { time: 2h, iteration: 9m, idle: 8m, firstOutput: 7m, limitWait: 2d, resetSlack: 0s }
settleGrace: 0s
kill-grace: 2s
backoff: { first: 1s, max: 2m }
gates: [{ name: slow, run: make slow, timeout: 2h }]`,
    });
    expect(settings).toMatchObject({
      limits: { timeMs: 7_200_000, iterationMs: 540_000, idleMs: 480_000, firstOutputMs: 420_000, limitWaitMs: 172_800_000, resetSlackMs: 0 },
      settleGraceMs: 0,
      killGraceMs: 2_000,
      backoff: { firstMs: 1_000, maxMs: 120_000 },
      gates: [{ timeoutMs: 7_200_000 }],
    });
  });

  it.each(["max_iterations: 3", "max-iterations: 3", "maxIterations: 3", "limits:\n  iterations: 3", "limits: {max_iterations: 3}"])(
    "reads %j in any spelling",
    (project) => expect(settled({ project }).settings.limits.iterations).toBe(3),
  );

  it("adds frozen globs up and replaces protected ones", () => {
    const { settings, origins } = settled({ plan: "freeze: [a]\nprotect: []", project: "freeze: [b, a]\nprotect: [c]" });
    expect(settings.freeze).toEqual(["a", "b"]);
    expect(settings.protect).toEqual([]);
    expect(origins["freeze"]).toBe("PLAN.md:2, .ralph/config.yaml:1");
  });

  it("lets the warning about context follow a lowered rotation", () => {
    const { settings, origins } = settled({ project: "context: { rotate: 40k }" });
    expect(settings.context).toMatchObject({ warnTokens: 35_000, rotateTokens: 40_000, sharePercent: null });
    expect(origins["context.warn"]).toBe("from context.rotate");
  });
});

describe("problems", () => {
  it("CF-01 names the nearest key for max_runtme, with line and column", () => {
    expect(refused({ project: "# limits\nmax_runtme: 8h\n" })).toEqual([".ralph/config.yaml:2:1: unknown key max_runtme; did you mean max_runtime?"]);
  });

  it("names every unknown key of a mapping, not the first alone", () => {
    expect(refused({ project: "colour: red\nlimits: { iteratoins: 5, tiem: 1h }" })).toEqual([
      expect.stringContaining("1:1: unknown key colour"),
      expect.stringContaining("2:11: unknown key iteratoins in limits; did you mean iterations?"),
      expect.stringContaining("2:26: unknown key tiem in limits; did you mean time?"),
    ]);
  });

  it.each([
    ["unknown nested key", "limits:\n  iteratoins: 5", "2:3: unknown key iteratoins in limits; did you mean iterations?"],
    ["unknown key of a gate", "gates:\n  - name: a\n    run: b\n    requried: false", "4:5: unknown key requried in gates[0]; did you mean required?"],
    ["key at the wrong level", "idle: 5m", "1:1: unknown key idle; did you mean limits.idle?"],
    ["key near nothing", "colour: red", "1:1: unknown key colour; known are preset, agent,"],
    ["a name that would be lost", "context:\n  windows:\n    constructor: 100k", "3:5: constructor: can't be a name here"],
    ["prototype key", "__proto__: 1", "1:1: unknown key __proto__"],
    ["key of every object", "toString: 1", "1:1: unknown key toString"],
    ["unknown key without value", "max_runtme:", "1:1: unknown key max_runtme"],
    ["unknown agent", "agent: claud", '1:1: agent.kind: unknown value "claud"; did you mean claude?'],
    ["unknown preset", "preset: bugfx", '1:1: preset: unknown value "bugfx"; did you mean bugfix?'],
    ["number without unit", "limits:\n  time: 28800", "2:3: limits.time: a duration needs a unit: write 28800s"],
    ["list where a value belongs", "limits: { time: [8h] }", "1:11: limits.time: must be a single value"],
    ["value where a mapping belongs", "limits: 8", "1:1: limits: must be a mapping"],
    ["value where a mapping belongs, and an alias into it", "limits: 8\nmax_cost: 5", "1:1: limits: must be a mapping"],
    ["list where a mapping belongs", "limits: []", "1:1: limits: must be a mapping with indented keys"],
    ["number that is none", "level: .inf", "1:1: level: must be a finite number"],
    ["key that is missing", "gates: [{ rubric: { questions: [x] } }]", "1:11: gates[0].rubric.reviewer: must be a mapping with indented keys"],
    ["value where a list belongs", "protect: test/**", "1:1: protect: must be a list of globs"],
    ["same key twice, in two spellings", "max_cost: 5\nlimits: { cost: 6 }", "2:11: cost: given twice, also as max_cost in line 1"],
    ["same key twice", "max_cost: 5\nmax_cost: 6", "2:1: not readable as YAML: Map keys must be unique"],
    ["broken YAML", "limits: {", "not readable as YAML"],
    ["no mapping", "- a", "1:1: must be a mapping of settings"],
    ["glob out of the root", "protect: ['../x']", '1:11: protect[0]: "../x" can not match'],
    ["alias", "a: &x 1\nsetup: *x", "2:1: setup: anchors and aliases are not read here"],
    ["empty setup", "setup: ''", "1:1: setup: must not be empty"],
    ["gate without command", "gates:\n  - name: a", "2:5: gates[0]: must say what it checks: one of run, file, json, yaml, http, diff, rubric"],
    ["two gates of one name", "gates:\n  - {name: a, run: b}\n  - {name: a, run: c}", "3:5: gates[1]: there is a gate a in line 2 already"],
    ["warning above rotation", "context:\n  warn: 90k", "2:3: context.warn (90000) must be below context.rotate (80000)"],
    ["back-off that shrinks", "backoff: {first: 1h}", "1:11: backoff.first must not be longer"],
    ["command agent without program", "agent: command", "1:1: the command agent needs a program"],
    ["unlimited context", "context: {rotate: unlimited}", "`unlimited` is not possible here"],
    ["iterations out of range", "max_iterations: 100001", "out of range"],
    ["CD-09 empty marker", "marker: ''", "1:1: marker: the marker is empty"],
    ["branch and current branch", "branch: x\ncurrentBranch: true", "2:1: work goes either to the current branch or to the branch x"],
  ])("refuses a file with %s", (_, project, expected) => {
    expect(refused({ project }).join("\n")).toContain(expected);
    expect(refused({ project })[0]).toMatch(/^\.ralph\/config\.yaml:\d+:\d+: /);
  });

  it("BC-04 refuses 0 wherever a limit stands, and tells that the word is unlimited", () => {
    expect(refused({ flags: { maxIterations: "0", maxTokens: "0", maxCost: "0", maxTime: "0" } })).toEqual([
      expect.stringMatching(/^--max-iterations: 0 does not mean unlimited.*`unlimited`/),
      expect.stringMatching(/^--max-tokens: 0 does not mean unlimited.*`unlimited`/),
      expect.stringMatching(/^--max-cost: 0 does not mean unlimited.*`unlimited`/),
      expect.stringMatching(/^--max-time: 0 does not mean unlimited/),
    ]);
  });

  it("BC-04 keeps a wall clock even when everything else is unlimited", () => {
    const { settings } = settled({ flags: { maxIterations: "unlimited", maxTokens: "unlimited", maxCost: "unlimited" } });
    expect(settings.limits).toMatchObject({ iterations: null, tokens: null, costMicroUsd: null, timeMs: 43_200_000 });
    expect(refused({ flags: { maxTime: "unlimited" } })).toEqual([expect.stringContaining("--max-time: time always has an end")]);
  });

  it("counts the lines of front matter from the top of the plan", () => {
    expect(refused({ plan: "setup: npm ci\nlimts: {}", planLine: 2 })).toEqual(["PLAN.md:3:1: unknown key limts; did you mean limits?"]);
  });

  it("tells which settings belong into the config file instead of a plan", () => {
    expect(refused({ plan: "sandbox: off" })).toEqual(["PLAN.md:2:1: sandbox is a setting of .ralph/config.yaml, not of a plan"]);
  });

  it("lists the problems of all sources at once", () => {
    const problems = refused({ flags: { level: "4" }, env: { RALPHD_MAX_COST: "lots" }, plan: "a: 1", project: "setup: ''\nmarker: x", user: "b: 2" });
    expect(problems.map((problem) => problem.split(/[: ]/)[0])).toEqual([
      "--level",
      "RALPHD_MAX_COST",
      "PLAN.md",
      ".ralph/config.yaml",
      ".ralph/config.yaml",
      "~/.config/ralphd/config.yaml",
    ]);
  });

  it("tolerates the keys of RALPH_TASK.md in front matter only", () => {
    expect(resolve({ plan: "task: Build it\ntest_command: npm test\nmax_iterations: 5" }).kind).toBe("settings");
    expect(refused({ project: "task: Build it" })).toHaveLength(1);
  });

  it.each(["", "# nothing\n", "limits:\n", "gates:\n#  - npm test\n", "\uFEFFlevel: 2\r\nprotect:\r\n  - a\r\n"])("reads the file %j", (project) => {
    expect(resolve({ project }).kind).toBe("settings");
  });
});

describe("environment", () => {
  it("warns about a variable that is no setting, with the nearest", () => {
    expect(settled({ env: { RALPHD_MAX_ITERATION: "3", RALPHD_ZZZZZZZZZZZZZZZZZZZZ: "1" } }).warnings).toEqual([
      "RALPHD_MAX_ITERATION in the environment is no setting and has no effect; did you mean RALPHD_MAX_ITERATIONS?",
      "RALPHD_ZZZZZZZZZZZZZZZZZZZZ in the environment is no setting and has no effect",
    ]);
  });

  it("ignores what the driver sets for its agents, empty variables and those of others", () => {
    const env = { RALPHD_RUN: "r", RALPHD_ITERATION: "1", RALPHD_TOKEN: "t", RALPHD_DEPTH: "1", RALPHD_CLAUDE_PATH: "/x", RALPHD_MODEL: "", PATH: "/bin" };
    expect(settled({ env }).warnings).toEqual([]);
  });

  it("names the variable in a problem", () => {
    expect(refused({ env: { RALPHD_WORKTREE: "maybe" } })).toEqual([expect.stringMatching(/^RALPHD_WORKTREE: not a switch: "maybe"/)]);
  });
});
