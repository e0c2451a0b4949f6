/** States made of iterations, and what the loop decides on them; for the tables of the policy. */
import { type Decision, decide, type PlanView, type Snapshot } from "../../src/core/decide.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import { foldAll } from "../../src/core/fold.js";
import type { Ending, JournalBody, JournalEvent } from "../../src/core/journal-event.js";
import { NO_CLAIMS } from "../../src/core/journal-event.js";
import { EMPTY_WATCH } from "../../src/core/brakes/watch-state.js";
import type { RunState } from "../../src/core/run-state.js";
import type { Limits, Settings } from "../../src/core/settings.js";

export const NOW = Date.UTC(2026, 10, 30, 23);
export const HOUR = 3_600_000;
export const OPEN: PlanView = { kind: "tasks", counts: { open: 2, done: 0, manual: 0, blocked: 0, other: 0 }, next: { id: "a", text: "a" } };
export const DONE: PlanView = { kind: "tasks", counts: { open: 0, done: 2, manual: 0, blocked: 0, other: 0 }, next: null };

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

export interface Ended {
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

export function stateOf(iterations: Ended[], after: JournalBody[] = []): RunState {
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

export function next(
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

export const reason = (decision: Decision): string => (decision.kind === "stop" ? decision.reason : decision.kind);
export const progress = (n: number): Ended[] => Array.from({ length: n }, (_, i) => ({ tree: `w${i + 1}`, task: `task-${i}` }));
export const sameTask = (n: number): Ended[] => progress(n).map((item) => ({ ...item, task: "a" }));
export const PROOF: JournalBody = { type: "run.proved", commit: "h0", gates: ["tests"], clean: false, by: "tasks" };
