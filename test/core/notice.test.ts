/** What people far away are told of a run's events, and what is nobody's business. */
import { describe, expect, it } from "vitest";
import type { JournalBody } from "../../src/core/journal-event.js";
import { noticeOf } from "../../src/core/notice.js";

const AT = "2026-11-30T20:11:00.000Z";
const MINUTE = 60_000;
const told = (body: JournalBody) => noticeOf({ ...body, at: AT, run: "r", iteration: 7 }, 10 * MINUTE);
const stopped = (fields: Partial<Extract<JournalBody, { type: "run.stopped" }>> = {}): JournalBody => ({
  type: "run.stopped",
  status: "done",
  reason: "all_tasks_checked",
  verified: true,
  summary: "All done.",
  evidence: ["gate tests: pass"],
  ...fields,
});
const wait = (ms: number, why = "account limit"): JournalBody => ({ type: "wait.started", untilMs: Date.parse(AT) + ms, why });

describe("a notice", () => {
  it("tells every ending, and of a success whether anything confirms it", () => {
    expect(told(stopped())).toEqual({
      kind: "done",
      title: "ralphd: done (all_tasks_checked, verified)",
      text: "All done.\ngate tests: pass",
      run: "r",
      iteration: 7,
      at: AT,
    });
    expect(told(stopped({ verified: false }))?.title).toBe("ralphd: done (all_tasks_checked, NOT verified)");
    expect(told(stopped({ status: "capped", reason: "cost", verified: false }))).toMatchObject({ kind: "capped", title: "ralphd: capped (cost)" });
  });

  it("tells a wait only when it is longer than people care to know", () => {
    expect(told(wait(10 * MINUTE))).toBeNull();
    expect(told(wait(10 * MINUTE + 1))).toEqual({
      kind: "wait",
      title: "ralphd: waiting for a limit",
      text: "Until 2026-11-30 20:21 UTC: account limit\n`ralphd resume` tries now.",
      run: "r",
      iteration: 7,
      at: AT,
    });
  });

  it("asks the question of a parked task", () => {
    expect(told({ type: "task.parked", task: "t", question: "which key?" })).toMatchObject({
      kind: "needs_person",
      title: "ralphd: a task needs a person",
      text: "t: which key?",
    });
  });

  it("keeps everything else to itself", () => expect(told({ type: "warning", message: "x" })).toBeNull());

  it("is no longer than a chat shows, and says that it was cut", () => {
    const textOf = (length: number) => told(stopped({ summary: "x".repeat(length), evidence: [] }))?.text;
    expect(textOf(1_500)).toBe("x".repeat(1_500));
    expect(textOf(1_501)).toBe(`${"x".repeat(1_500)}…`);
  });
});
