/** `ralphd report`: from the journal, with the files of each proof, whatever stands in the views. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runReport } from "../../src/cli/report.js";
import { doneRun } from "../report/runs.js";
import { listening, place, type Place, record, type Said } from "./recorded.js";

async function report(where: Place): Promise<Said & { code: number }> {
  const said = listening();
  return { ...said, code: await runReport({ ...where, env: { MY_TOKEN: "correct_horse*battery" }, ...said }) };
}

/** A repository with one commit; its id. */
function committed({ root }: Place): string {
  const git = (...args: string[]): string => execFileSync("git", ["-C", root, "-c", "user.name=t", "-c", "user.email=t@t", ...args], { encoding: "utf8" });
  git("init", "-q");
  mkdirSync(join(root, "src"), { recursive: true });
  for (const name of ["src/health.ts", "src/zwölf | 12.ts"]) writeFileSync(join(root, name), "x");
  git("add", "-A");
  git("commit", "-q", "-m", "work");
  return git("rev-parse", "HEAD").trim();
}

describe("report", () => {
  it("names the files of the commit that proves a task, and believes no view", async () => {
    const where = place();
    const commit = committed(where);
    record(where, doneRun.map((event) => (event.type === "commit.created" ? { ...event, commit } : event)));
    writeFileSync(join(where.root, "PLAN.md"), "- [x] `GET /health` returns 200\n- [ ] use correct_horse*battery\n");
    mkdirSync(join(where.root, ".ralph/state"), { recursive: true });
    writeFileSync(join(where.root, ".ralph/state/report.md"), "all is fine");
    const { code, stdout } = await report(where);
    expect(code).toBe(0);
    expect(stdout.join("\n")).toContain(`| done | \`tests\`, iteration 1 | \`${commit.slice(0, 10)}\` | \`src/health.ts\`, \`src/zwölf \\| 12.ts\` |`);
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
});
