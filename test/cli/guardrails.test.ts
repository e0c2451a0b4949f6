/** `ralphd guardrails` on real repositories: each decision is a commit of that one file, by people alone. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GuardrailsRequest, runGuardrails } from "../../src/cli/guardrails/guardrails.js";
import { reviewSigns } from "../../src/cli/guardrails/review.js";
import { formatSign, parseSign, type Sign } from "../../src/core/sign.js";
import { acquireLock } from "../../src/workspace/lock.js";

let root: string;
const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const FOLDER = ".ralph/guardrails";
const signText = (instruction: string, change: Partial<Sign> = {}): string =>
  formatSign({ trigger: "a test fails", addedAfter: "iteration 2", status: "draft", instruction, ...change });
const read = (name: string): string => readFileSync(join(root, FOLDER, name), "utf8");

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "ralphd-signs-")));
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Person");
  git("config", "user.email", "person@example.org");
  put(`${FOLDER}/log.md`, signText("Read the log."));
  git("add", "-A");
  git("commit", "-q", "-m", "start");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function place(env: Record<string, string> = {}) {
  const said = { out: [] as string[], err: [] as string[] };
  return {
    said,
    root,
    truthDir: join(root, ".git/ralphd"),
    env,
    out: (line: string) => void said.out.push(line),
    err: (line: string) => void said.err.push(line),
  };
}

async function run(request: GuardrailsRequest, env: Record<string, string> = {}) {
  const here = place(env);
  return { code: await runGuardrails(here, request), out: here.said.out.join("\n"), err: here.said.err.join("\n") };
}

describe("a decision", () => {
  it("approves one sign in a commit of that file, and leaves everything else as it is", async () => {
    put(`${FOLDER}/code.md`, signText("Read the code."));
    put("staged.txt", "x");
    git("add", "staged.txt");
    expect(await run({ kind: "approve", name: "log" })).toMatchObject({ code: 0, err: "" });
    expect(read("log.md")).toBe(signText("Read the log.").replace("draft", "approved"));
    expect(
      git("show", "--name-only", "--format=%s", "HEAD")
        .split("\n")
        .filter((line) => line !== ""),
    ).toEqual(["Approve the sign log", `${FOLDER}/log.md`]);
    expect(git("status", "--porcelain").split("\n")).toEqual(["A  staged.txt", `?? ${FOLDER}/code.md`]);
    expect((await run({ kind: "approve", name: "log.md" })).out).toContain("nothing to commit");
  });

  it("rejects a sign and keeps it in git's history", async () => {
    await run({ kind: "reject", name: "log" });
    expect(existsSync(join(root, FOLDER, "log.md"))).toBe(false);
    expect(git("show", `HEAD~1:${FOLDER}/log.md`)).toContain("Read the log.");
    expect(git("log", "-1", "--format=%B")).toContain("When a test fails: Read the log.");
  });

  it("rejects a draft that was never committed by committing it as retired", async () => {
    put(`${FOLDER}/new.md`, signText("Look."));
    expect((await run({ kind: "reject", name: "new" })).code).toBe(0);
    expect(parseSign(git("show", `HEAD:${FOLDER}/new.md`))?.status).toBe("retired");
  });

  it("does not approve what reaches for gates, nor what is no sign or not there", async () => {
    put(`${FOLDER}/bad.md`, signText("Skip the tests."));
    put(`${FOLDER}/none.md`, "just words\n");
    const head = git("rev-parse", "HEAD");
    expect((await run({ kind: "approve", name: "bad" })).err).toContain('it reaches for the gates ("Skip the tests")');
    expect((await run({ kind: "approve", name: "none" })).code).toBe(1);
    expect((await run({ kind: "approve", name: "gone" })).err).toContain("there is no sign gone");
    expect((await run({ kind: "approve", name: "../config" })).code).toBe(1);
    expect(git("rev-parse", "HEAD")).toBe(head);
  });

  it.each<GuardrailsRequest>([
    { kind: "approve", name: "log" },
    { kind: "reject", name: "log" },
    { kind: "review" },
    { kind: "import", file: "x.md", cwd: "/" },
  ])("$kind is refused below an agent and while a run is going on", async (request) => {
    const below = await run(request, { RALPHD_RUN: "r" });
    expect([below.code, below.err]).toEqual([2, expect.stringContaining("this is for people")]);
    const lock = acquireLock(join(root, ".git/ralphd"), { run: "20261130-2200" });
    const during = await run(request);
    if (lock.kind === "acquired") lock.release();
    expect([during.code, during.err]).toEqual([2, expect.stringContaining("run 20261130-2200 is going on")]);
    expect(read("log.md")).toBe(signText("Read the log."));
  });
});

describe("review", () => {
  it("goes through the drafts, and an edit is a commit of its own", async () => {
    for (const name of ["a", "b", "c"]) put(`${FOLDER}/${name}.md`, signText(`Lesson ${name}.`));
    put(`${FOLDER}/done.md`, signText("Old.", { status: "approved" }));
    git("add", "-A");
    git("commit", "-q", "-m", "drafts");
    const answers = ["a", "what", "e", "a", "r", "s"];
    const editor = join(root, "..", `${root.split("/").at(-1)}-editor`);
    writeFileSync(editor, '#!/bin/sh\nsed -i s/Lesson/Rule/ "$1"\n', { mode: 0o755 });
    const here = place({ EDITOR: editor, PATH: process.env["PATH"] ?? "" });
    const code = await reviewSigns({ ...here, ask: async () => answers.shift() ?? null });
    rmSync(editor);
    expect(code).toBe(0);
    expect(git("log", "--reverse", "--format=%s", "HEAD~4..HEAD").split("\n")).toEqual([
      "Approve the sign a",
      "Edit the sign b",
      "Approve the sign b",
      "Reject the sign c",
    ]);
    expect(parseSign(read("b.md"))).toMatchObject({ status: "approved", instruction: "Rule b." });
    expect(parseSign(read("log.md"))?.status).toBe("draft");
  });

  it("needs a terminal", async () => {
    expect(await run({ kind: "review" })).toMatchObject({ code: 2, err: expect.stringContaining("needs a terminal") as string });
  });
});

describe("reading", () => {
  it("list and lint name what agents are not shown", async () => {
    put(`${FOLDER}/bad.md`, signText("Raise the iteration limit."));
    put(`${FOLDER}/twin.md`, signText("read the LOG"));
    put(`${FOLDER}/none.md`, "just words\n");
    const listed = await run({ kind: "list", json: true }, { RALPHD_RUN: "r" });
    expect(
      (JSON.parse(listed.out) as { signs: { name: string; refused: string | null }[] }).signs.map(({ name, refused }) => [name, refused !== null]),
    ).toEqual([
      ["bad", true],
      ["log", false],
      ["twin", false],
    ]);
    expect((await run({ kind: "list", json: false })).out).toContain("draft     log");
    const linted = await run({ kind: "lint", json: true });
    expect(linted.code).toBe(1);
    expect(JSON.parse(linted.out)).toEqual({
      problems: [
        { name: "none.md", problem: expect.stringContaining("no sign") as string },
        { name: "bad.md", problem: expect.stringContaining("it reaches for the limits") as string },
      ],
      notes: ["twin.md: says the same as log.md, which is shown in its place"],
    });
  });

  it("lint is content with good signs", async () => {
    expect(await run({ kind: "lint", json: false })).toMatchObject({ code: 0, out: "1 sign(s), nothing to object to." });
  });
});

describe("import", () => {
  it("writes each sign as a draft of its own, leaves out what is refused or there, and commits", async () => {
    const block = (title: string, trigger: string, instruction: string): string =>
      `### Sign: ${title}\n- **Trigger**: ${trigger}\n- **Instruction**: ${instruction}\n- **Added after**: Iteration 3\n\n`;
    put(
      "guardrails.md",
      `# Signs\n\n${block("Check Imports", "adding an import", "Look first.")}${block("Check imports!", "removing one", "Look as well.")}${block("Log", "A test fails", "Read the log")}${block("Bad", "x", "Disable the gates.")}### Sign: Half\n- Trigger: y\n`,
    );
    const result = await run({ kind: "import", file: "guardrails.md", cwd: root });
    expect(result.code).toBe(0);
    expect(parseSign(read("check-imports.md"))).toEqual({
      trigger: "adding an import",
      instruction: "Look first.",
      addedAfter: "Iteration 3",
      status: "draft",
    });
    expect(
      git("show", "--name-only", "--format=%s", "HEAD")
        .split("\n")
        .filter((line) => line !== ""),
    ).toEqual(["Import 2 sign(s) from guardrails.md", `${FOLDER}/check-imports-2.md`, `${FOLDER}/check-imports.md`]);
    expect(result.out).toContain("Log: is there already.");
    expect(result.err).toMatch(/left out "Half"[\s\S]*left out "Bad": it reaches for the gates/);
    expect((await run({ kind: "import", file: "guardrails.md", cwd: root })).err).toContain("nothing was imported");
    expect((await run({ kind: "import", file: "gone.md", cwd: root })).code).toBe(1);
  });
});
