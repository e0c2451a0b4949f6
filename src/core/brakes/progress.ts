/** The brakes between iterations as pure folds over small states, each with the question whether it hits. */
import { MAX_COMPARED_STREAK, MAX_FROZEN_TOUCHES } from "../defaults.js";
import type { BrakeSettings } from "../settings.js";
import type { BrakeHit } from "./types.js";

export interface NoProgress {
  /** Iterations in a row that brought nothing. */
  streak: number;
}

/** `provedTasks`: tasks whose gates passed in this iteration. Only iterations that could work are folded, not waits or limits. */
export function noProgress(previous: NoProgress, facts: { newTree: boolean; provedTasks: number; betterFingerprint: boolean }): NoProgress {
  const moved = facts.newTree || facts.provedTasks > 0 || facts.betterFingerprint;
  return { streak: moved ? 0 : previous.streak + 1 };
}

export function noProgressHit(state: NoProgress, settings: BrakeSettings, lastActions: readonly string[] = []): BrakeHit | null {
  if (state.streak < settings.noProgress) return null;
  return {
    reason: "no_progress",
    summary: `${state.streak} iterations in a row brought no new tree, no proved task and no better gate result (threshold ${settings.noProgress}).`,
    signature: "no new tree",
    lastActions: lastActions.slice(-3),
    advice: "Read the last iteration's stream (`ralphd logs`). Usually the task is unclear or too large, or the agent may not do what it needs.",
  };
}

export interface Oscillation {
  /** Tree id -> how often the run came back to it. */
  seen: Record<string, number>;
  current: string | null;
  /** Returns in a row, without a new tree in between. */
  returnsInRow: number;
}

export const NO_OSCILLATION: Oscillation = { seen: {}, current: null, returnsInRow: 0 };

/** Staying on a tree is no return. The tree before the first iteration is folded first. */
export function oscillation(previous: Oscillation, tree: string): Oscillation {
  if (tree === previous.current) return previous;
  const returns = Object.hasOwn(previous.seen, tree) ? (previous.seen[tree] ?? 0) + 1 : 0;
  return {
    seen: { ...previous.seen, [tree]: returns },
    current: tree,
    returnsInRow: returns > 0 ? previous.returnsInRow + 1 : 0,
  };
}

/** One tree came back often enough, or the run only walks among trees it has seen (X, revert, X again). */
export function oscillationHit(state: Oscillation, settings: BrakeSettings, lastActions: readonly string[] = []): BrakeHit | null {
  const limit = settings.oscillation;
  const most = Object.entries(state.seen).find(([, returns]) => returns >= limit);
  const tree = most?.[0] ?? state.current;
  if (tree === null || (most === undefined && state.returnsInRow < limit)) return null;
  const times = most?.[1] ?? state.returnsInRow;
  return {
    reason: "oscillation",
    summary: `The work came back ${times} times to a tree it had earlier in this run (threshold ${limit}).`,
    signature: tree,
    lastActions: lastActions.slice(-3),
    advice: "Iterations undo each other. Compare their commits, decide which way is right and write it into the plan.",
  };
}

/** Task id -> attempts in a row without progress on it. */
export type Attempts = Record<string, number>;

export function attempts(previous: Attempts, task: string | null, progressed: boolean): Attempts {
  if (task === null) return previous;
  const count = Object.hasOwn(previous, task) ? (previous[task] ?? 0) : 0;
  return { ...previous, [task]: progressed ? 0 : count + 1 };
}

/** The task to be parked; it ends no run by itself. */
export function attemptsHit(state: Attempts, settings: BrakeSettings, lastActions: readonly string[] = []): BrakeHit | null {
  const found = Object.entries(state).find(([, count]) => count >= settings.attempts);
  if (found === undefined) return null;
  return {
    reason: "needs_human",
    summary: `Task ${found[0]} was tried ${found[1]} times in a row without progress (threshold ${settings.attempts}).`,
    signature: found[0],
    lastActions: lastActions.slice(-3),
    advice: "Say in the plan what is missing, split the task, or do it yourself and tick it.",
  };
}

export interface Disagreement {
  /** Run-level claims that gates refused. */
  refused: number;
}

export function disagreement(previous: Disagreement, claim: "none" | "refused" | "accepted"): Disagreement {
  if (claim === "none") return previous;
  return { refused: claim === "refused" ? previous.refused + 1 : 0 };
}

export function disagreementHit(state: Disagreement, settings: BrakeSettings, lastActions: readonly string[] = []): BrakeHit | null {
  if (state.refused < settings.disagreement) return null;
  return {
    reason: "disagreement",
    summary: `The agent said ${state.refused} times that all is done, and the gates refused it each time (threshold ${settings.disagreement}).`,
    signature: "refused claim",
    lastActions: lastActions.slice(-3),
    advice: "Run the failing gate by hand. Either it asks for something that the plan does not say, or the task needs more detail.",
  };
}

export interface Tampering {
  /** Iterations that changed frozen paths. */
  frozenTouches: number;
  /** Iterations in a row that took something from compared paths. */
  comparedStreak: number;
}

export function tampering(previous: Tampering, facts: { frozen: boolean; compared: boolean }): Tampering {
  return {
    frozenTouches: previous.frozenTouches + (facts.frozen ? 1 : 0),
    comparedStreak: facts.compared ? previous.comparedStreak + 1 : 0,
  };
}

/** The thresholds are fixed: no setting can make the loop more patient with it. */
export function tamperingHit(state: Tampering, _settings: BrakeSettings, lastActions: readonly string[] = []): BrakeHit | null {
  const frozen = state.frozenTouches >= MAX_FROZEN_TOUCHES;
  if (!frozen && state.comparedStreak < MAX_COMPARED_STREAK) return null;
  return {
    reason: "tampering",
    summary: frozen
      ? `Frozen paths were changed in ${state.frozenTouches} iterations (threshold ${MAX_FROZEN_TOUCHES}) and put back each time.`
      : `Protected files lost content in ${state.comparedStreak} iterations in a row (threshold ${MAX_COMPARED_STREAK}) and were put back.`,
    signature: frozen ? "frozen paths" : "compared paths",
    lastActions: lastActions.slice(-3),
    advice: "See in the report what was restored. If the change was wanted, make it yourself, or let the task say `<!-- edits: path -->`.",
  };
}

/**
 * Fewer failing names, or a part of them. A gate that fails without names must stand in the lists by its own name:
 * an empty list means that nothing fails.
 */
export function gateFingerprintBetter(previous: readonly string[], now: readonly string[]): boolean {
  return new Set(now).size < new Set(previous).size;
}
