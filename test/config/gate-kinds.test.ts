/** Gates as people write them: each kind, what is refused with which words, and where hidden gates may stand. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { frozenCommands, gateText } from "../../src/core/gate.js";
import { refused, settled } from "./fixture.js";

const reviewer = "reviewer: {agent: claude, model: opus}";

describe("gate kinds", () => {
  it.each<[string, string, object]>([
    ["file", "- {file: README.md, matches: '^# '}", { kind: "file", file: "README.md", matches: "^# ", retries: 0 }],
    ["json", "- {json: a.json, path: total.pct, min: 80}", { kind: "json", file: "a.json", path: "total.pct", expect: { kind: "range", min: 80, max: null } }],
    ["yaml", "- {yaml: a.yaml, path: 'a[0]', equals: x}", { kind: "yaml", expect: { kind: "equals", value: "x" } }],
    ["http", "- {http: 'http://localhost:3000/health', body: ok}", { kind: "http", status: 200, body: "ok", host: null, timeoutMs: 30_000, retries: 1 }],
    ["http elsewhere", "- {http: 'https://example.org/', host: example.org, status: 204}", { kind: "http", host: "example.org", status: 204 }],
    [
      "diff",
      "- diff: {only: [src/**], max_lines: 200, no_deleted_assertions: [test/**], no-skips: [test/**]}",
      { kind: "diff", only: ["src/**"], maxLines: 200, noDeletedAssertions: ["test/**"], noSkips: ["test/**"] },
    ],
    [
      "rubric",
      `- rubric: {questions: [Good?], ${reviewer}}`,
      { kind: "rubric", votes: 3, minConfidence: 0.6, artefacts: [], reviewer: { agent: "claude", model: "opus", argv: [] }, retries: 0 },
    ],
    ["advisory", "- {name: a, run: b, required: false}", { kind: "run", required: false }],
  ])("%s", (_, gates, expected) => {
    const { settings } = settled({ project: `gates:\n  ${gates}` });
    expect(settings.gates).toEqual([expect.objectContaining(expected)]);
    expect(settings.gates[0]?.name).toMatch(/^[a-z0-9-]+$/);
    expect(gateText(settings.gates[0] ?? expect.fail())).not.toBe("");
  });

  it("freeze what they start, a reviewer that is found by its name included", () => {
    const { settings } = settled({
      project: `setup: npm ci\ngates:\n  - run: ./check.sh\n  - {file: a, matches: b}\n  - rubric: {questions: [Good?], reviewer: {agent: command, argv: [./ask.sh, a b]}}\n  - rubric: {questions: [Fine?], ${reviewer}}`,
    });
    expect(frozenCommands(settings)).toEqual(["./check.sh", './ask.sh "a b"', "claude", "npm ci"]);
    const { settings: other } = settled({ project: "gates: ['./check.sh']", user: "hidden_gates: [{name: secret, run: ./secret.sh}]" });
    expect(frozenCommands(other)).toEqual(["./check.sh", "./secret.sh"]);
    const { settings: told } = settled({
      project: "hooks: {onStop: {run: ./cleanup.sh && true}}\nnotify: [{argv: [sh, tools/tell me.sh]}, {kind: desktop}]",
    });
    expect(frozenCommands(told)).toEqual(["./cleanup.sh && true", 'sh "tools/tell me.sh"']);
  });

  it.each<[string, string, string]>([
    ["no kind", "- name: a", "must say what it checks: one of run, file, json, yaml, http, diff, rubric"],
    ["two kinds", "- {run: a, file: b, matches: c}", "a gate checks one thing: run and file are two gates"],
    ["a key of another kind", "- {run: a, matches: b}", "gates[0].matches: has no meaning for a gate with `run`"],
    ["file without matches", "- {file: a}", "needs `matches`"],
    ["a broken pattern", "- {file: a, matches: '('}", "not a regular expression"],
    ["a path out of the repository", "- {file: ../a, matches: b}", "without .."],
    ["json without path", "- {json: a, equals: 1}", "needs `path`"],
    ["json without expectation", "- {json: a, path: b}", "needs `equals`, `min` or `max`"],
    ["equals and min", "- {json: a, path: b, equals: 1, min: 2}", "`equals` stands alone"],
    ["min above max", "- {json: a, path: b, min: 2, max: 1}", "nothing could pass"],
    ["a host that is not named", "- {http: 'https://example.org/'}", "example.org is not this machine; when it is meant, add `host: example.org`"],
    ["another host than the named one", "- {http: 'https://example.org/', host: example.com}", "is not this machine"],
    ["no URL", "- {http: localhost}", "is no http or https URL"],
    ["a password in a URL", "- {http: 'http://a:b@localhost/'}", "does not belong into a file"],
    ["an empty diff", "- diff: {}", "needs at least one rule"],
    ["a rubric without questions", `- rubric: {questions: [], ${reviewer}}`, "must hold at least one question"],
    ["a rubric without reviewer", "- rubric: {questions: [a]}", "reviewer"],
    ["level 3 with a rubric alone", `- rubric: {questions: [a], ${reviewer}}\nlevel: 3`, "needs a required, deterministic gate"],
    ["a rubric that is retried", `- {retries: 2, rubric: {questions: [a], ${reviewer}}}`, "use `votes` in the rubric"],
    ["an unknown key inside", `- rubric: {question: [a], ${reviewer}}`, "did you mean questions?"],
  ])("refuses %s", (_, gates, message) => {
    expect(refused({ project: `gates:\n  ${gates}` }).join("\n")).toContain(message);
  });
});

describe("trust", () => {
  it("asks about reviewers that are commands and about other hosts", () => {
    const gates = [
      "- {name: a, rubric: {questions: [q], reviewer: {agent: command, argv: [./judge.sh, 'x y']}}}",
      "- {name: b, http: 'https://example.org/', host: example.org}",
      "- {name: c, file: a, matches: b}",
    ];
    const { repositoryCommands } = settled({ project: `gates:\n  ${gates.join("\n  ")}` });
    expect(repositoryCommands.map(({ what, command }) => [what, command])).toEqual([
      ["gate a", './judge.sh "x y"'],
      ["gate b", "GET https://example.org/"],
    ]);
  });
});

describe("hidden gates", () => {
  it("stand in the user's own file", () => {
    const { settings, origins, repositoryCommands } = settled({
      user: "hidden_gates:\n  - {name: held-out, run: ./private.sh, required: false}\n  - ./other.sh",
    });
    expect(settings.gates).toEqual([]);
    expect(settings.hiddenGates.map(({ name, required }) => [name, required])).toEqual([
      ["held-out", true],
      ["other-sh", true],
    ]);
    expect(JSON.stringify([origins, repositoryCommands])).not.toContain("held-out");
  });

  it.each(["project", "plan"] as const)("are refused in a file of the repository (%s)", (where) => {
    expect(refused({ [where]: "hidden_gates:\n  - ./private.sh" }).join()).toContain("hidden_gates belong into config.yaml of your own config directory");
  });

  it("have names of their own", () => {
    expect(refused({ project: "gates: [{name: a, run: b}]", user: "hidden_gates: [{name: a, run: c}]" }).join()).toContain("there is a gate a already");
  });
});

describe("the documentation", () => {
  it("shows gates that are read as they stand", () => {
    const text = readFileSync(new URL("../../docs/gates.md", import.meta.url), "utf8");
    const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
    expect(settled({ project: example }).settings.gates.map((gate) => gate.kind)).toEqual(["run", "file", "json", "http", "diff", "rubric"]);
  });
});
