/** The policy as a table: what the loop does next, given what is known. */
import { describe, expect, it } from "vitest";
import { type Decision, decide, type PlanView, type Snapshot } from "../../src/core/decide.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import { foldAll } from "../../src/core/fold.js";
import type { Ending, JournalBody, JournalEvent } from "../../src/core/journal-event.js";
import { NO_CLAIMS } from "../../src/core/journal-event.js";
import { EMPTY_WATCH } from "../../src/core/brakes/watch-state.js";
import type { RunState } from "../../src/core/run-state.js";
import type { Limits, Settings } from "../../src/core/settings.js";

const NOW = Date.UTC(2026, 10, 30, 23);
const HOUR = 3_600_000;
const OPEN: PlanView = { kind: "tasks", counts: { open: 2, done: 0, manual: 0, blocked: 0, other: 0 }, next: { id: "a", text: "a" } };
const DONE: PlanView = { kind: "tasks", counts: { open: 0, done: 2, manual: 0, blocked: 0, other: 0 }, next: null };

const STARTED: JournalBody = {
  type: "run.started",
  journalVersion: 1,
  plan: "PLAN.md",
  objective: null,
  agent: "command",
  branch: "ralph/plan",
  baseHead: "h0",
  baseTree: "t0",
  workTree: "w0",
  tasks: [],
  requiredGates: [],
  level: 2,
  sandbox: false,
  untouched: [],
};
const CLEAN: Ending = { exit: { kind: "exited", code: 0 }, finishedOk: true, error: null, limit: null, toolCalls: 3, outputBytes: 1, durationMs: 60_000 };

interface Ended {
  class?: Extract<JournalBody, { type: "iteration.ended" }>["class"];
  ending?: Partial<Ending>;
  tokens?: number | null;
  cost?: number | null;
  activeMs?: number;
  tree?: string;
  task?: string;
  mode?: "work" | "wrapUp";
  between?: JournalBody[];
}

function stateOf(iterations: Ended[], after: JournalBody[] = []): RunState {
  const bodies: [number, JournalBody][] = [[0, STARTED]];
  iterations.forEach((item, index) => {
    const number = index + 1;
    const usage = {
      inputTokens: item.tokens ?? null,
      cachedInputTokens: null,
      outputTokens: item.tokens === undefined || item.tokens === null ? null : 0,
      costMicroUsd: item.cost ?? null,
    };
    const changed = item.tree !== undefined;
    bodies.push(
      [number, { type: "iteration.started", mode: item.mode ?? "work", task: item.task ?? "a", head: "h0", tree: "t0", spent: number }],
      [number, { type: "agent.ended", ending: { ...CLEAN, ...item.ending }, usage, claims: NO_CLAIMS, watch: EMPTY_WATCH, signs: [], finalText: null }],
      ...(item.between ?? []).map((body): [number, JournalBody] => [number, body]),
      [
        number,
        {
          type: "iteration.ended",
          class: item.class ?? (changed ? "progress" : "no_op"),
          usage,
          newTree: changed,
          betterGates: false,
          workTree: item.tree ?? "w0",
          files: 1,
          activeMs: item.activeMs ?? 60_000,
        },
      ],
    );
  });
  bodies.push(...after.map((body): [number, JournalBody] => [0, body]));
  const events = bodies.map(([iteration, body]): JournalEvent => ({ ...body, at: new Date(NOW).toISOString(), run: "r", iteration }));
  const state = foldAll(events);
  if (state === null) throw new Error("no state");
  return state;
}

function next(
  state: RunState,
  options: { plan?: PlanView; limits?: Partial<Limits>; settings?: Partial<Settings>; head?: string | null; finishing?: boolean; nowMs?: number } = {},
): Decision {
  const settings: Settings = { ...DEFAULT_SETTINGS, ...options.settings, limits: { ...DEFAULT_SETTINGS.limits, ...options.limits } };
  const seen: Snapshot = {
    state,
    settings,
    plan: options.plan ?? OPEN,
    head: options.head ?? "h0",
    nowMs: options.nowMs ?? NOW,
    finishing: options.finishing === true,
  };
  return decide(seen);
}

const reason = (decision: Decision): string => (decision.kind === "stop" ? decision.reason : decision.kind);
const progress = (n: number): Ended[] => Array.from({ length: n }, (_, i) => ({ tree: `w${i + 1}`, task: `task-${i}` }));
const sameTask = (n: number): Ended[] => progress(n).map((item) => ({ ...item, task: "a" }));
const PROOF: JournalBody = { type: "run.proved", commit: "h0", gates: ["tests"], clean: false, by: "tasks" };

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

describe("limits", () => {
  it("makes the iteration beyond the limit impossible", () => {
    expect(reason(next(stateOf(progress(19))))).toBe("run");
    expect(reason(next(stateOf(progress(20))))).toBe("iterations");
  });

  it("makes the last allowed iteration the wrap-up, but never the only one", () => {
    expect(next(stateOf(progress(18)))).toMatchObject({ mode: "work" });
    expect(next(stateOf(progress(19)))).toMatchObject({ mode: "wrapUp" });
    expect(next(stateOf([]), { limits: { iterations: 1 } })).toMatchObject({ mode: "work" });
  });

  it("keeps a tenth of tokens, cost and time for the wrap-up", () => {
    const at = (share: number): RunState => stateOf([{ tree: "w1", tokens: 1_000 * share, cost: 1_000 * share, activeMs: HOUR * share }]);
    for (const limits of [{ tokens: 1_000 }, { costMicroUsd: 1_000 }, { timeMs: HOUR }]) {
      expect(next(at(0.89), { limits })).toMatchObject({ mode: "work" });
      expect(next(at(0.9), { limits })).toMatchObject({ mode: "wrapUp" });
      expect(next(at(1), { limits }).kind).toBe("stop");
    }
  });

  it("skips a wrap-up that the rest can't pay, and says so", () => {
    const big = { tree: "w1", tokens: 9_600, cost: 9_600, activeMs: 60_000 };
    for (const limits of [{ tokens: 10_000 }, { costMicroUsd: 10_000 }, { timeMs: 85_000 }]) {
      const decision = next(stateOf([big]), { limits });
      const timed = "timeMs" in limits;
      if (timed) expect(decision).toMatchObject({ mode: "work" });
      else expect(decision).toMatchObject({ kind: "stop", summary: expect.stringMatching(/wrap-up was skipped: (400 tokens|\$0\.00) can't pay/) });
    }
    expect(next(stateOf([{ tree: "w1", activeMs: 280_000 }]), { limits: { timeMs: 300_000 } })).toMatchObject({
      reason: "time",
      summary: expect.stringContaining("20 s of time"),
    });
  });

  it("stops after the wrap-up although the reserve is not empty", () => {
    const state = stateOf([
      { tree: "w1", tokens: 900 },
      { tree: "w2", tokens: 20, mode: "wrapUp" },
    ]);
    expect(reason(next(state, { limits: { tokens: 1_000 } }))).toBe("tokens");
  });

  it("BC-01 lets unknown cost and tokens hold nothing", () => {
    expect(reason(next(stateOf(progress(3)), { limits: { tokens: 1, costMicroUsd: 1 } }))).toBe("run");
  });

  it("goes on when a person grants more", () => {
    const granted: JournalBody = { type: "limits.raised", iterations: 5, tokens: 0, costMicroUsd: 0, timeMs: 0, by: "me" };
    expect(reason(next(stateOf(progress(20), [granted])))).toBe("run");
  });

  it("RL-13 does not spend iterations on limits, logins and infrastructure", () => {
    const state = stateOf([
      { class: "limit", ending: { finishedOk: false, limit: { kind: "account", resumeAtMs: null, message: "x" } } },
      { class: "infrastructure" },
      { tree: "w1" },
    ]);
    expect(state.spent).toBe(1);
  });
});

describe("people", () => {
  it("stops before brakes and limits when asked to", () => {
    const asked: JournalBody = { type: "control.requested", request: "stop", by: "me", detail: null };
    expect(reason(next(stateOf(progress(20), [asked])))).toBe("human");
    expect(reason(next(stateOf([]), { finishing: true }))).toBe("human");
  });
});

describe("brakes", () => {
  const HIT = { reason: "gutter_command" as const, summary: "npm test failed 3 times", signature: "npm test", lastActions: ["a", "b", "c"], advice: "look" };
  const hit: JournalBody = { type: "brake.hit", hit: HIT };

  it("ends the run with trigger, evidence and advice", () => {
    const decision = next(stateOf([{}], [hit]));
    expect(decision).toMatchObject({ kind: "stop", reason: "gutter_command", summary: HIT.summary });
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

  it("TP-20 parks a task that is never finished", () => {
    expect(next(stateOf(sameTask(6)))).toMatchObject({ kind: "park", task: "a" });
    expect(reason(next(stateOf(sameTask(5))))).toBe("run");
  });

  it("spends one step back before no_progress when configured", () => {
    const settings = { brakes: { ...DEFAULT_SETTINGS.brakes, stepBack: true, attempts: 9 } };
    expect(next(stateOf([{}, {}]), { settings })).toMatchObject({ kind: "run", mode: "stepBack" });
    expect(reason(next(stateOf([{}, {}])))).toBe("no_progress");
  });
});

describe("the plan", () => {
  const counts = { open: 0, done: 1, manual: 0, blocked: 0, other: 0 };
  it.each([{ manual: 1 }, { blocked: 1 }, { other: 1 }])("TP-25 hands over when only %j remain", (rest) => {
    expect(reason(next(stateOf(progress(1)), { plan: { kind: "tasks", counts: { ...counts, ...rest }, next: null } }))).toBe("needs_human");
  });

  it("TP-22 never takes a lost plan for a finished one", () => {
    expect(reason(next(stateOf([]), { plan: { kind: "lost", message: "PLAN.md is gone" } }))).toBe("plan_lost");
  });
});

describe("an agent that does not work", () => {
  const quick: Ended = { class: "infrastructure", ending: { exit: { kind: "exited", code: 2 }, finishedOk: null, toolCalls: 0, durationMs: 100 } };
  it("PH-13 ends after three endings at once, and waits in between", () => {
    expect(reason(next(stateOf([quick, quick])))).toBe("wait");
    expect(reason(next(stateOf([quick, quick, quick])))).toBe("cannot_start_agent");
  });

  it("RL-14 ends when the login is gone", () => {
    expect(reason(next(stateOf([{ tree: "w1" }, { class: "auth", ending: { error: { kind: "auth", message: "401" }, finishedOk: false } }])))).toBe("auth");
  });
});

describe("waiting", () => {
  const limited = (resumeAtMs: number | null): Ended => ({
    class: "limit",
    ending: { finishedOk: false, limit: { kind: "account", resumeAtMs, message: "resets later" } },
  });

  it("waits for the reset time plus slack", () => {
    expect(next(stateOf([limited(NOW + HOUR)]))).toMatchObject({ kind: "wait", untilMs: NOW + HOUR + 60_000 });
  });

  it("RL-11 backs off, longer each time, when no usable time is known", () => {
    const once = next(stateOf([limited(null)]));
    const twice = next(stateOf([limited(NOW - HOUR), limited(NOW - HOUR)]));
    expect([once, twice].map((decision) => decision.kind === "wait" && decision.untilMs - NOW)).toEqual([300_000, 600_000]);
  });

  it("waits once after an iteration, then tries again", () => {
    const state = stateOf(
      [limited(null)],
      [
        { type: "wait.started", untilMs: NOW, why: "x" },
        { type: "wait.ended", waitedMs: 300_000 },
      ],
    );
    expect(reason(next(state))).toBe("run");
  });

  it("ST-11 goes on with a wait that a restart interrupted", () => {
    const state = stateOf([limited(null)], [{ type: "wait.started", untilMs: NOW + HOUR, why: "x" }]);
    expect(next(state)).toMatchObject({ kind: "wait", untilMs: NOW + HOUR });
  });

  it("ends when the leash on waiting is used up", () => {
    expect(reason(next(stateOf([limited(NOW + 25 * HOUR)])))).toBe("time");
  });

  it("backs off from a throttle, and takes no slack on top of a time that the API names", () => {
    const throttled = (resumeAtMs: number | null): Ended => ({
      class: "limit",
      ending: { finishedOk: false, limit: { kind: "throttle", resumeAtMs, message: "slow down" } },
    });
    const { firstMs } = DEFAULT_SETTINGS.backoff;
    expect(next(stateOf([throttled(null)]))).toMatchObject({ kind: "wait", untilMs: NOW + firstMs });
    expect(next(stateOf([throttled(null), throttled(NOW - 1)]))).toMatchObject({ untilMs: NOW + 2 * firstMs });
    expect(next(stateOf([throttled(NOW + 1_200)]))).toMatchObject({ untilMs: NOW + firstMs });
    expect(next(stateOf([throttled(NOW + 60_000)]))).toMatchObject({ untilMs: NOW + 60_000 });
  });

  it("waits also after an iteration that worked before it met its limit", () => {
    const worked: Ended = { ...limited(NOW + HOUR), tree: "w1", class: "progress" };
    expect(next(stateOf([worked])).kind).toBe("wait");
  });
});
