/** The demo as a stranger runs it: what it promises to show must be in its journal and its repository. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shippedFile } from "../../src/shipped.js";

const folder = mkdtempSync(join(tmpdir(), "demo-test-"));
const root = join(folder, "scratch");
let events: Record<string, unknown>[] = [];
let exitCode: number | null = null;

beforeAll(() => {
  const env = { ...process.env, XDG_CONFIG_HOME: join(folder, "config"), GIT_CONFIG_GLOBAL: "/dev/null" };
  const result = spawnSync(process.execPath, [shippedFile("dist/main.js"), "demo", "--json", "--keep", root], { env, encoding: "utf8" });
  exitCode = result.status;
  events = result.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const of = (type: string): Record<string, unknown>[] => events.filter((event) => event["type"] === type);
const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" });

describe("ralphd demo", () => {
  it("ends done and verified", () => {
    expect(exitCode).toBe(0);
    expect(of("run.stopped")).toMatchObject([{ status: "done", reason: "all_tasks_checked", verified: true }]);
    expect(readFileSync(join(root, "PLAN.md"), "utf8").match(/- \[x\]/g)).toHaveLength(4);
  });

  it("unticks the box that was ticked without work", () => {
    expect(of("task.unticked").some((event) => event["iteration"] === 2 && String(event["task"]).startsWith("truncate"))).toBe(true);
  });

  it("restores the test that was bent to go green", () => {
    expect(of("path.restored")).toMatchObject([{ path: "test/duration.test.js", rule: "compared", iteration: 5 }]);
    expect(readFileSync(join(root, "test/duration.test.js"), "utf8")).toContain('assert.equal(parseDuration("1h30m"), 5400);');
  });

  it("drafts a sign from the command that failed twice, which the next agent reads", () => {
    expect(of("sign.drafted")).toMatchObject([{ iteration: 4 }]);
    const prompt = readFileSync(join(root, ".git/ralphd/runs", String(events[0]?.["run"]), "iterations/0005/prompt.md"), "utf8");
    expect(prompt).toContain("unreviewed draft");
    expect(prompt).toContain("node src/duration.test.js");
  });

  it("leaves a branch of commits with trailers, a clean tree and a report", () => {
    const log = git("log", "--format=%(trailers:key=Ralphd-Iteration,valueonly)%(trailers:key=Ralphd-Gates,valueonly)", "ralph/plan");
    expect(log).toMatch(/7\s+pass/);
    expect(git("status", "--porcelain")).toBe("");
    expect(existsSync(join(root, ".ralph/state/report.md"))).toBe(true);
  });
});
