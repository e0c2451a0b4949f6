/** The morning report: golden texts, and the claims it may never make. */
import { describe, expect, it } from "vitest";
import { foldAll } from "../../src/core/fold.js";
import type { JournalBody, JournalEvent } from "../../src/core/journal-event.js";
import type { RunState } from "../../src/core/run-state.js";
import { STOP_REASONS, statusOf, type FinalStatus, type StopReason } from "../../src/core/words.js";
import { ADVICE, nextSteps } from "../../src/report/advice.js";
import type { ReportContext } from "../../src/report/context.js";
import { renderMarkdown } from "../../src/report/markdown.js";
import { reportModel } from "../../src/report/model.js";
import { doneRun, planTasks, stuckRun } from "./runs.js";

const context: ReportContext = {
  tasks: planTasks,
  nowMs: Date.UTC(2026, 11, 1, 7, 0),
  branch: "ralph/health",
  root: "/home/me/shop",
  isolation: "kernel",
  diffs: {
    1: [
      { path: "src/health.ts", added: 12, removed: 3 },
      { path: "test/health.test.ts", added: 8, removed: 0 },
    ],
    2: [{ path: "logo.png", added: null, removed: null }],
  },
};

function renderReport(state: RunState, given: ReportContext): string {
  return renderMarkdown(reportModel(state, given));
}

function stateOf(events: readonly JournalEvent[]): RunState {
  const state = foldAll(events);
  if (state === null) throw new Error("no run in the events");
  return state;
}

function stoppedWith(reason: StopReason): RunState {
  const status = statusOf(reason);
  const stop: JournalBody = { type: "run.stopped", status, reason, verified: false, summary: "s", evidence: [] };
  return stateOf([...stuckRun.slice(0, -1), { ...stop, at: "2026-11-30T23:00:00.000Z", run: "20261130-2011", iteration: 0 }]);
}

describe("golden reports", () => {
  it("of a run that got stuck", async () => {
    await expect(renderReport(stateOf(stuckRun), context)).toMatchFileSnapshot("golden/stuck.md");
  });

  it("of a run that is done", async () => {
    const tasks = planTasks.slice(0, 1);
    await expect(
      renderReport(stateOf(doneRun), { ...context, tasks, isolation: "compared", finalText: "Done:\n\n# All <b>green</b>\u001b[0m" }),
    ).toMatchFileSnapshot("golden/done.md");
  });

  it("of a run that was cut off, without a readable plan", async () => {
    const state = stateOf(stuckRun.slice(0, -5));
    await expect(renderReport(state, { ...context, tasks: null, branch: null, isolation: "none" })).toMatchFileSnapshot("golden/open.md");
  });
});

describe("what it says and never says", () => {
  it("an unreported cost or token count is unknown, not zero", () => {
    const state = stateOf(stuckRun.filter((event) => event.iteration === 2 || event.iteration === 0));
    const report = renderReport(state, context);
    expect(report).toContain("Tokens: unknown");
    expect(report).toContain("Cost: unknown");
    expect(report).not.toContain("$0");
    expect(report).not.toMatch(/\| 0 \| \$/);
  });

  it("says loudly that a done run without gates is not verified", () => {
    const events = doneRun.map((event) => (event.type === "run.stopped" ? { ...event, verified: false } : event));
    const report = renderReport(stateOf(events), context);
    expect(report.split("\n")[0]).toBe("# Run 20261130-2011: done, NOT verified");
    expect(report).toContain("no gate existed");
    expect(report).toContain("read it before you merge it");
  });

  it("keeps foreign text from becoming markup, control sequences or table cells", () => {
    const evil = "a | b <img src=x> \u001b[31m\u202e **bold**\n# heading";
    const events = stuckRun.map((event) => (event.type === "task.parked" ? { ...event, question: evil } : event));
    const report = renderReport(stateOf(events), context);
    expect(report).toContain("a | b &lt;img src=x> \\[31m \\*\\*bold\\*\\* # heading");
    expect(report).not.toMatch(/[\u001b\u202e]/);
    expect(report).toContain("split the users \\| module");
  });

  it("is the same for the same events", () => {
    expect(renderReport(stateOf(stuckRun), context)).toBe(renderReport(stateOf(stuckRun), context));
  });
});

describe("advice", () => {
  const reasons = (Object.keys(STOP_REASONS) as FinalStatus[]).flatMap((status) => [...STOP_REASONS[status]]);

  it.each(reasons)("stands for %s", (reason) => {
    expect(ADVICE[reason].meaning).toMatch(/\.$/);
    const steps = nextSteps(stoppedWith(reason), "ralph/health");
    expect(steps.length).toBeGreaterThanOrEqual(2);
    expect(steps.join(" ")).toContain("git log --stat bbbbbbbbbb..ralph/health");
    expect(renderReport(stoppedWith(reason), context)).toContain(ADVICE[reason].meaning);
  });

  it("names no merge where the work already stands on the person's branch, and no work where there is none", () => {
    const events = doneRun.map((event) => (event.type === "run.started" ? { ...event, level: 3 } : event));
    expect(nextSteps(stateOf(events), "main").join(" ")).not.toContain("merge");
    const idle = stateOf(stuckRun.filter((event) => event.type === "run.started" || event.type === "run.stopped"));
    expect(nextSteps(idle, "ralph/health").join(" ")).not.toContain("git log");
  });
});
