/** `ralphd doctor` in real repositories: each gap that can be made by configuration is seen, and unknown is no ok. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runDoctor } from "../../src/cli/doctor/doctor.js";
import { type Finding, worst } from "../../src/cli/doctor/finding.js";
import { sessionWords } from "../../src/cli/doctor/forget.js";
import { sameModel } from "../../src/cli/doctor/refuse.js";
import { remember, trustHash } from "../../src/config/trust.js";
import { loadConfig } from "../../src/config/sources.js";
import { entryDir, writeEntry } from "../../src/once/entry.js";
import { caught, type Folder, repository } from "./init-repository.js";

let repo: Folder;
beforeEach(() => {
  repo = repository();
  repo.write({ "agent.sh": "#!/bin/sh\ncat > /dev/null\necho ready\ntouch here\n" });
  chmodSync(join(repo.path, "agent.sh"), 0o755);
});
afterEach(() => repo.remove());

interface Report {
  level: string;
  questions: Record<string, string | null>;
  findings: (Finding & { question: string })[];
}

const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  HOME: repo.path,
  XDG_CONFIG_HOME: join(repo.path, ".git/config-home"),
  RALPHD_SANDBOX: "off",
});

async function doctor({ probe = false, cwd = repo.path } = {}): Promise<{ code: number; report: Report; of(id: string): Finding | undefined }> {
  const said = await caught((io) => runDoctor({ cwd, env: environment(), probe, json: true, signal: new AbortController().signal, ...io }));
  expect(said.out).toHaveLength(1);
  const report = JSON.parse(said.out[0] ?? "") as Report;
  return { code: said.code, report, of: (id) => report.findings.find((one) => one.id === id) };
}

/** As a person's "yes" does. */
function trust(): void {
  const reading = loadConfig({ root: repo.path, plan: "PLAN.md", objective: null, flags: {}, env: environment() });
  if (reading.kind === "invalid") throw new Error(JSON.stringify(reading.problems));
  const hash = trustHash(repo.path, reading.repositoryCommands);
  if (hash !== null) expect(remember(hash, environment()).kind).toBe("remembered");
}

const CONFIG = "agent: { kind: command, argv: [./agent.sh] }\n";
const plan = (frontMatter: string): string => `---\n${frontMatter}\n---\n- [ ] a\n`;

describe("a repository in order", () => {
  it("has no gap, tries its gate, and asks the agent only when told to", async () => {
    repo.write({ ".ralph/config.yaml": CONFIG, "PLAN.md": plan('setup: "true"\ngates: [{ name: readme, run: grep -q hello README }]'), README: "hello\n" });
    trust();
    const { code, report, of } = await doctor({ probe: true });
    expect(report.findings.filter((one) => one.level === "gap")).toEqual([]);
    expect(code).toBe(0);
    expect(of("refuse.trial")).toMatchObject({ level: "ok", subject: "readme" });
    expect(of("machine.probe")).toMatchObject({ level: "ok", seen: expect.stringContaining('"ready"') });
    // The probe works in a folder of its own.
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: repo.path, encoding: "utf8" })).not.toContain("here");
    expect(Object.keys(report)).toEqual(["version", "ralphd", "level", "questions", "findings"]);
    for (const one of report.findings) {
      expect(Object.keys(one)).toEqual(["question", "id", "subject", "level", "seen", "fix"]);
      expect(one.fix === null).toBe(one.level === "ok");
    }
  });
});

describe("a gap", () => {
  it("is a gate that passes whatever it is given, an argument that continues a session, a cost limit without reports", async () => {
    repo.write({
      ".ralph/config.yaml": "agent: { kind: command, argv: [./agent.sh, --resume] }\nlimits: { cost: 5 }\n",
      "PLAN.md": plan('gates: [{ name: yes, run: "true" }]'),
    });
    trust();
    const { code, report } = await doctor();
    expect(code).toBe(1);
    expect(report.findings.filter((one) => one.level === "gap").map(({ id, subject }) => [id, subject])).toEqual([
      ["forget.session", null],
      ["stop.cost", null],
      ["refuse.trial", "yes"],
    ]);
    expect(report.questions).toMatchObject({ forget: "gap", stop: "gap", refuse: "gap" });
  });

  it("is the want of any gate", async () => {
    repo.write({ ".ralph/config.yaml": CONFIG, "PLAN.md": "- [ ] a\n" });
    expect((await doctor()).of("refuse.gates")?.level).toBe("gap");
  });

  it("is a write of which nobody knows whether it happened", async () => {
    repo.write({ ".ralph/config.yaml": CONFIG, "PLAN.md": "- [ ] a\n" });
    const store = join(repo.path, ".git/ralphd/once");
    writeEntry(entryDir(store, "mail-5", 1), {
      version: 1,
      key: "mail-5",
      ordinal: 1,
      argv: ["mail"],
      cwd: "/",
      startedAtMs: 0,
      windowMs: 1,
      state: "unknown",
      note: "ended by SIGKILL",
      exitCode: null,
    });
    expect((await doctor()).of("writes.once")).toMatchObject({
      level: "gap",
      subject: "mail-5",
      fix: expect.stringContaining("ralphd once --resolve mail-5 done"),
    });
  });

  it("is a configuration that can't be read, and then the loop's own answers are unknown", async () => {
    repo.write({ ".ralph/config.yaml": "gaets: []\n" });
    const { code, report, of } = await doctor();
    expect(code).toBe(1);
    expect(of("machine.config")?.seen).toContain("gaets");
    expect(report.questions).toEqual({ forget: null, stop: null, refuse: null, writes: null, machine: "gap" });
  });

  it("is a folder without a repository", async () => {
    const outside = join(repo.path, "plain");
    mkdirSync(outside);
    execFileSync("mv", [join(repo.path, ".git"), join(repo.path, "no-git")]);
    const { code, of } = await doctor({ cwd: outside });
    expect([code, of("machine.repository")?.level]).toEqual([1, "gap"]);
  });

  it("is an agent that gives no answer", async () => {
    repo.write({ ".ralph/config.yaml": CONFIG, "PLAN.md": "- [ ] a\n", "agent.sh": "#!/bin/sh\necho 'no credit' >&2\nexit 3\n" });
    trust();
    expect((await doctor({ probe: true })).of("machine.probe")).toMatchObject({ level: "gap", seen: expect.stringContaining("no credit") });
  });
});

describe("the working tree", () => {
  const commit = (): void => {
    for (const args of [
      ["add", "--all"],
      ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "a"],
    ])
      execFileSync("git", args, { cwd: repo.path });
  };

  it("may hold the plan and the loop's own files; of other changes the doctor tells, as a start would", async () => {
    repo.write({ ".ralph/config.yaml": CONFIG, "PLAN.md": "- [ ] a\n" });
    commit();
    repo.write({ "PLAN.md": "- [ ] b\n", ".ralph/config.yaml": `${CONFIG}\n` });
    expect((await doctor()).of("machine.tree")).toMatchObject({ level: "ok" });
    repo.write({ one: "" });
    expect((await doctor()).of("machine.tree")).toMatchObject({
      level: "hint",
      seen: expect.stringMatching(/^one has changes/),
      fix: expect.stringContaining("--worktree"),
    });
    repo.write({ two: "", three: "" });
    expect((await doctor()).of("machine.tree")?.seen).toMatch(/^one and 2 other paths have changes/);
  });

  it("in the middle of a merge is a gap", async () => {
    repo.write({ ".ralph/config.yaml": CONFIG, "PLAN.md": "- [ ] a\n" });
    commit();
    repo.write({ ".git/MERGE_HEAD": `${"0".repeat(40)}\n` });
    expect((await doctor()).of("machine.tree")).toMatchObject({ level: "gap", seen: "a merge is in progress; no run starts in it" });
  });
});

describe("a hint", () => {
  it("is a command that writes elsewhere, also behind a package script", async () => {
    repo.write({
      ".ralph/config.yaml": `${CONFIG}hooks:\n  onStop: { run: git push }\n`,
      "PLAN.md": plan("gates: [{ name: tests, run: npm test }]"),
      "package.json": '{"scripts":{"test":"npm publish"}}',
    });
    const { report } = await doctor();
    expect(report.findings.filter((one) => one.id === "writes.elsewhere").map(({ level, subject }) => [level, subject])).toEqual([
      ["hint", "gate tests (script test)"],
      ["hint", "hook onStop"],
    ]);
  });

  it("is that gates were not tried, since nobody has confirmed their commands", async () => {
    repo.write({ ".ralph/config.yaml": CONFIG, "PLAN.md": plan("gates: [{ name: bad, run: touch ran }]") });
    expect((await doctor()).of("refuse.trial")).toMatchObject({ level: "hint", fix: expect.stringContaining("ralphd gates test") });
  });
});

describe("small judgements", () => {
  it.each([
    ["claude", ["--model", "x", "-c"], ["-c"]],
    ["codex", ["-c", "model=x"], []],
    ["codex", ["resume", "--last"], ["resume", "--last"]],
    ["gemini", ["--resume=latest"], ["--resume=latest"]],
    ["command", ["--continue-on-error"], []],
  ])("session words of %s %j", (kind, words, found) => expect(sessionWords(kind, words)).toEqual(found));

  const reviewer = (agent: "anthropic" | "claude" | "command", model: string | null) => ({ reviewer: { agent, model, argv: [] } });
  it.each([
    ["claude", null, "claude", null, true],
    ["claude", "a", "anthropic", "a", true],
    ["claude", "a", "claude", "b", false],
    ["claude", null, "claude", "b", false],
    ["codex", null, "claude", null, false],
    ["claude", "a", "command", "a", false],
  ] as const)("maker %s %s, reviewer %s %s: same %s", (kind, model, agent, other, same) =>
    expect(sameModel(reviewer(agent, other), { kind, model })).toBe(same),
  );

  it("a gap outranks a hint", () => {
    const one = (level: Finding["level"]): Finding => ({ id: "stop.time", subject: null, level, seen: "", fix: null });
    expect([worst([]), worst([one("hint"), one("ok")]), worst([one("hint"), one("gap")])]).toEqual(["ok", "hint", "gap"]);
  });
});
