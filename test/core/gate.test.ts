/** Gates as data: how people read each kind, and which commands of them need trust and are frozen. */
import { describe, expect, it } from "vitest";
import { expectationText, frozenCommands, gateCommand, type GateCommon, type GateSpec, gateText, isDeterministic, judgesTree } from "../../src/core/gate.js";

const COMMON: GateCommon = { name: "g", required: true, scope: "plan", when: "claim", timeoutMs: 1, retries: 0, baseline: "require" };
const run: GateSpec = { ...COMMON, kind: "run", run: "npm test" };
const file: GateSpec = { ...COMMON, kind: "file", file: "a.txt", matches: "^ok$" };
const json: GateSpec = { ...COMMON, kind: "json", file: "r.json", path: "total.pct", expect: { kind: "range", min: 80, max: null } };
const yaml: GateSpec = { ...json, kind: "yaml", file: "r.yaml" };
const http: GateSpec = { ...COMMON, kind: "http", url: "http://localhost/health", host: null, status: 200, body: null };
const diff: GateSpec = { ...COMMON, kind: "diff", only: null, maxLines: null, noDeletedAssertions: [], noSkips: [] };
const rubric = (agent: "anthropic" | "claude" | "command", argv: string[] = [], model: string | null = null): GateSpec => ({
  ...COMMON,
  kind: "rubric",
  questions: ["a?", "b?"],
  artefacts: [],
  reviewer: { agent, model, argv },
  votes: 3,
  minConfidence: 0.6,
});

describe("a gate in one line", () => {
  it.each<[GateSpec, string]>([
    [run, "npm test"],
    [file, "a.txt matches /^ok$/"],
    [json, "r.json: total.pct is at least 80"],
    [yaml, "r.yaml: total.pct is at least 80"],
    [http, "GET http://localhost/health gives 200"],
    [{ ...http, body: "up" }, "GET http://localhost/health gives 200 and matches /up/"],
    [
      { ...diff, only: ["src/**", "test/**"], maxLines: 40, noDeletedAssertions: ["test/**"], noSkips: ["**/*.test.ts", "e2e/**"] },
      "only src/**, test/**; at most 40 lines; no deleted assertion in test/**; no skip in **/*.test.ts, e2e/**",
    ],
    [{ ...diff, maxLines: 0 }, "at most 0 lines"],
    [{ ...diff, only: [], noSkips: ["a"] }, "only ; no skip in a"],
    [rubric("anthropic", [], "claude-haiku-4-5"), "2 question(s), 3 vote(s) of anthropic claude-haiku-4-5"],
    [rubric("command", ["./ask", "--json"]), "2 question(s), 3 vote(s) of command ./ask --json"],
  ])("%j", (spec, text) => expect(gateText(spec)).toBe(text));

  it.each([
    [{ kind: "equals", value: "x" }, 'equals "x"'],
    [{ kind: "equals", value: null }, "equals null"],
    [{ kind: "range", min: 0, max: null }, "is at least 0"],
    [{ kind: "range", min: null, max: 0 }, "is at most 0"],
    [{ kind: "range", min: 1, max: 2 }, "is at least 1 and at most 2"],
  ] as const)("says that a field %j", (expected, text) => expect(expectationText(expected)).toBe(text));
});

// Models are asked last, and what only looks at git's trees is not asked twice of one tree.
it.each([
  [run, true, false],
  [file, true, false],
  [json, true, false],
  [yaml, true, false],
  [http, true, false],
  [diff, true, true],
  [rubric("anthropic"), false, true],
])("$kind says the same each time: %s; judges the tree alone: %s", (spec, deterministic, tree) => {
  expect([isDeterministic(spec), judgesTree(spec)]).toEqual([deterministic, tree]);
});

describe("what a gate starts", () => {
  it.each<[GateSpec, string | null]>([
    [run, "npm test"],
    [file, null],
    [json, null],
    [http, null],
    [diff, null],
    [rubric("anthropic"), null],
    [rubric("claude"), null],
    [rubric("command", ["./ask.sh", "--model=a:b", "x@1%,+_"]), "./ask.sh --model=a:b x@1%,+_"],
    // What a shell would take apart stands quoted, so that one word stays one.
    [rubric("command", ["ask", "two words", "$HOME", ""]), 'ask "two words" "$HOME" ""'],
  ])("%j: %s", (spec, command) => expect(gateCommand(spec)).toBe(command));
});

describe("frozen commands", () => {
  const NONE = { gates: [], hiddenGates: [], setup: null, hooks: {}, notify: [] };

  it("are those of all gates, hidden ones too, of the setup, hooks and notifications, in this order", () => {
    const hidden: GateSpec = { ...run, run: "npm run hidden" };
    const commands = frozenCommands({
      gates: [run, file, rubric("command", ["./ask"])],
      hiddenGates: [hidden],
      setup: "npm ci",
      hooks: { onStart: { argv: ["./start.sh", "a b"], timeoutMs: 1 }, onStop: { argv: ["sh", "-c", "./stop.sh && true"], timeoutMs: 1 } },
      notify: [
        { kind: "desktop", on: [] },
        { kind: "command", on: [], argv: ["./tell.sh"] },
      ],
    });
    expect(commands).toEqual(["npm test", "./ask", "npm run hidden", "npm ci", './start.sh "a b"', "./stop.sh && true", "./tell.sh"]);
  });

  // Only that form hands one line to a shell; with more behind it, or another flag, the words are arguments.
  it.each([
    [["sh", "-c", "a && b"], "a && b"],
    [["sh", "-c"], "sh -c"],
    [["sh", "-c", "a b", "name"], 'sh -c "a b" name'],
    [["sh", "-e", "a b"], 'sh -e "a b"'],
    [["zsh", "-c", "a b"], 'zsh -c "a b"'],
  ])("of %j: %s", (argv, command) => expect(frozenCommands({ ...NONE, hooks: { onStart: { argv, timeoutMs: 1 } } })).toEqual([command]));

  // It is found on PATH by name: an agent could put another one in front of it.
  it("hold the reviewer that is found by its name alone, but none that is built in", () => {
    expect(frozenCommands({ ...NONE, gates: [rubric("claude")], hiddenGates: [rubric("anthropic")] })).toEqual(["claude"]);
    expect(frozenCommands({ ...NONE, gates: [rubric("claude", ["/opt/claude"])] })).toEqual(["/opt/claude"]);
    expect(frozenCommands({ ...NONE, gates: [file, diff, rubric("command")] })).toEqual([]);
  });
});
