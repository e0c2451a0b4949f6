/** What is counted from iteration to iteration, and how one ended iteration moves the counters. */
import { NO_PROGRESS_CLASSES } from "../class.js";
import { QUICK_EXIT_MS } from "../defaults.js";
import type { Ending } from "../journal-event.js";
import type { IterationClass } from "../words.js";

export interface Counters {
  /** Iterations in a row that stood still. */
  noProgress: number;
  /** Work tree -> how often the run came back to it. */
  trees: Record<string, number>;
  lastTree: string;
  /** Returns in a row without a new tree in between. */
  returnsInRow: number;
  /** Task -> attempts in a row without proof; in halves, see countAttempt. */
  attempts: Record<string, number>;
  /** Run-level claims that were refused since anything was proved. */
  disagreement: number;
  /** Iterations in which frozen paths were changed. */
  frozenTouches: number;
  /** Iterations in a row in which compared paths lost something. */
  comparedStreak: number;
  quickExits: number;
  infrastructure: number;
  authFailures: number;
  /** Names of failing checks at the latest verdicts; null before the first iteration ended. */
  failing: string[] | null;
}

/** What one ended iteration did, as far as the counters care. */
export interface IterationOutcome {
  class: IterationClass;
  ending: Ending;
  task: string | null;
  newTree: boolean;
  betterGates: boolean;
  workTree: string;
  /** Tasks whose gates passed, and ticks that no gate could refuse. */
  proved: number;
  accepted: number;
  /** A run-level claim of this iteration was refused. */
  refused: boolean;
  restoredFrozen: number;
  restoredCompared: number;
  failing: string[];
}

export function startCounters(workTree: string): Counters {
  return {
    noProgress: 0,
    trees: { [workTree]: 0 },
    lastTree: workTree,
    returnsInRow: 0,
    attempts: {},
    disagreement: 0,
    frozenTouches: 0,
    comparedStreak: 0,
    quickExits: 0,
    infrastructure: 0,
    authFailures: 0,
    failing: null,
  };
}

/** Changes the counters in place: they belong to the state that is folded. */
export function countIteration(counters: Counters, outcome: IterationOutcome): void {
  const progressed = outcome.newTree || outcome.proved > 0 || outcome.betterGates;
  if (progressed) counters.noProgress = 0;
  // A tick that nothing could refuse is no progress, but it can't go on for ever either: boxes are finite.
  else if (outcome.accepted === 0 && stoodStill(outcome)) counters.noProgress += 1;
  countTree(counters, outcome.workTree);
  countAttempt(counters, outcome);
  if (outcome.proved > 0 || outcome.betterGates) counters.disagreement = 0;
  if (outcome.refused) counters.disagreement += 1;
  counters.failing = outcome.failing;
  if (outcome.restoredFrozen > 0) counters.frozenTouches += 1;
  counters.comparedStreak = outcome.restoredCompared > 0 ? counters.comparedStreak + 1 : 0;
  const outside = !progressed && outcome.class === "infrastructure";
  counters.infrastructure = outside ? counters.infrastructure + 1 : 0;
  counters.quickExits = outside && isQuickExit(outcome.ending) ? counters.quickExits + 1 : 0;
  counters.authFailures = outcome.class === "auth" ? counters.authFailures + 1 : 0;
}

/** Whom the budget cut off had no chance to move; the limits end such a run. */
function stoodStill({ class: ended, ending }: IterationOutcome): boolean {
  return NO_PROGRESS_CLASSES.has(ended) && !(ending.exit.kind === "stopped" && ending.exit.cause === "budget");
}

/** Staying on a tree is no return. */
function countTree(counters: Counters, tree: string): void {
  if (tree === counters.lastTree) return;
  const seen = Object.hasOwn(counters.trees, tree) ? counters.trees[tree] : undefined;
  counters.trees[tree] = seen === undefined ? 0 : seen + 1;
  counters.returnsInRow = seen === undefined ? 0 : counters.returnsInRow + 1;
  counters.lastTree = tree;
}

/** An iteration that changes files but proves nothing weighs half of one that does nothing: large tasks take several. */
function countAttempt(counters: Counters, outcome: IterationOutcome): void {
  const { task } = outcome;
  if (task === null) return;
  const before = (Object.hasOwn(counters.attempts, task) ? counters.attempts[task] : undefined) ?? 0;
  if (outcome.proved > 0 || outcome.accepted > 0 || outcome.betterGates) counters.attempts = {};
  else if (outcome.newTree) counters.attempts[task] = before + 0.5;
  else if (stoodStill(outcome)) counters.attempts[task] = before + 1;
}

/** Nothing was seen of it but its end: it did not start properly. */
function isQuickExit(ending: Ending): boolean {
  if (ending.exit.kind === "cannotStart") return true;
  return ending.exit.kind === "exited" && ending.durationMs < QUICK_EXIT_MS && ending.toolCalls === 0;
}

/** Fewer failing names. A gate that fails without names stands in the lists by its own name. */
export function isBetter(previous: readonly string[], now: readonly string[]): boolean {
  return new Set(now).size < new Set(previous).size;
}
