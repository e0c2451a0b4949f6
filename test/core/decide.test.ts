/** The policy as a table: what the loop does next, given what is known. */
import { describe, expect, it } from "vitest";
import type { PlanView } from "../../src/core/decide.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import type { JournalBody } from "../../src/core/journal-event.js";
import { OPEN, DONE, PROOF, next, progress, reason, sameTask, stateOf } from "./deciding.js";

describe("success", () => {
  it("outranks every limit and every brake", () => {
    const state = stateOf(progress(20), [PROOF]);
    expect(next(state, { plan: DONE })).toMatchObject({ kind: "stop", reason: "all_tasks_checked", verified: true });
  });

  it("counts only on the commit it was proved on, and only without open tasks", () => {
    const state = stateOf(progress(1), [PROOF]);
    expect(reason(next(state, { plan: DONE, head: "h9" }))).toBe("prove");
    expect(reason(next(state, { plan: OPEN }))).toBe("run");
  });

  it("CD-19 checks a plan that is complete already without an agent", () => {
    expect(next(stateOf([]), { plan: DONE })).toEqual({ kind: "prove", by: "tasks" });
  });

  it("goes on with an agent when that check was refused", () => {
    const state = stateOf([], [{ type: "run.refused", commit: "h0", why: "gate tests failed", claimed: false }]);
    expect(next(state, { plan: DONE })).toMatchObject({ kind: "run", task: null });
  });

  it("says on what it rests", () => {
    const ended = { kind: "stop", reason: "all_tasks_checked", hit: null };
    expect(next(stateOf([], [{ ...PROOF, gates: ["tests", "lint"] } as JournalBody]), { plan: DONE })).toEqual({
      ...ended,
      verified: true,
      summary: "No open task is left and 2 required gate(s) passed on the final commit.",
      evidence: ["gate tests: pass", "gate lint: pass"],
    });
    const bare = stateOf([], [{ ...PROOF, gates: [] } as JournalBody]);
    expect(next(bare, { plan: DONE })).toEqual({
      ...ended,
      verified: false,
      summary: "No open task is left. No gate exists, so nothing independent confirms it.",
      evidence: [],
    });
    expect(next(bare, { plan: DONE, settings: { requireGate: true } })).toEqual({
      ...ended,
      reason: "unverified",
      verified: false,
      summary: "Everything is ticked, but no gate exists that could have refused it.",
      evidence: ["Name a gate that can fail (`gates:` in the plan's front matter, or --gate CMD) and run again."],
    });
  });

  it("is unverified without a gate, and no success at all with requireGate", () => {
    const state = stateOf([], [{ ...PROOF, gates: [] } as JournalBody]);
    expect(next(state, { plan: DONE })).toMatchObject({ reason: "all_tasks_checked", verified: false });
    expect(reason(next(state, { plan: DONE, settings: { requireGate: true } }))).toBe("unverified");
  });

  it("is called marker when the marker brought it", () => {
    const state = stateOf([], [{ ...PROOF, by: "marker" } as JournalBody]);
    expect(reason(next(state, { plan: { kind: "objective" } }))).toBe("marker");
  });
});

describe("tampering", () => {
  // Where what is observed was attacked, no success rests on it.
  const TAMPERED: JournalBody = {
    type: "brake.hit",
    hit: { reason: "tampering", summary: "frozen paths changed", signature: "x", lastActions: [], advice: "look" },
  };

  it("outranks success", () => {
    expect(reason(next(stateOf(progress(1), [PROOF, TAMPERED]), { plan: DONE }))).toBe("tampering");
    expect(reason(next(stateOf(progress(1), [TAMPERED]), { plan: DONE }))).toBe("tampering");
  });

  it("is the only hit that does", () => {
    const stuck: JournalBody = { type: "brake.hit", hit: { reason: "gutter_command", summary: "s", signature: "x", lastActions: [], advice: "a" } };
    expect(reason(next(stateOf(progress(1), [PROOF, stuck]), { plan: DONE }))).toBe("all_tasks_checked");
  });

  it("is counted when nobody called it one", () => {
    const touched: JournalBody = { type: "path.restored", path: "gate.sh", rule: "frozen", why: "frozen", keptAs: null };
    const state = stateOf([
      { tree: "w1", between: [touched] },
      { tree: "w2", between: [touched] },
    ]);
    expect(reason(next(state, { plan: DONE }))).toBe("tampering");
  });
});

describe("people", () => {
  it("stops before brakes and limits when asked to", () => {
    const asked: JournalBody = { type: "control.requested", request: "stop", by: "me", detail: null };
    expect(reason(next(stateOf(progress(20), [asked])))).toBe("human");
    expect(next(stateOf([], [asked]))).toEqual({ kind: "stop", reason: "human", verified: false, summary: "Stopped by me.", evidence: [], hit: null });
    const summary = "Stopped by a person after the running iteration.";
    expect(next(stateOf([]), { finishing: true })).toEqual({ kind: "stop", reason: "human", verified: false, summary, evidence: [], hit: null });
  });
});

describe("brakes", () => {
  const HIT = { reason: "gutter_command" as const, summary: "npm test failed 3 times", signature: "npm test", lastActions: ["a", "b", "c"], advice: "look" };
  const hit: JournalBody = { type: "brake.hit", hit: HIT };

  it("ends the run with trigger, evidence and advice", () => {
    const decision = next(stateOf([{}], [hit]));
    expect(decision).toMatchObject({ kind: "stop", reason: "gutter_command", verified: false, summary: HIT.summary, hit: HIT });
    expect(decision.kind === "stop" && decision.evidence).toEqual(["signature: npm test", "last action: a", "last action: b", "last action: c", "look"]);
  });

  it("can't be talked over by a later hit", () => {
    const later: JournalBody = { type: "brake.hit", hit: { ...HIT, reason: "gutter_thrash" } };
    expect(reason(next(stateOf([{}], [hit, later])))).toBe("gutter_command");
  });

  it("parks the task instead when told to, and then goes on", () => {
    const settings = { brakes: { ...DEFAULT_SETTINGS.brakes, onStuck: "park" as const } };
    expect(next(stateOf([{}], [hit]), { settings })).toMatchObject({ kind: "park", task: "a" });
    expect(reason(next(stateOf([{}], [hit, { type: "task.parked", task: "a", question: "?" }]), { settings }))).toBe("run");
  });

  it("stop where there is no task to park", () => {
    const settings = { brakes: { ...DEFAULT_SETTINGS.brakes, onStuck: "park" as const } };
    expect(reason(next(stateOf([], [hit]), { settings }))).toBe("gutter_command");
  });

  it("TP-20 parks a task that is never finished", () => {
    const question = "Tried 6 times without proving it. What is missing, or is the task too large?";
    expect(next(stateOf([{ tree: "w0a", task: "b" }, ...sameTask(6)]))).toEqual({ kind: "park", task: "a", question });
    expect(reason(next(stateOf(sameTask(5))))).toBe("run");
  });

  it("spends one step back before no_progress when configured", () => {
    const settings = { brakes: { ...DEFAULT_SETTINGS.brakes, stepBack: true, attempts: 9 } };
    expect(next(stateOf([{}, {}]), { settings })).toMatchObject({ kind: "run", mode: "stepBack" });
    expect(reason(next(stateOf([{}, {}])))).toBe("no_progress");
    // It is for standing still alone, and past a limit nothing starts.
    expect(reason(next(stateOf([{}, {}], [hit]), { settings }))).toBe("gutter_command");
    expect(reason(next(stateOf([{}, {}]), { settings, limits: { iterations: 2 } }))).toBe("no_progress");
  });
});

describe("the plan", () => {
  const counts = { open: 0, done: 1, manual: 0, blocked: 0, other: 0 };
  it.each([{ manual: 1 }, { blocked: 1 }, { other: 1 }, { manual: 1, blocked: 1 }, { manual: 1, other: 1 }, { blocked: 1, other: 1 }])(
    "TP-25 hands over when only %j remain",
    (rest) => {
      expect(reason(next(stateOf(progress(1)), { plan: { kind: "tasks", counts: { ...counts, ...rest }, next: null } }))).toBe("needs_human");
    },
  );

  it("asks a person the questions of what is parked, in the words of the tasks that are known", () => {
    const parked = (task: string): JournalBody => ({ type: "task.parked", task, question: "which key?" });
    const added: JournalBody = { type: "task.added", task: { id: "a", text: "add a key", gates: [], edits: [] } };
    const plan: PlanView = { kind: "tasks", counts: { open: 0, done: 1, manual: 1, blocked: 2, other: 3 }, next: null };
    expect(next(stateOf([], [added, parked("a"), parked("gone")]), { plan })).toEqual({
      kind: "stop",
      reason: "needs_human",
      verified: false,
      summary: "No open task is left for the agent: 1 manual, 2 blocked, 3 other.",
      evidence: ["add a key: which key?", "gone: which key?"],
      hit: null,
    });
  });

  it("of nothing but done boxes that were refused goes back to an agent, on the refused commit alone", () => {
    const refused: JournalBody = { type: "run.refused", commit: "h0", why: "x", claimed: false };
    expect(reason(next(stateOf([], [refused]), { plan: DONE, head: "h0" }))).toBe("run");
    expect(reason(next(stateOf([], [refused]), { plan: DONE, head: "h1" }))).toBe("prove");
    const rest: PlanView = { kind: "tasks", counts: { open: 0, done: 1, manual: 1, blocked: 0, other: 0 }, next: null };
    expect(reason(next(stateOf([], [refused]), { plan: rest, head: "h0" }))).toBe("needs_human");
    const none: PlanView = { kind: "tasks", counts: { open: 0, done: 0, manual: 0, blocked: 0, other: 0 }, next: null };
    expect(reason(next(stateOf([]), { plan: none }))).toBe("needs_human");
  });

  it("without tasks is the objective, which an agent works on until something ends it", () => {
    expect(next(stateOf(progress(2)), { plan: { kind: "objective" } })).toEqual({ kind: "run", mode: "work", task: null });
  });

  it("TP-22 never takes a lost plan for a finished one", () => {
    const summary = "PLAN.md is gone";
    expect(next(stateOf([]), { plan: { kind: "lost", message: summary } })).toEqual({
      kind: "stop",
      reason: "plan_lost",
      verified: false,
      summary,
      evidence: [],
      hit: null,
    });
  });

  it("says which task is next", () => {
    expect(next(stateOf([]))).toEqual({ kind: "run", mode: "work", task: "a" });
  });
});
