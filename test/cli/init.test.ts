/** `ralphd init` in real repositories of each kind: what it writes, what it leaves, and that a run can start from it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InitOptions, runInit } from "../../src/cli/init.js";
import { loadConfig } from "../../src/config/sources.js";
import { gateText } from "../../src/core/gate.js";
import { parsePlan } from "../../src/core/plan/parse.js";
import { parseSign } from "../../src/core/sign.js";
import { caught, type Folder, folder, repository, type Said } from "./init-repository.js";

let repo: Folder;
beforeEach(() => {
  repo = repository();
});
afterEach(() => repo.remove());

const init = (options: Partial<InitOptions> = {}): Promise<Said> => caught((io) => runInit({ cwd: repo.path, ...io, ...options }));
const read = (path: string): string => readFileSync(join(repo.path, path), "utf8");
const settings = (plan = "PLAN.md") => loadConfig({ root: repo.path, plan, objective: null, flags: {}, env: { XDG_CONFIG_HOME: join(repo.path, "none") } });

const NPM = { "package.json": JSON.stringify({ scripts: { test: "node --test", lint: "x" }, dependencies: { a: "1" } }), "package-lock.json": "{}" };

describe("a fresh repository", () => {
  it("gets a plan with the detected gates, and settings that a run accepts", async () => {
    repo.write(NPM);
    const said = await init();
    expect(said).toMatchObject({ code: 0, err: [] });
    expect(said.out.join("\n")).toContain("wrote  PLAN.md");
    expect(said.out.join("\n")).toContain("tests  npm test");
    expect(said.out.at(-1)).toBe("  2. ralphd run");
    const reading = settings();
    expect(reading).toMatchObject({
      kind: "settings",
      warnings: [],
      settings: {
        setup: "npm ci",
        gates: [
          { name: "tests", run: "npm test" },
          { name: "lint", run: "npm run lint" },
        ],
      },
    });
    expect(read(".ralph/config.yaml")).not.toMatch(/^(gates|setup):/m);
  });

  it("gets exactly the files that people expect, with the state folder ignored", async () => {
    await init();
    const files = execFileSync("git", ["status", "--porcelain", "-uall"], { cwd: repo.path, encoding: "utf8" });
    expect(files.split("\n").filter((line) => line !== "")).toEqual([
      "?? .ralph/.gitignore",
      "?? .ralph/config.yaml",
      "?? .ralph/guardrails/repeat-nothing-unchanged.md",
      "?? .ralph/progress.md",
      "?? .ralph/prompts/README.md",
      "?? .ralph/schemas/config.schema.json",
      "?? .ralph/schemas/plan.schema.json",
      "?? PLAN.md",
    ]);
    repo.write({ ".ralph/state/x": "" });
    expect(execFileSync("git", ["status", "--porcelain", "-uall"], { cwd: repo.path, encoding: "utf8" })).toBe(files);
  });

  it.each([
    ["npm", NPM, ["tests", "lint"]],
    ["nothing known", {}, []],
    ["two tools", { "package.json": '{"scripts":{"test":"x"}}', "go.mod": "module x" }, ["tests", "go-tests", "lint"]],
  ])("has one open task in an untouched template, judged by what was found, with %s", async (_, files, gates) => {
    repo.write(files as Record<string, string>);
    await init();
    const reading = parsePlan(read("PLAN.md"), { path: "PLAN.md", sections: null });
    expect(reading).toMatchObject({ kind: "plan", plan: { warnings: [], tasks: [{ state: "open", gates }] } });
    expect(read("PLAN.md")).not.toContain("{{");
    expect(settings().kind).toBe("settings");
  });

  it("ships a sign that reads as approved", async () => {
    await init();
    expect(parseSign(read(".ralph/guardrails/repeat-nothing-unchanged.md"))).toMatchObject({ status: "approved" });
  });

  it("tells where nothing was found that could say no", async () => {
    expect((await init()).out.join("\n")).toContain("No test, lint or type-check command was found");
  });

  it("gives all of it as one JSON line", async () => {
    repo.write(NPM);
    const said = await init({ json: true, yes: true });
    expect(said.out).toHaveLength(1);
    expect(JSON.parse(said.out[0] ?? "")).toEqual({
      root: repo.path,
      plan: "PLAN.md",
      written: [
        ".ralph/config.yaml",
        ".ralph/schemas/config.schema.json",
        ".ralph/schemas/plan.schema.json",
        ".ralph/prompts/README.md",
        ".ralph/guardrails/repeat-nothing-unchanged.md",
        ".ralph/progress.md",
        ".ralph/.gitignore",
        "PLAN.md",
      ],
      kept: [],
      checksIn: "PLAN.md",
      ignored: [],
      languages: ["JavaScript"],
      agents: null,
      imported: [],
      importedTasks: false,
      tools: ["npm"],
      setup: "npm ci",
      gates: [
        { name: "tests", run: "npm test" },
        { name: "lint", run: "npm run lint" },
      ],
      notes: [],
    });
  });

  it("works from a folder below the root", async () => {
    mkdirSync(join(repo.path, "src/deep"), { recursive: true });
    expect((await init({ cwd: join(repo.path, "src/deep") })).code).toBe(0);
    expect(readdirSync(repo.path).sort()).toEqual([".git", ".ralph", "PLAN.md", "src"]);
  });

  it("names the plan that git would ignore", async () => {
    repo.write({ ".gitignore": "PLAN.md\n" });
    expect((await init()).out).toContain("note   git ignores PLAN.md, so the run's commits will not hold it");
  });
});

describe("files that exist already", () => {
  it("are left as they are and named, however often init runs", async () => {
    repo.write(NPM);
    await init();
    repo.write({ "PLAN.md": "- [ ] mine\n", ".ralph/config.yaml": "level: 1\n" });
    const said = await init();
    expect(said.code).toBe(0);
    expect(said.out.filter((line) => line.startsWith("wrote"))).toEqual([]);
    expect(said.out.filter((line) => line.startsWith("kept"))).toHaveLength(8);
    expect(said.out).toContain("Found, but not written, since the plan or the config stands already:");
    expect([read("PLAN.md"), read(".ralph/config.yaml")]).toEqual(["- [ ] mine\n", "level: 1\n"]);
  });

  it.each([
    ["a plan without gates: they go into the config", { "PLAN.md": "- [ ] a\n" }, "PLAN.md", ".ralph/config.yaml"],
    ["a plan with gates: nothing is written twice", { "PLAN.md": "---\ngates: [make]\n---\n- [ ] a\n" }, "PLAN.md", null],
    ["a config with gates: the new plan has none", { ".ralph/config.yaml": "gates: [make]\n" }, "PLAN.md", null],
    ["a config without gates: the new plan has them", { ".ralph/config.yaml": "level: 1\n" }, "PLAN.md", "PLAN.md"],
    ["another tool's plan stays the plan", { "RALPH_TASK.md": "---\ntask: x\n---\n- [ ] a\n" }, "RALPH_TASK.md", ".ralph/config.yaml"],
    ["another tool's plan with its own check", { "RALPH_TASK.md": "---\ntask: x\ntest_command: make\n---\n- [ ] a\n" }, "RALPH_TASK.md", null],
  ])("%s", async (_, files, plan, checksIn) => {
    repo.write({ ...NPM, ...files } as Record<string, string>);
    const said = await init({ json: true });
    expect(JSON.parse(said.out[0] ?? "")).toMatchObject({ plan, checksIn });
    const reading = settings(plan);
    if (reading.kind === "invalid") throw new Error(JSON.stringify(reading.problems));
    const runs = reading.settings.gates.map(gateText);
    expect(runs).toEqual(checksIn === null ? ["make"] : ["npm test", "npm run lint"]);
  });
});

describe("--plan", () => {
  it("names another plan, relative to where it was typed", async () => {
    mkdirSync(join(repo.path, "docs"));
    const said = await init({ cwd: join(repo.path, "docs"), plan: "night.md" });
    expect(said.out.at(-1)).toBe("  2. ralphd run docs/night.md");
    expect(read("docs/night.md")).toContain("- [ ] ");
  });
  it.each(["../x.md", "plan.json", "."])("refuses %s", async (plan) => {
    const said = await init({ plan });
    expect(said).toMatchObject({ code: 2, out: [], err: [expect.stringContaining("must name a Markdown file inside")] });
  });
});

describe("refusals", () => {
  it("outside of a git repository names the way out and writes nothing", async () => {
    const outside = folder();
    try {
      const said = await init({ cwd: outside.path });
      expect(said).toMatchObject({ code: 2, out: [], err: [expect.stringContaining("run `git init`")] });
      expect(readdirSync(outside.path)).toEqual([]);
    } finally {
      outside.remove();
    }
  });

  it("SE-07 does not write through a link", async () => {
    const outside = folder();
    try {
      symlinkSync(outside.path, join(repo.path, ".ralph"));
      expect(await init()).toMatchObject({ code: 2, err: [expect.stringContaining("symbolic link")] });
      expect(readdirSync(outside.path)).toEqual([]);
    } finally {
      outside.remove();
    }
  });

  it("says when .ralph is a file", async () => {
    repo.write({ ".ralph": "" });
    expect(await init()).toMatchObject({ code: 2, err: [expect.stringContaining(".ralph is no folder")] });
  });
});
