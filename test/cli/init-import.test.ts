/** `ralphd init` with imports and questions, on real repositories: what it asks, shows and writes. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InitOptions, runInit } from "../../src/cli/init.js";
import { loadConfig } from "../../src/config/sources.js";
import { parseSign } from "../../src/core/sign.js";
import { caught, type Folder, repository, type Said } from "./init-repository.js";

let repo: Folder;
beforeEach(() => {
  repo = repository();
});
afterEach(() => repo.remove());

const env = (): NodeJS.ProcessEnv => ({ PATH: `${join(repo.path, ".git/bin")}:${process.env["PATH"]}`, XDG_CONFIG_HOME: join(repo.path, ".git/none") });
const init = (options: Partial<InitOptions> = {}): Promise<Said> => caught((io) => runInit({ cwd: repo.path, env: env(), ...io, ...options }));
const read = (path: string): string => readFileSync(join(repo.path, path), "utf8");
const files = (): string[] =>
  readdirSync(repo.path)
    .filter((name) => name !== ".git")
    .sort();

function settings(plan = "PLAN.md") {
  const reading = loadConfig({ root: repo.path, plan, objective: null, flags: {}, env: env() });
  if (reading.kind === "invalid") throw new Error(JSON.stringify(reading.problems));
  return reading.settings;
}

/** Answers in order; a question too many fails. */
function person(...answers: (string | null)[]) {
  const asked: string[] = [];
  return {
    asked,
    ask: async (question: string): Promise<string | null> => {
      asked.push(question);
      if (answers.length === 0) throw new Error(`nobody expected ${question}`);
      return answers.shift() ?? null;
    },
  };
}

const NPM = { "package.json": '{"scripts":{"test":"node --test"}}' };
const SIGNS = "### Sign: Imports\n- **Trigger**: adding an import\n- **Instruction**: look whether it is there already\n";

describe("--import", () => {
  it("makes a plan that a run accepts of a prd.json, with the checks that were found", async () => {
    repo.write({ ...NPM, "prd.json": '{"userStories":[{"id":"1","title":"Cart","passes":false}]}' });
    const said = await init({ import: "prd.json" });
    expect(said).toMatchObject({ code: 0, err: [] });
    expect(said.out).toContain("import prd.json");
    expect(read("PLAN.md")).toContain("- [ ] Cart");
    expect(settings().gates.map((gate) => gate.name)).toEqual(["tests"]);
  });

  it("takes a test command over instead of a detected one of the same name", async () => {
    repo.write({ ...NPM, "RALPH_TASK.md": "---\ntask: x\ntest_command: make check\n---\n- [ ] a\n" });
    await init({ import: "RALPH_TASK.md" });
    expect(settings().gates).toMatchObject([{ name: "tests", run: "make check" }]);
  });

  it("never takes the place of a plan that stands", async () => {
    repo.write({ "PLAN.md": "mine\n", "fix_plan.md": "- a\n" });
    expect(await init({ import: "fix_plan.md" })).toMatchObject({ code: 2, err: [expect.stringContaining("--plan night.md")] });
    expect([read("PLAN.md"), existsSync(join(repo.path, ".ralph"))]).toEqual(["mine\n", false]);
    expect((await init({ import: "fix_plan.md", plan: "night.md" })).code).toBe(0);
    expect(read("night.md")).toContain("- [ ] a");
  });

  it("says what a run would refuse in what was imported", async () => {
    repo.write({ "old.md": "- [ ] a <!-- gate: e2e -->\n" });
    expect((await init({ import: "old.md" })).out.join("\n")).toMatch(/to correct before a run: PLAN\.md:\d+.*e2e/);
  });

  it("makes draft signs of an old guardrails.md", async () => {
    repo.write({ "guardrails.md": SIGNS });
    expect((await init({ import: "guardrails.md" })).code).toBe(0);
    expect(parseSign(read(".ralph/guardrails/imports.md"))).toMatchObject({ status: "draft", trigger: "adding an import" });
  });

  it("refuses what is not there or holds nothing, and writes nothing", async () => {
    repo.write({ "empty.md": "# x\n" });
    expect(await init({ import: "none.md" })).toMatchObject({ code: 2, err: [expect.stringContaining("there is no file none.md")] });
    expect(await init({ import: "empty.md" })).toMatchObject({ code: 2, err: [expect.stringContaining("can't become a plan")] });
    expect(files()).toEqual(["empty.md"]);
  });
});

describe("--import gh", () => {
  function gh(script: string): void {
    mkdirSync(join(repo.path, ".git/bin"));
    writeFileSync(join(repo.path, ".git/bin/gh"), `#!/bin/sh\necho "$@" > ${repo.path}/.git/gh.args\n${script}\n`);
    chmodSync(join(repo.path, ".git/bin/gh"), 0o755);
  }

  it("asks gh for open issues and puts the oldest first", async () => {
    gh(`echo '[{"number":9,"title":"newer"},{"number":2,"title":"older"}]'`);
    expect(await init({ import: "gh:to night" })).toMatchObject({ code: 0, err: [] });
    expect(read(".git/gh.args")).toBe("issue list --state open --json number,title --limit 100 --label to night\n");
    expect(read("PLAN.md")).toMatch(/- \[ \] older \(#2\)\n- \[ \] newer \(#9\)\n/);
    expect(settings().plan).toBe("PLAN.md");
  });

  it.each([
    ["gh that fails", "echo 'not logged in' >&2; exit 4", "gh did not list issues: not logged in"],
    ["no issue", "echo '[]'", "there is no open issue"],
    ["no list", "echo hello", "gh printed no list of issues: hello"],
  ])("names %s and writes nothing", async (_, script, message) => {
    gh(script);
    expect(await init({ import: "gh" })).toMatchObject({ code: 2, err: [expect.stringContaining(message)] });
    expect(files()).toEqual([]);
  });

  it("names a gh that is not installed", async () => {
    expect(await init({ import: "gh", env: { ...env(), PATH: join(repo.path, ".git/bin") } })).toMatchObject({
      code: 2,
      err: [expect.stringContaining("was not found on PATH")],
    });
  });
});

describe("in a terminal", () => {
  const agents =
    (...kinds: string[]) =>
    async () =>
      kinds.map((kind) => ({ kind, note: `${kind} 1.0` }));

  it("shows what it will write before it writes", async () => {
    repo.write(NPM);
    const someone = person("");
    const seen: string[] = [];
    const said = await init({
      ask: async (question) => {
        seen.push(...files());
        return someone.ask(question);
      },
      agents: agents("claude"),
    });
    expect(someone.asked).toEqual(["Write these files? [Y/n] "]);
    expect(seen).toEqual(["package.json"]);
    expect(said.out.join("\n")).toMatch(/JavaScript; npm[\s\S]*claude 1\.0[\s\S]*tests {2}npm test[\s\S]*write {2}PLAN\.md/);
    expect(files()).toEqual([".ralph", "PLAN.md", "package.json"]);
  });

  it.each([["n"], ["nein"], [null]])("writes nothing after the answer %s", async (answer) => {
    expect(await init({ ask: person(answer).ask })).toMatchObject({ code: 0, out: expect.arrayContaining(["Nothing was written."]) });
    expect(files()).toEqual([]);
  });

  it("asks which agent only where there are several, until the answer is one of them", async () => {
    const someone = person("cursor", "codex", "y");
    await init({ ask: someone.ask, agents: agents("claude", "codex") });
    expect(someone.asked).toHaveLength(3);
    expect(settings().agent.kind).toBe("codex");
  });

  it("offers old signs that it finds, and says how to read them later", async () => {
    repo.write({ "guardrails.md": SIGNS });
    expect((await init({ ask: person("n", "").ask })).out.join("\n")).toContain("`ralphd guardrails import guardrails.md`");
    expect(readdirSync(join(repo.path, ".ralph/guardrails"))).toEqual(["repeat-nothing-unchanged.md"]);
    expect((await init({ yes: true })).out).toContain("import guardrails.md");
    expect(readdirSync(join(repo.path, ".ralph/guardrails"))).toContain("imports.md");
  });
});

it.each([
  [[], "  2. log an agent in (see the note), then ralphd run"],
  [[{ kind: "claude", note: "claude 1.0" }], "  2. ralphd run"],
])("the last line is a step that can be taken, with agents %j", async (agents, last) => {
  expect((await init({ agents: async () => agents })).out.at(-1)).toBe(last);
});

it("--dry-run prints every file and writes none", async () => {
  repo.write(NPM);
  const said = await init({ dryRun: true, ask: person().ask });
  expect(said.out.join("\n")).toMatch(/==> PLAN\.md\n---\n# yaml-language-server: \$schema=\.ralph\/schemas\/plan\.schema\.json\ngates:\n {2}- name: tests/);
  expect(said.out.at(-1)).toBe("Dry run: nothing was written.");
  expect(files()).toEqual(["package.json"]);
});

it("a plan of another tool is named with the way to take it over", async () => {
  repo.write({ "fix_plan.md": "- a\n" });
  expect((await init()).out).toContain("note   fix_plan.md has no tasks that a run could read; `ralphd init --import fix_plan.md` makes a PLAN.md of it");
});
