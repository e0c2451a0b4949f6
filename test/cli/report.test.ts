/** `ralphd report`: from the journal, with the files of each proof, whatever stands in the views. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { JournalEvent } from "../../src/core/journal-event.js";
import { type ReportOptions, runReport } from "../../src/cli/report.js";
import { reportSchema } from "../../src/report/model-schema.js";
import { doneRun } from "../report/runs.js";
import { listening, place, type Place, record, type Said } from "./recorded.js";

async function report(where: Place, more: Partial<ReportOptions> = {}): Promise<Said & { code: number }> {
  const said = listening();
  return { ...said, code: await runReport({ ...where, env: { MY_TOKEN: "correct_horse*battery" }, format: "md", run: null, open: null, ...said, ...more }) };
}

function named(events: readonly JournalEvent[], run: string): JournalEvent[] {
  return events.map((event) => ({ ...event, run }));
}

interface Work {
  commit: string;
  tree: string;
  empty: string;
}

/** The run's events with trees and a commit that git knows. */
function real({ commit, tree, empty }: Work): JournalEvent[] {
  return doneRun.map((event) => {
    if (event.type === "iteration.started") return { ...event, tree: empty };
    if (event.type === "commit.created") return { ...event, commit, tree };
    return event.type === "iteration.judged" ? { ...event, tree } : event;
  });
}

/** A repository with one commit. */
function committed({ root }: Place): Work {
  const git = (...args: string[]): string => execFileSync("git", ["-C", root, "-c", "user.name=t", "-c", "user.email=t@t", ...args], { encoding: "utf8" });
  git("init", "-q");
  mkdirSync(join(root, "src"), { recursive: true });
  for (const name of ["src/health.ts", "src/zwölf | 12.ts"]) writeFileSync(join(root, name), "x\ny\n");
  writeFileSync(join(root, "logo.png"), Buffer.from([0, 1, 2, 0]));
  // Bookkeeping that no count of work may hold.
  mkdirSync(join(root, ".ralph"), { recursive: true });
  for (const name of ["PLAN.md", ".ralph/progress.md"]) writeFileSync(join(root, name), "- [x] `GET /health` returns 200\n");
  git("add", "-A");
  git("commit", "-q", "-m", "work");
  const line = (...args: string[]): string => git(...args).trim();
  return { commit: line("rev-parse", "HEAD"), tree: line("rev-parse", "HEAD^{tree}"), empty: line("hash-object", "-t", "tree", "-w", "/dev/null") };
}

describe("report", () => {
  it("names the files of the commit that proves a task, and believes no view", async () => {
    const where = place();
    const work = committed(where);
    record(where, real(work));
    writeFileSync(join(where.root, "PLAN.md"), "- [x] `GET /health` returns 200\n- [ ] use correct_horse*battery\n");
    mkdirSync(join(where.root, ".ralph/state"), { recursive: true });
    writeFileSync(join(where.root, ".ralph/state/report.md"), "all is fine");
    const { code, stdout } = await report(where);
    expect(code).toBe(0);
    expect(stdout.join("\n")).toContain(
      `| done | \`tests\`, iteration 1 | \`${work.commit.slice(0, 10)}\` | \`logo.png\`, \`src/health.ts\`, \`src/zwölf \\| 12.ts\` |`,
    );
    expect(stdout.join("\n")).not.toMatch(/all is fine|correct\\*_horse/);
  });

  it("stands without names when the commit is gone", async () => {
    const where = place();
    committed(where);
    record(where, doneRun);
    expect((await report(where)).stdout.join("\n")).toContain("| `c1c1c1c1c1` | 2 files |");
  });

  it("says that nothing has run, and where a journal is damaged", async () => {
    expect(await report(place())).toMatchObject({ code: 1, stdout: [], stderr: ["ralphd: nothing has run here yet."] });
    const where = place();
    writeFileSync(record(where, doneRun).journalPath, "damage\n");
    expect(await report(where)).toMatchObject({ code: 1, stdout: [], stderr: [expect.stringContaining("line 1")] });
  });

  it("gives the lines that each iteration added and removed as JSON that fits its schema", async () => {
    const where = place();
    record(where, real(committed(where)));
    const { stdout } = await report(where, { format: "json" });
    const model = v.parse(v.strictObject(reportSchema.entries), JSON.parse(stdout.join("\n")));
    expect(model.iterations).toMatchObject([{ number: 1, added: 4, removed: 0 }]);
    expect(model.tasks[0]?.proof?.files).toContainEqual({ path: "logo.png", added: null, removed: null });
  });

  it("shows an earlier run, names an unknown one, and opens a page that it has written", async () => {
    const where = place();
    record(where, named(doneRun, "20261101-0900"), "20261101-0900");
    record(
      where,
      named(
        doneRun.filter((event) => event.type === "run.started"),
        "20261102-0900",
      ),
      "20261102-0900",
    );
    const opened: string[] = [];
    const open = (path: string): Promise<string | null> => Promise.resolve(opened.push(path) > 0 ? null : "no");
    expect((await report(where)).stdout.join()).toContain("not finished");
    expect((await report(where, { run: "20261101-0900", format: "json" })).stdout.join()).toContain('"headline": "done, verified"');
    expect(await report(where, { run: "20261101-0901" })).toMatchObject({ code: 1, stderr: ["ralphd: there is no run 20261101-0901 here."] });
    expect(await report(where, { run: "../../evil" })).toMatchObject({ code: 1, stdout: [] });
    await report(where, { open });
    expect(readFileSync(opened[0] ?? "", "utf8")).toMatch(/^<!doctype html>/);
  });
});
