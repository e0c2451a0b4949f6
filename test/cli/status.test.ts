/** `ralphd status`: right from the journal alone, whatever became of the driver. */
import { appendFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { runStatus } from "../../src/cli/status.js";
import type { JournalBody, JournalEvent } from "../../src/core/journal-event.js";
import { statusSchema, type StatusJson } from "../../src/report/status-schema.js";
import { RUN } from "../journal/events.js";
import { doneRun, stuckRun } from "../report/runs.js";
import { killed, listening, live, PLAN, place, type Place, record } from "./recorded.js";

async function json(where: Place): Promise<StatusJson> {
  const said = listening();
  expect(await runStatus({ ...where, json: true, ...said })).toBe(0);
  expect(said.stdout).toHaveLength(1);
  // strict: a field that the documentation does not name must not appear.
  return v.parse(v.strictObject(statusSchema.entries), JSON.parse(said.stdout[0] ?? ""));
}

async function text(where: Place): Promise<string> {
  const said = listening();
  expect(await runStatus({ ...where, json: false, ...said })).toBe(0);
  return said.stdout.join("\n");
}

const unfinished = stuckRun.slice(0, -1);
const at = { at: "2026-11-30T22:00:00.000Z", run: RUN, iteration: 0 };
const event = (body: JournalBody): JournalEvent => ({ ...body, ...at });

describe("status --json", () => {
  it("has every documented field, and unknown is null", async () => {
    const where = place();
    record(where, stuckRun);
    writeFileSync(join(where.root, "PLAN.md"), PLAN);
    expect(await json(where)).toEqual({
      run: RUN,
      status: "escalated",
      reason: "gutter_command",
      verified: false,
      iteration: 3,
      tasks: { open: 1, done: 1, manual: 1, blocked: 1, other: 1 },
      usage: { inputTokens: 51_000, cachedInputTokens: 0, outputTokens: 4_300, costUsd: 0.2725 },
      activeMs: 3_842_000,
      branch: "ralph/health",
      lastCommit: "c2".repeat(20),
      gates: [
        { name: "tests", verdict: "fail", reason: "exit code 1: 2 of 12 tests fail" },
        { name: "health", verdict: "pass", reason: "exit code 0" },
      ],
      pid: null,
      agent: "claude",
      resting: [],
    });
  });

  it("has null for what nobody reported, and no verdict for a gate that has not run", async () => {
    const where = place();
    record(where, doneRun.slice(0, 1));
    expect(await json(where)).toMatchObject({
      verified: null,
      tasks: { open: null, done: null, manual: null, blocked: null, other: null },
      usage: { inputTokens: null, cachedInputTokens: null, outputTokens: null, costUsd: null },
      gates: [{ name: "tests", verdict: null, reason: null }],
    });
  });

  it("says that a run is done and verified", async () => {
    const where = place();
    record(where, doneRun);
    expect(await json(where)).toMatchObject({ status: "done", reason: "all_tasks_checked", verified: true });
  });

  it("is about nothing before the first run", async () => {
    const where = place();
    expect(await json(where)).toMatchObject({ run: null, status: null, pid: null, gates: [] });
    expect(await text(where)).toContain("Nothing has run here yet");
  });

  it("TO-05 is one parsable line on stdout even when a log line stands in the journal's texts", async () => {
    const where = place();
    record(where, [...unfinished, event({ type: "warning", message: '{"run":"other"}\n[INFO] run=other' })]);
    expect((await json(where)).run).toBe(RUN);
  });
});

describe("a run without a final status", () => {
  it("is running while its driver lives", async () => {
    const where = place();
    record(where, unfinished);
    const lock = live(where);
    expect(await json(where)).toMatchObject({ status: "running", reason: null, verified: null, pid: process.pid });
    lock.release();
    expect(await json(where)).toMatchObject({ status: "interrupted", pid: null });
  });

  it.each([
    [
      "waits for a limit",
      { type: "wait.started", untilMs: Date.UTC(2026, 10, 30, 23), why: "5-hour limit" } as const,
      "waiting until 2026-11-30 23:00 UTC: 5-hour limit",
    ],
    ["is paused", { type: "run.paused", by: "ann" } as const, "paused"],
  ])("ST-11 is waiting when it %s", async (_name, body, sentence) => {
    const where = place();
    record(where, [...unfinished, event(body)]);
    const lock = live(where);
    expect((await json(where)).status).toBe("waiting");
    expect(await text(where)).toContain(sentence);
    lock.release();
  });

  it("ST-04 is interrupted, not active, after its driver was killed", async () => {
    const where = place();
    record(where, unfinished);
    killed(where);
    expect(await json(where)).toMatchObject({ status: "interrupted", pid: null, iteration: 3 });
    expect(await text(where)).toContain("`ralphd run` continues it");
  });

  it("goes on after it was stopped and continued", async () => {
    const where = place();
    record(where, [...stuckRun, event({ type: "run.resumed", pid: 4 })]);
    expect(await json(where)).toMatchObject({ status: "interrupted", reason: null });
  });
});

describe("the record", () => {
  it("ST-01 of an older run never answers for the newest", async () => {
    const where = place();
    record(
      where,
      doneRun.map((old) => ({ ...old, run: "20261129-0800" })),
      "20261129-0800",
    );
    record(where, unfinished);
    expect(await json(where)).toMatchObject({ run: RUN, status: "interrupted" });
  });

  it("ST-07 may end in a write that is going on; nothing is changed", async () => {
    const where = place();
    const { journalPath, dir } = record(where, unfinished);
    appendFileSync(journalPath, '{"type":"iteration.sta');
    expect((await json(where)).iteration).toBe(3);
    expect(readdirSync(dir).sort()).toEqual(["iterations", "journal.jsonl", "pinned"]);
  });

  it("that is damaged is named with its line on stderr, exit code 1", async () => {
    const where = place();
    const { journalPath } = record(where, unfinished);
    appendFileSync(journalPath, "iteration:1\n");
    const said = listening();
    expect(await runStatus({ ...where, json: true, ...said })).toBe(1);
    expect(said).toMatchObject({ stdout: [], stderr: [expect.stringContaining(`line ${unfinished.length + 1}`)] });
  });
});

it("tells a person the verdict, the numbers and the next step", async () => {
  const where = place();
  record(where, stuckRun);
  writeFileSync(join(where.root, "PLAN.md"), PLAN);
  const said = await text(where);
  expect(said).toContain(`Run ${RUN}: escalated (gutter_command). The same command kept failing`);
  expect(said).toContain("tasks: 1 open, 1 done, 1 manual, 1 blocked, 1 other");
  expect(said).toContain("question: describe the <api>: Which of the two APIs?");
  expect(said).toContain("next: Run the command of the evidence yourself");
});
