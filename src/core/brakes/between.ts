/** The brakes between iterations: what the folded counters say against their thresholds. */
import { MAX_COMPARED_STREAK, MAX_FROZEN_TOUCHES } from "../defaults.js";
import type { RunState } from "../run-state.js";
import type { Settings } from "../settings.js";
import type { StopReason } from "../words.js";
import type { BrakeHit } from "./types.js";

/** The first rule that is over its threshold; tampering outranks standing still. */
export function progressHit(state: RunState, settings: Settings): BrakeHit | null {
  return tampering(state) ?? oscillation(state, settings) ?? disagreement(state, settings) ?? noProgress(state, settings);
}

function tampering(state: RunState): BrakeHit | null {
  const { frozenTouches, comparedStreak } = state.brakes;
  const paths = [...new Set(state.restored.map((item) => item.path))].slice(-5).join(", ");
  if (frozenTouches >= MAX_FROZEN_TOUCHES) {
    return hit(
      state,
      "tampering",
      `Frozen paths were changed in ${frozenTouches} iterations (threshold ${MAX_FROZEN_TOUCHES}) and put back each time.`,
      paths,
      "Look at what was restored in the report. If the change was wanted, make it yourself and start a new run.",
    );
  }
  if (comparedStreak >= MAX_COMPARED_STREAK) {
    return hit(
      state,
      "tampering",
      `Protected files lost lines in ${comparedStreak} iterations in a row (threshold ${MAX_COMPARED_STREAK}) and were put back.`,
      paths,
      "If these tests have to change, give the task `<!-- edits: path -->`; if they are right, say in the task how to satisfy them.",
    );
  }
  return null;
}

function oscillation(state: RunState, settings: Settings): BrakeHit | null {
  const limit = settings.brakes.oscillation;
  const { trees, lastTree, returnsInRow } = state.brakes;
  // One tree that came back often enough, or a run that only walks among trees it has seen: X, revert, X again.
  const most = Object.entries(trees).find(([, returns]) => returns >= limit);
  if (most === undefined && returnsInRow < limit) return null;
  const [tree, times] = most ?? [lastTree, returnsInRow];
  return hit(
    state,
    "oscillation",
    `The tree came back ${times} times to a state it had earlier in this run (threshold ${limit}).`,
    tree,
    "Iterations undo each other. Compare their commits; decide which way is right and write it into the plan.",
  );
}

function disagreement(state: RunState, settings: Settings): BrakeHit | null {
  const count = state.brakes.disagreement;
  if (count < settings.brakes.disagreement) return null;
  const failing = Object.values(state.gates)
    .filter((gate) => gate.verdict === "fail" && gate.required)
    .map((gate) => gate.name);
  return hit(
    state,
    "disagreement",
    `The agent said ${count} times that all is done and was refused each time (threshold ${settings.brakes.disagreement}).`,
    failing.join(", ") || "open tasks",
    "Run the failing gate by hand. Either the gate asks for something the plan does not say, or the task needs more detail.",
  );
}

function noProgress(state: RunState, settings: Settings): BrakeHit | null {
  const count = state.brakes.noProgress;
  if (count < settings.brakes.noProgress) return null;
  return hit(
    state,
    "no_progress",
    `${count} iterations in a row brought no new tree, no proved task and no better gate result (threshold ${settings.brakes.noProgress}).`,
    state.brakes.lastTree,
    "Read the last iteration's stream (`ralphd logs --iteration N`). Usually the task is unclear, too large, or the agent may not do what it needs.",
  );
}

function hit(state: RunState, reason: StopReason, summary: string, signature: string, advice: string): BrakeHit {
  return { reason, summary, signature, lastActions: state.watch.last, advice };
}
