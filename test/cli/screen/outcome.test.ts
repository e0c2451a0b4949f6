/** The end of a run on the screen: the verdict first, in words, and what to do. */
import { describe, expect, it } from "vitest";
import { outcomeLines } from "../../../src/cli/screen/outcome.js";
import type { BreakLine } from "../../../src/cli/screen/break-line.js";
import { displayWidth, wrap } from "../../../src/cli/screen/fit.js";
import { foldAll } from "../../../src/core/fold.js";
import type { JournalBody, JournalEvent } from "../../../src/core/journal-event.js";
import type { RunState } from "../../../src/core/run-state.js";
import { statusOf, type StopReason } from "../../../src/core/words.js";
import { started, timeline } from "../../journal/events.js";
import { doneRun, stuckRun } from "../../report/runs.js";

function outcome(events: readonly JournalEvent[], columns: number | null = null): string[] {
  const breakLine: BreakLine = (line, indent) => (columns === null ? [line] : wrap(line, columns, indent));
  return outcomeLines(foldAll(events) as RunState, { root: "/repo", reportPath: "/repo/.ralph/state/report.md", cwd: "/repo", breakLine });
}

function ended(reason: StopReason, verified = false): string {
  const stop = { type: "run.stopped" as const, status: statusOf(reason), reason, verified, summary: "Because.", evidence: [] };
  return (
    outcome(
      timeline([
        [0, started()],
        [0, stop],
      ]),
    )[1] ?? ""
  );
}

describe("the outcome", () => {
  it.each<[StopReason, boolean, RegExp]>([
    ["all_tasks_checked", true, /^Done and verified\. Because\.$/],
    ["marker", false, /^Done, but NOT verified\. Because\.$/],
    ["iterations", false, /^Not done: a limit is reached\. The number of iterations is used up\. Because\.$/],
    ["gutter_command", false, /^Not done: it needs you\. The same command kept failing in the same way\. Because\.$/],
    ["human", false, /^Stopped, not done\. Because\.$/],
    ["auth", false, /^Failed\. The agent is no longer logged in\. Because\.$/],
  ])("%s: verified %s", (reason, verified, verdict) => {
    expect(ended(reason, verified)).toMatch(verdict);
  });

  it("of a stuck run: evidence, what there is, what to do, and the words for machines last", () => {
    const lines = outcome(stuckRun);
    expect(lines).toContain("  last action: npm test");
    expect(lines).toContain("  3 iterations, 1 task done, 2 commits on ralph/health, at least 55,300 tokens, cost at least $0.2725, 1 h 4 min of work");
    expect(lines.indexOf("Next:")).toBeGreaterThan(lines.indexOf("  last action: npm test"));
    expect(lines.at(-2)).toBe("Report: /repo/.ralph/state/report.md");
    expect(lines.at(-1)).toBe("escalated (gutter_command); exit code 4");
  });

  it("tells ticks that no gate has proved from tasks that are done", () => {
    const stop = { type: "run.stopped" as const, status: "capped" as const, reason: "cost" as const, verified: false, summary: "s", evidence: [] };
    const work = (...bodies: JournalBody[]): string =>
      outcome(
        timeline([
          [0, started()],
          [1, ...bodies],
          [0, stop],
        ]),
      ).find((line) => line.includes("iteration")) ?? "";
    const ticked: JournalBody = { type: "task.accepted", task: "a", changed: true };
    const proved: JournalBody = { type: "task.proved", task: "b", gates: ["t"] };
    expect(work(ticked, proved)).toContain("2 boxes ticked, 1 proved,");
    expect(work(ticked, proved, { type: "run.proved", commit: null, gates: ["t"], clean: false, by: "tasks" })).toContain("2 tasks done,");
    expect(work(proved)).toContain("1 task done,");
  });

  it("wraps running text at words, and leaves commands whole", () => {
    const lines = outcome(stuckRun, 40);
    const next = lines.indexOf("Next:");
    expect(lines.slice(0, next).every((line) => displayWidth(line) <= 40)).toBe(true);
    expect(lines.slice(next).some((line) => line.includes("`git merge --no-ff ralph/health`"))).toBe(true);
    expect(outcome(doneRun, 40).join("\n")).toContain("Done");
  });

  it("bounds the evidence", () => {
    const stop = {
      type: "run.stopped" as const,
      status: "capped" as const,
      reason: "cost" as const,
      verified: false,
      summary: "s",
      evidence: Array.from({ length: 20 }, (_, n) => `line ${n}`),
    };
    expect(
      outcome(
        timeline([
          [0, started()],
          [0, stop],
        ]),
      ),
    ).toContain("  and 12 more in the report");
  });
});
