/** `ralphd logs`: one line an event, filtered, and followed until the run ends. */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import { formatEvent } from "../../src/cli/format-event.js";
import { type LogsOptions, runLogs } from "../../src/cli/logs.js";
import type { JournalEvent } from "../../src/core/journal-event.js";
import { asLines, RUN } from "../journal/events.js";
import { doneRun, stuckRun } from "../report/runs.js";
import { listening, live, place, record, type Place, type Said } from "./recorded.js";

async function logs(where: Place, options: Partial<LogsOptions> = {}): Promise<Said & { code: number }> {
  const said = listening();
  const code = await runLogs({ truthDir: where.truthDir, follow: false, errors: false, iteration: null, json: false, colours: false, ...said, ...options });
  return { ...said, code };
}

function recorded(events: readonly JournalEvent[]): Place {
  const where = place();
  record(where, events);
  return where;
}

describe("logs", () => {
  it("is one line an event, without control characters", async () => {
    const { stdout, code } = await logs(recorded(stuckRun));
    expect(code).toBe(0);
    expect(stdout[0]).toBe(`20:11:00 run ${RUN} on PLAN.md with claude, 4 tasks, gates tests, health`);
    expect(stdout).toContain("20:16:00 #1 restored package.json (frozen): scripts that gates call may not change");
    expect(stdout.at(-1)).toContain("escalated (gutter_command): `npm test` failed 3 times");
    expect(stdout.join("\n")).toContain("unknown tokens, cost unknown");
    expect(stdout.every((line) => !/[\u0000-\u001f\u007f]/.test(line))).toBe(true);
  });

  it("TO-05 with --json gives the events as they are, and nothing else on stdout", async () => {
    const { stdout } = await logs(recorded(stuckRun), { json: true, iteration: 2 });
    expect(stdout.map((line): unknown => JSON.parse(line))).toEqual(stuckRun.filter((event) => event.iteration === 2));
  });

  it("shows failures only", async () => {
    const { stdout } = await logs(recorded(stuckRun), { errors: true });
    expect(stdout.join("\n")).toContain("gate tests fail at claim: exit code 1: 2 of 12 tests fail");
    expect(stdout.join("\n")).not.toMatch(/gate tests pass|progress|commit c1/);
    expect((await logs(recorded(doneRun), { errors: true })).stdout).toEqual([]);
  });

  it("TO-06 shows one iteration and where its raw output is", async () => {
    const where = recorded(stuckRun);
    const { stdout, stderr } = await logs(where, { iteration: 1 });
    expect(stdout.length).toBeGreaterThan(3);
    expect(stdout.every((line) => line.includes("#1 "))).toBe(true);
    expect(stderr).toEqual([`The agent's raw output: ${join(where.truthDir, "runs", RUN, "iterations/0001/stream.jsonl")}`]);
  });

  it("shows the calls of one tool, of ended iterations and of the one that goes on", async () => {
    const line = (tool: string, path: string, ok: boolean) => ({
      iteration: 0,
      tool,
      path,
      ok,
      exitCode: null,
      outputLength: null,
      durationMs: null,
      tokens: { input: null, cachedInput: null, output: null, context: null, costUsd: null },
    });
    const calls = (tool: string) => ({
      tool,
      read: async (_: unknown, iteration: number) => ({
        lines: [line("Edit", `a${iteration}`, true), line("Edit", "b", iteration === 1), line("read", "c", true)],
        problem: null,
      }),
    });
    const ended = stuckRun.slice(
      0,
      stuckRun.findLastIndex((event) => event.type === "agent.ended"),
    );
    const where = recorded(ended);
    const all = await logs(where, { calls: calls("edit") });
    expect(all.stdout.slice(0, 3)).toEqual(["#1 Edit a1  -> ok", "#1 Edit b  -> ok", "#2 Edit a2  -> ok"]);
    expect(all.stdout.at(-1)).toMatch(new RegExp(`^#${ended.at(-1)?.iteration} Edit b`));
    expect((await logs(where, { calls: calls("edit"), errors: true, iteration: 2 })).stdout).toEqual(["#2 Edit b  -> failed"]);
    expect(JSON.parse((await logs(where, { calls: calls("read"), json: true, iteration: 1 })).stdout[0] ?? "")).toMatchObject({
      run: RUN,
      tool: "read",
      path: "c",
    });
    expect(await logs(where, { calls: calls("bash"), iteration: 1 })).toMatchObject({
      code: 0,
      stdout: [],
      stderr: ["ralphd: no call of bash is on record; called were Edit (2), read (1)."],
    });
  });

  it("says that nothing has run, and where a journal is damaged", async () => {
    expect(await logs(place())).toMatchObject({ code: 1, stdout: [], stderr: ["ralphd: nothing has run here yet."] });
    const where = place();
    const { journalPath } = record(where, stuckRun);
    writeFileSync(journalPath, asLines(stuckRun.slice(0, 3)) + "damage\n");
    const said = await logs(where, { follow: true });
    expect(said).toMatchObject({ code: 1, stderr: [expect.stringContaining("line 4")] });
    expect(said.stdout).toHaveLength(3);
  });
});

describe("logs -f", () => {
  it("shows lines as they come, whole ones only, and ends with the run", async () => {
    const where = place();
    const { journalPath } = record(where, stuckRun.slice(0, 2));
    const lock = live(where);
    const rest = asLines(stuckRun.slice(2));
    const half = Math.floor(rest.length / 2);
    const seen: string[] = [];
    let wrote = 0;
    const out = (line: string): void => {
      seen.push(line);
      // Each part is written only after what came before was seen.
      if (seen.length === 2 && wrote++ === 0) appendFileSync(journalPath, rest.slice(0, half));
      if (seen.length > 4 && wrote++ === 1) appendFileSync(journalPath, rest.slice(half));
    };
    expect((await logs(where, { follow: true, json: true, out })).code).toBe(0);
    expect(seen).toEqual(asLines(stuckRun).trimEnd().split("\n"));
    lock.release();
  });

  it("ends when the driver is gone, and when it is told to", async () => {
    const where = recorded(stuckRun.slice(0, 5));
    expect((await logs(where, { follow: true })).stdout.length).toBeGreaterThan(3);
    const lock = live(where);
    const abort = new AbortController();
    const following = logs(where, { follow: true, signal: abort.signal, out: () => abort.abort() });
    expect((await following).code).toBe(0);
    lock.release();
  });
});

describe("formatEvent", () => {
  const grey = createColors(false);

  it("TO-07 neutralises escape sequences, and colours only when asked", () => {
    const event: JournalEvent = { type: "warning", message: "\u001b]52;c;aGk=\u0007 10%\r20%\u202e", at: "2026-11-30T20:11:00.000Z", run: RUN, iteration: 0 };
    expect(formatEvent(event, grey)).toBe("20:11:00 warning: ]52;c;aGk= 10% 20%");
    expect(formatEvent(event, createColors(true))).toContain("\u001b[33m");
  });

  it("leaves out only what a machine needs", () => {
    const silent = [...stuckRun, ...doneRun].filter((event) => formatEvent(event, grey) === null).map((event) => event.type);
    expect([...new Set(silent)]).toEqual(["iteration.judged"]);
  });
});
