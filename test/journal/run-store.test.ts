/** Run folders: names, order, files that stay inside, links that are refused, pruning. */
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DiskError } from "../../src/core/disk-error.js";
import { pruneRuns } from "../../src/journal/prune-runs.js";
import { createRun, latestRun, listRuns, nextRunId, openRun } from "../../src/journal/run-store.js";
import { scratch } from "./scratch.js";

const EVENING = Date.UTC(2026, 10, 30, 20, 11);

function withJournal(truth: string, run: string, options: { bytes?: number; at?: number } = {}): void {
  const { journalPath } = createRun(truth, run);
  writeFileSync(journalPath, "x".repeat(options.bytes ?? 1));
  if (options.at !== undefined) utimesSync(journalPath, options.at / 1000, options.at / 1000);
}

describe("run ids", () => {
  it("name the minute, count within it, and sort by time", () => {
    const truth = scratch();
    expect(listRuns(truth)).toEqual([]);
    expect(latestRun(truth)).toBeNull();
    const ids: string[] = [];
    for (let n = 0; n < 11; n++) {
      ids.push(nextRunId(truth, EVENING));
      withJournal(truth, ids.at(-1) ?? "");
    }
    expect(ids.slice(0, 3)).toEqual(["20261130-2011", "20261130-2011-2", "20261130-2011-3"]);
    expect(listRuns(truth)).toEqual(ids);
    expect(latestRun(truth)?.run).toBe("20261130-2011-11");
    withJournal(truth, nextRunId(truth, EVENING + 60_000));
    expect(latestRun(truth)?.run).toBe("20261130-2012");
  });

  it("PH-21 come after the newest, also when the clock was set back or earlier runs are pruned", () => {
    const truth = scratch();
    withJournal(truth, "20261130-2011-3");
    const again = nextRunId(truth, EVENING);
    withJournal(truth, again);
    const back = nextRunId(truth, EVENING - 19 * 3_600_000);
    withJournal(truth, back);
    expect([again, back]).toEqual(["20261130-2011-4", "20261130-2011-5"]);
    expect(latestRun(truth)?.run).toBe(back);
  });

  it("skip a folder without a journal when the newest is asked for", () => {
    const truth = scratch();
    withJournal(truth, "20261130-2011");
    createRun(truth, "20261130-2012");
    expect(latestRun(truth)?.run).toBe("20261130-2011");
  });

  it("open only what is a run", () => {
    const truth = scratch();
    expect(openRun(truth, "20261130-2011")).toBeNull();
    expect(openRun(truth, "../..")).toBeNull();
    expect(() => createRun(truth, "../x")).toThrow("not a run id");
    createRun(truth, "20261130-2011");
    expect(() => createRun(truth, "20261130-2011")).toThrow(DiskError);
  });
});

describe("files of a run", () => {
  it("are written whole, read back, and absent ones are null", () => {
    const { files, dir } = createRun(scratch(), "20261130-2011");
    expect(files.read("pinned/config.json")).toBeNull();
    files.write("pinned/scripts/check.sh", "one");
    files.write("pinned/scripts/check.sh", "two ü");
    expect(files.read("pinned/scripts/check.sh")).toBe("two ü");
    expect(files.exists("pinned/scripts/check.sh")).toBe(true);
    expect(files.read("pinned/scripts")).toBeNull();
    expect(readdirSync(join(dir, "pinned/scripts"))).toEqual(["check.sh"]);
    expect(files.iterationDir(7)).toBe(join(dir, "iterations/0007"));
    expect(existsSync(join(dir, "iterations/0007"))).toBe(true);
  });

  it("SE-07 never lead outside", () => {
    const outside = scratch();
    const { files, dir } = createRun(scratch(), "20261130-2011");
    symlinkSync(outside, join(dir, "pinned/link"));
    expect(() => files.write("pinned/link/x", "x")).toThrow("symbolic link");
    expect(() => files.write("../x", "x")).toThrow("leads out");
    expect(() => files.read("/etc/hostname")).toThrow("leads out");
    expect(readdirSync(outside)).toEqual([]);
  });

  it.each(["", "runs", "runs/20261130-2011"])("SE-07 a link at <truth>/%s is refused", (place) => {
    const outside = scratch();
    const truth = join(scratch(), "ralphd");
    mkdirSync(join(truth, place, ".."), { recursive: true });
    symlinkSync(outside, join(truth, place).replace(/\/$/, ""));
    expect(() => createRun(truth, "20261130-2011")).toThrow("symbolic link");
    expect(() => openRun(truth, "20261130-2011")).toThrow("symbolic link");
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe("pruning", () => {
  const DAY = 24 * 3_600_000;
  const nowMs = EVENING + 100 * DAY;

  it("removes old runs, then the oldest until the rest fits; kept ones stay", () => {
    const truth = scratch();
    const MB = 1024 * 1024 - 1;
    withJournal(truth, "20260101-0000", { at: nowMs - 40 * DAY });
    withJournal(truth, "20260102-0000", { at: nowMs - 41 * DAY });
    withJournal(truth, "20260103-0000", { bytes: MB, at: nowMs - DAY });
    withJournal(truth, "20260104-0000", { bytes: MB, at: nowMs - DAY });
    withJournal(truth, "20260105-0000", { bytes: MB, at: nowMs });
    const removed = pruneRuns(truth, { days: 30, megabytes: 2 }, { keep: ["20260102-0000"], nowMs });
    expect(removed).toEqual(["20260101-0000", "20260103-0000"]);
    expect(listRuns(truth)).toEqual(["20260102-0000", "20260104-0000", "20260105-0000"]);
  });

  it("removes links, not what they point to, and leaves other folders", () => {
    const truth = scratch();
    const outside = scratch();
    writeFileSync(join(outside, "precious"), "p");
    withJournal(truth, "20260101-0000", { at: nowMs - 40 * DAY });
    symlinkSync(outside, join(truth, "runs/20260101-0000/link"));
    mkdirSync(join(truth, "runs/mine"));
    expect(pruneRuns(truth, { days: 30, megabytes: 2 }, { keep: [], nowMs })).toEqual(["20260101-0000"]);
    expect(readFileSync(join(outside, "precious"), "utf8")).toBe("p");
    expect(existsSync(join(truth, "runs/mine"))).toBe(true);
  });
});
