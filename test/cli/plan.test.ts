/** `ralphd plan` on real repositories with an agent that is a script: what it sees, what is written, what is never touched. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runInit } from "../../src/cli/init.js";
import { type PlanOptions, runPlan } from "../../src/cli/plan.js";
import { Refusal } from "../../src/run/refusal.js";
import { caught, type Folder, folder, repository, type Said } from "./init-repository.js";

let repo: Folder;
let home: Folder;
beforeEach(() => {
  repo = repository();
  home = folder();
  repo.write({ "package.json": '{"scripts":{"test":"node --test"}}' });
});
afterEach(() => {
  repo.remove();
  home.remove();
});

/** Answers with `answer-1`, `answer-2` and so on, keeps the prompts, and writes where it should not. */
function agent(...answers: string[]): string[] {
  answers.forEach((answer, at) => writeFileSync(join(home.path, `answer-${at + 1}`), answer));
  const path = join(home.path, "agent.sh");
  writeFileSync(
    path,
    `#!/bin/sh\ncd_was=$PWD\nn=$(($(cat ${home.path}/n 2>/dev/null || echo 0) + 1)); echo $n > ${home.path}/n\ncat > ${home.path}/prompt-$n\nls > ${home.path}/seen\necho x > PLAN.md; echo x > written-by-agent\ncat ${home.path}/answer-$n\n`,
  );
  chmodSync(path, 0o755);
  return [path];
}

const draft = (task: string, head = "gates:\n  - name: tests\n    run: npm test\n"): string =>
  `Here it is.\n<<<PLAN\n---\n${head}---\n# Plan\n\n- [ ] ${task}\nPLAN>>>\n`;
const env = (): NodeJS.ProcessEnv => ({ PATH: process.env["PATH"], HOME: home.path, XDG_CONFIG_HOME: join(home.path, "config"), RALPHD_SANDBOX: "off" });
const plan = (argv: string[], options: Partial<PlanOptions> = {}): Promise<Said> =>
  caught((io) =>
    runPlan({
      cwd: repo.path,
      env: env(),
      description: "a health endpoint",
      flags: { argv },
      file: null,
      trust: false,
      json: false,
      signal: new AbortController().signal,
      ...io,
      ...options,
    }),
  );
const read = (path: string): string => readFileSync(join(repo.path, path), "utf8");
const kept = (path: string): string => readFileSync(join(home.path, path), "utf8");
const status = (): string[] =>
  execFileSync("git", ["status", "--porcelain", "-uall"], { cwd: repo.path, encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.slice(3));

describe("without a terminal", () => {
  it("writes the draft and nothing else, starts no run, and says what comes next", async () => {
    repo.write({ "uncommitted.txt": "seen by the agent" });
    const said = await plan(agent(draft("`GET /health` returns 200 <!-- gate: tests -->")));
    expect(said.code).toBe(0);
    expect(said.out.at(-1)).toBe("  3. ralphd run");
    expect(read("PLAN.md")).toContain("- [ ] `GET /health` returns 200 <!-- gate: tests -->\n");
    expect(status()).toEqual(["PLAN.md", "package.json", "uncommitted.txt"]);
    expect(kept("seen")).toBe("package.json\nuncommitted.txt\n");
    expect(kept("prompt-1")).toMatch(/<description>\na health endpoint\n<\/description>[\s\S]*`npm test` was found as its test command/);
    expect(existsSync(join(repo.path, ".git/ralphd/runs"))).toBe(false);
  });

  it("sends an unreadable draft back once, with what is wrong", async () => {
    const said = await plan(agent(draft("a <!-- gate: e2e -->"), draft("b")));
    expect(said.code).toBe(0);
    expect(kept("prompt-2")).toMatch(/could not be read[\s\S]*unknown gate e2e/);
    expect(read("PLAN.md")).toContain("- [ ] b");
  });

  it("gives up after the second, writes no plan, and keeps the answer", async () => {
    const said = await plan(agent("no", draft("a", "level: 3\n")));
    expect(said.code).toBe(1);
    expect(said.err.join("\n")).toContain("sets `level`");
    const path = /kept in (\S+)\.$/.exec(said.err.at(-1) ?? "")?.[1] ?? "";
    expect(readFileSync(path, "utf8")).toContain("level: 3");
    expect([existsSync(join(repo.path, "PLAN.md")), existsSync(join(home.path, "prompt-3"))]).toEqual([false, false]);
  });

  it("names an agent that fails", async () => {
    writeFileSync(join(home.path, "bad.sh"), "#!/bin/sh\necho 'no credit' >&2\nexit 1\n");
    chmodSync(join(home.path, "bad.sh"), 0o755);
    const said = await plan([join(home.path, "bad.sh")]);
    expect([said.code, said.err.join("\n")]).toEqual([1, expect.stringContaining("no credit")]);
  });

  it("gives all of it as one JSON line", async () => {
    const said = await plan(agent(draft("improve things")), { json: true });
    expect(said.out).toHaveLength(1);
    expect(JSON.parse(said.out[0] ?? "")).toEqual({
      version: 1,
      plan: "PLAN.md",
      tasks: ["improve things"],
      gates: [{ name: "tests", check: "npm test" }],
      problems: [],
      notes: [expect.stringContaining("nobody can say when this is done")],
      usage: { inputTokens: null, outputTokens: null, costUsd: null },
      next: "ralphd run",
    });
  });
});

describe("a plan that stands", () => {
  it("stays, and the draft gets a name of its own", async () => {
    repo.write({ "PLAN.md": "- [ ] mine\n" });
    const said = await plan(agent(draft("a")));
    expect(said.out.at(-1)).toBe("  3. ralphd run plan-a-health-endpoint.md");
    expect(read("PLAN.md")).toBe("- [ ] mine\n");
  });
  it("gives way when it is the template that nobody edited", async () => {
    await caught((io) => runInit({ cwd: repo.path, ...io }));
    await plan(agent(draft("a")));
    expect(read("PLAN.md")).toContain("- [ ] a\n");
  });
  it("is refused by name before anybody is asked", async () => {
    repo.write({ "night.md": "x" });
    await expect(plan(agent(draft("a")), { file: "night.md" })).rejects.toThrow(Refusal);
    expect(existsSync(join(home.path, "prompt-1"))).toBe(false);
  });
});

describe("with a person", () => {
  it("opens the draft, takes remarks, drafts again with the person's edits, and keeps the earlier draft", async () => {
    const answers = ["make it checkable", ""];
    const said = await plan(agent(draft("first"), draft("second")), {
      ask: async () => answers.shift() ?? null,
      edit: async (path) => {
        writeFileSync(path, readFileSync(path, "utf8").replace("# Plan", "# My plan"));
        return null;
      },
    });
    expect(said.code).toBe(0);
    expect(kept("prompt-2")).toMatch(/# My plan[\s\S]*- \[ \] first[\s\S]*<remarks>\nmake it checkable\n/);
    expect(read("PLAN.md")).toContain("- [ ] second");
    expect(read(".git/ralphd/drafts/plan-1.md")).toContain("# My plan\n\n- [ ] first");
  });

  it("says when the edited plan would be refused", async () => {
    const said = await plan(agent(draft("a")), {
      ask: async () => "",
      edit: async (path) => {
        writeFileSync(path, "- [ ] a <!-- gate: none -->\n");
        return null;
      },
    });
    expect([said.code, said.out.join("\n")]).toEqual([1, expect.stringContaining("unknown gate none")]);
  });
});

describe("refusals", () => {
  it("below an agent, and without a description", async () => {
    await expect(plan(agent(draft("a")), { env: { ...env(), RALPHD_TOKEN: "t" } })).rejects.toThrow("below an agent");
    await expect(plan(agent(draft("a")), { description: "  " })).rejects.toThrow("Say what you want");
    await expect(plan(agent(draft("a")), { file: "../x.md" })).rejects.toThrow("must name a Markdown file inside");
  });
});
