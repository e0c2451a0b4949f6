/** The views in `.ralph/state`: complete, free of secrets, bounded, and never able to hurt a run. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/core/agent-event.js";
import { fold } from "../../src/core/fold.js";
import type { JournalEvent } from "../../src/core/journal-event.js";
import type { RunState } from "../../src/core/run-state.js";
import { createRedactor } from "../../src/journal/redact.js";
import { createViews, type Views } from "../../src/report/views.js";
import { scratch } from "../journal/scratch.js";
import { planTasks, stuckRun } from "./runs.js";

const SECRET = "correct_horse*battery";

interface Watched {
  root: string;
  views: Views;
  play(events: readonly JournalEvent[]): void;
  read(name: string): string;
  lines(name: string): Record<string, unknown>[];
}

async function watching(rotation?: { maxBytes: number; keep: number }): Promise<Watched> {
  const root = scratch();
  let state: RunState | null = null;
  let nowMs = Date.UTC(2026, 10, 30, 20, 11);
  const views = await createViews({
    root,
    redact: createRedactor({ MY_TOKEN: SECRET }),
    state: () => state,
    context: () => ({
      tasks: [...planTasks, { id: "x", text: `use ${SECRET}`, state: "open" as const }],
      nowMs,
      branch: "ralph/health",
      root,
      isolation: "kernel",
    }),
    nowMs: () => (nowMs += 250),
    ...(rotation === undefined ? {} : { rotation }),
  });
  const read = (name: string): string => readFileSync(join(root, ".ralph/state", name), "utf8");
  const lines = (name: string): Record<string, unknown>[] =>
    read(name)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const play = (events: readonly JournalEvent[]): void => {
    for (const event of events) {
      state = fold(state, event);
      views.journal(event);
    }
  };
  return { root, views, play, read, lines };
}

const usage = (scope: "delta" | "total", input: number, output: number): AgentEvent => ({
  type: "usage",
  scope,
  inputTokens: input,
  cachedInputTokens: null,
  outputTokens: output,
  costUsd: null,
  contextTokens: input,
});
const call = (id: string, command: string): AgentEvent => ({ type: "toolCall", id, name: "bash", input: { command }, command });
const result = (id: string, exitCode: number, output = ""): AgentEvent => ({ type: "toolResult", id, ok: exitCode === 0, exitCode, output });

const upTo = (type: JournalEvent["type"]): JournalEvent[] =>
  stuckRun.slice(
    0,
    stuckRun.findIndex((event) => event.type === type),
  );

describe("activity.jsonl", () => {
  it("has every tool call once, with its outcome and the tokens since the line before", async () => {
    const { views, play, lines } = await watching();
    play(upTo("agent.ended"));
    const events = [
      usage("delta", 100, 10),
      call("a", "npm test"),
      result("a", 1, "1 failing"),
      usage("delta", 50, 5),
      call("b", "ls"),
      call("c", "sleep 9"),
      result("b", 0, "x\ny"),
      { type: "text", text: "All good." } as const,
      usage("delta", 7, 3),
    ];
    for (const event of events) views.agent(1, event);
    play(stuckRun.filter((event) => event.type === "agent.ended").slice(0, 1));
    const none = { cachedInput: null, costUsd: null };
    expect(lines("activity.jsonl")).toMatchObject([
      {
        tool: "bash",
        command: "npm test",
        ok: false,
        exitCode: 1,
        outputLength: 9,
        durationMs: 250,
        tokens: { ...none, input: 100, output: 10, context: 100 },
      },
      { tool: "bash", command: "ls", ok: true, tokens: { ...none, input: 50, output: 5, context: 50 } },
      { tool: "bash", command: "sleep 9", ok: null, tokens: { input: 7, output: 3 } },
      { tool: null, text: "All good.", tokens: { ...none, input: null, output: null } },
    ]);
    expect(lines("activity.jsonl")[0]).toMatchObject({ run: "20261130-2011", iteration: 1, time: expect.stringMatching(/^\d{4}-/) });
  });

  it("shows the difference of totals, and unknown as null", async () => {
    const { views, lines } = await watching();
    const events = [
      call("a", "x"),
      result("a", 0),
      usage("total", 100, 10),
      call("b", "y"),
      result("b", 0),
      usage("total", 130, 15),
      call("c", "z"),
      result("c", 0),
    ];
    for (const event of events) views.agent(1, event);
    expect(lines("activity.jsonl").map(({ tokens }) => tokens)).toMatchObject([
      { input: null, output: null },
      { input: 100, output: 10 },
      { input: 30, output: 5 },
    ]);
  });

  it("ST-13 rotates instead of growing", async () => {
    const { root, views } = await watching({ maxBytes: 2_000, keep: 2 });
    for (let n = 0; n < 100; n++) for (const event of [call(`${n}`, `echo ${n}`), result(`${n}`, 0)]) views.agent(1, event);
    const state = join(root, ".ralph/state");
    expect(readdirSync(state).sort()).toEqual([".gitignore", "activity.jsonl", "activity.jsonl.1", "activity.jsonl.2"]);
    for (const name of readdirSync(state)) expect(statSync(join(state, name)).size).toBeLessThanOrEqual(2_000);
    expect(readFileSync(join(state, "activity.jsonl"), "utf8")).toContain("echo 99");
    expect(views.takeProblems()).toEqual([]);
  });
});

describe("errors.jsonl", () => {
  it("holds the trigger, the evidence and what a person can do", async () => {
    const { play, lines } = await watching();
    play(stuckRun);
    const errors = lines("errors.jsonl");
    expect(errors.find(({ kind }) => kind === "brake.hit")).toMatchObject({
      trigger: "gutter_command",
      signature: "shell: npm test",
      lastActions: ["edit src/users.ts", "edit src/users.ts", "npm test"],
      advice: expect.arrayContaining(["Run `npm test` yourself and remove the cause."]),
    });
    expect(errors.find(({ kind }) => kind === "run.stopped")).toMatchObject({
      trigger: "gutter_command",
      evidence: expect.arrayContaining(["last action: npm test"]),
    });
    expect(errors.find(({ message }) => String(message).startsWith("gate tests failed"))).toMatchObject({
      evidence: ["users > lists", "users > removes", expect.stringContaining("AssertionError")],
    });
    expect(errors.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["path.restored", "plan.restored", "task.unticked", "task.parked", "warning"]));
  });
});

describe("snapshots", () => {
  it("say where the run stands and what proves each task", async () => {
    const { play, read } = await watching();
    play(stuckRun);
    expect(JSON.parse(read("iteration.json"))).toMatchObject({ run: "20261130-2011", iteration: 3, phase: "finished", lastClass: "no_op" });
    const { tasks } = JSON.parse(read("tasks.json")) as { tasks: unknown[] };
    expect(tasks).toMatchObject([
      { state: "done", proof: { iteration: 1, gates: ["health"], commit: "c1".repeat(20) } },
      { state: "open", proof: null },
      {},
      { question: expect.stringContaining("Which") },
      { state: "open" },
    ]);
    expect(read("report.md")).toContain("# Run 20261130-2011: escalated");
  });

  it("are never part of a commit", async () => {
    const { root, play } = await watching();
    execFileSync("git", ["init", "-q", root]);
    play(stuckRun);
    expect(execFileSync("git", ["-C", root, "status", "--porcelain", "-uall"], { encoding: "utf8" })).toBe("");
  });
});

describe("secrets", () => {
  it("SE-05 are in no view", async () => {
    const { root, play, views } = await watching();
    play(upTo("agent.ended"));
    for (const event of [
      call("a", `curl -H "X: ${SECRET}" x`),
      result("a", 7, `sent ${SECRET}`),
      { type: "error", kind: "other", fatal: false, message: SECRET } as const,
      { type: "text", text: `key ${SECRET}` } as const,
    ])
      views.agent(1, event);
    play(stuckRun.slice(1));
    const state = join(root, ".ralph/state");
    for (const name of readdirSync(state)) expect(readFileSync(join(state, name), "utf8"), name).not.toMatch(/correct\\*_horse/);
    expect(readFileSync(join(state, "activity.jsonl"), "utf8")).toContain("[redacted:MY_TOKEN]");
    expect(readFileSync(join(state, "report.md"), "utf8")).toContain("use \\[redacted:MY\\_TOKEN\\]");
  });
});

describe("a folder that others change", () => {
  it("ST-14 comes back when it was deleted in the middle of a run", async () => {
    const { root, play, views, read } = await watching();
    play(stuckRun.slice(0, 8));
    rmSync(join(root, ".ralph"), { recursive: true });
    play(stuckRun.slice(8));
    expect(read("report.md")).toContain("escalated");
    expect(read("errors.jsonl")).toContain("brake.hit");
    expect(views.takeProblems()).toEqual([]);
  });

  it("ST-13 that a full disk left without its own exclusion gets it later", async () => {
    const { root, play } = await watching();
    mkdirSync(join(root, ".ralph/state"), { recursive: true });
    play(stuckRun);
    expect(readFileSync(join(root, ".ralph/state/.gitignore"), "utf8")).toBe("*\n");
  });

  it("ST-14 that can not be written is named once and hurts nothing", async () => {
    const { root, play, views } = await watching();
    writeFileSync(join(root, ".ralph"), "a file");
    play(stuckRun);
    const problems = views.takeProblems();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(join(root, ".ralph/state"));
    play(stuckRun.slice(-1));
    expect(views.takeProblems()).toEqual([]);
  });

  it("ST-14 that is read-only is named", async (context) => {
    if (process.getuid?.() === 0) return context.skip("root may write everywhere");
    const { root, play, views } = await watching();
    mkdirSync(join(root, ".ralph/state"), { recursive: true });
    chmodSync(join(root, ".ralph/state"), 0o555);
    play(stuckRun);
    expect(views.takeProblems().length).toBeGreaterThan(0);
    chmodSync(join(root, ".ralph/state"), 0o755);
  });

  it.each([".ralph", ".ralph/state"])("SE-07 is refused when %s is a symbolic link", async (place) => {
    const { root, play, views } = await watching();
    const outside = scratch();
    mkdirSync(join(root, place, ".."), { recursive: true });
    symlinkSync(outside, join(root, place));
    play(stuckRun);
    expect(readdirSync(outside)).toEqual([]);
    expect(views.takeProblems()).toEqual([expect.stringContaining("symbolic link")]);
  });

  it("SE-07 is not left through links in the place of single views", async () => {
    const { root, play, views } = await watching();
    const victim = join(scratch(), "victim");
    writeFileSync(victim, "precious");
    const state = join(root, ".ralph/state");
    mkdirSync(state, { recursive: true });
    for (const name of ["errors.jsonl", "report.md"]) symlinkSync(victim, join(state, name));
    play(stuckRun);
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(lstatSync(join(state, "report.md")).isSymbolicLink()).toBe(false);
    expect(views.takeProblems()).toEqual([expect.stringContaining("errors.jsonl")]);
  });

  it("does not block on a named pipe in the place of a log", async () => {
    const { root, play, views } = await watching();
    mkdirSync(join(root, ".ralph/state"), { recursive: true });
    execFileSync("mkfifo", [join(root, ".ralph/state/errors.jsonl")]);
    play(stuckRun);
    expect(views.takeProblems()).toHaveLength(1);
    expect(existsSync(join(root, ".ralph/state/report.md"))).toBe(true);
  });
});
