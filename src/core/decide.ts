/** Says whether the loop goes on. Pure: no clock, no disk, no processes; the order of the rules is the policy. */
import { type BrakeHit, PARKABLE } from "./brakes/types.js";
import { progressHit } from "./brakes/between.js";
import { MAX_INFRASTRUCTURE, MAX_QUICK_EXITS, WRAP_UP_RESERVE } from "./defaults.js";
import { endingText } from "./ending-text.js";
import { type Resting, restAfterLast, switchNow, waitForAny } from "./fallback.js";
import type { IterationMode } from "./journal-event.js";
import { unpayable } from "./reserve.js";
import type { RunState } from "./run-state.js";
import type { Settings } from "./settings.js";
import { countedTokens } from "./usage.js";
import { waitAfterLast } from "./waits.js";
import type { StopReason, TaskCounts } from "./words.js";

/** The plan as the decision sees it. */
export type PlanView =
  | { kind: "tasks"; counts: TaskCounts; next: { id: string; text: string } | null }
  /** The run has an objective and no task list. */
  | { kind: "objective" }
  | { kind: "lost"; message: string };

export interface Snapshot {
  state: RunState;
  settings: Settings;
  plan: PlanView;
  head: string | null;
  nowMs: number;
  /** A person asked to stop after the running iteration. */
  finishing: boolean;
}

export type Decision =
  | { kind: "run"; mode: IterationMode; task: string | null }
  /** Check the run-level claim on the commit without an agent. */
  | { kind: "prove"; by: "tasks" | "marker" | "gates" }
  | { kind: "park"; task: string; question: string }
  | { kind: "wait"; untilMs: number; why: string }
  /** The agent must rest; `to` goes on, or nobody can. */
  | ({ kind: "rest" } & Resting)
  /** Another agent works from here on. */
  | { kind: "switch"; to: string; why: string }
  | { kind: "stop"; reason: StopReason; verified: boolean; summary: string; evidence: string[]; hit: BrakeHit | null };

export function decide(seen: Snapshot): Decision {
  // Success outranks every limit: a finished run that overspent is still finished.
  return (
    tampered(seen) ??
    success(seen) ??
    personStops(seen) ??
    brakeStops(seen) ??
    planStops(seen) ??
    agentRests(seen) ??
    agentStops(seen) ??
    waits(seen) ??
    limitStops(seen) ??
    otherAgent(seen) ?? { kind: "run", mode: nextMode(seen), task: nextTask(seen) }
  );
}

/** Where what is observed was attacked, no success rests on it. */
function tampered(seen: Snapshot): Decision | null {
  const hit = seen.state.hit ?? progressHit(seen.state, seen.settings);
  return hit?.reason === "tampering" ? brakeStops(seen) : null;
}

function success({ state, settings, plan, head }: Snapshot): Decision | null {
  if (state.proof !== null && state.proof.commit === head) {
    if (plan.kind === "tasks" && plan.counts.open > 0) return null;
    const reason = state.proof.by === "marker" ? "marker" : "all_tasks_checked";
    const verified = state.proof.gates.length > 0;
    if (!verified && settings.requireGate) {
      return stop("unverified", "Everything is ticked, but no gate exists that could have refused it.", [
        "Name a gate that can fail (`gates:` in the plan's front matter, or --gate CMD) and run again.",
      ]);
    }
    const summary = verified
      ? `No open task is left and ${state.proof.gates.length} required gate(s) passed on the final commit.`
      : "No open task is left. No gate exists, so nothing independent confirms it.";
    return { kind: "stop", reason, verified, summary, evidence: state.proof.gates.map((gate) => `gate ${gate}: pass`), hit: null };
  }
  const complete = plan.kind === "tasks" && isComplete(plan.counts);
  if (complete && state.refusedCommit !== head) return { kind: "prove", by: "tasks" };
  return null;
}

/** There are tasks and every one is done: nothing open, nothing left for a person. */
export function isComplete(counts: TaskCounts): boolean {
  return counts.done > 0 && counts.open + counts.manual + counts.blocked + counts.other === 0;
}

function personStops({ state, finishing }: Snapshot): Decision | null {
  if (state.stopRequested !== null) return stop("human", `Stopped by ${state.stopRequested.by}.`, []);
  return finishing ? stop("human", "Stopped by a person after the running iteration.", []) : null;
}

function brakeStops(seen: Snapshot): Decision | null {
  const { state, settings } = seen;
  const hit = state.hit ?? progressHit(state, settings);
  const task = state.records.at(-1)?.task ?? null;
  if (hit === null) return parkAfterAttempts(seen);
  if (settings.brakes.onStuck === "park" && task !== null && PARKABLE.has(hit.reason)) {
    return { kind: "park", task, question: hit.summary };
  }
  // A diagnosis is an iteration like any other: past a limit nothing starts.
  if (hit.reason === "no_progress" && settings.brakes.stepBack && !state.stepBackUsed && reachedLimit(seen, 1) === null) {
    return { kind: "run", mode: "stepBack", task };
  }
  return {
    kind: "stop",
    reason: hit.reason,
    verified: false,
    summary: hit.summary,
    evidence: [`signature: ${hit.signature}`, ...hit.lastActions.map((action) => `last action: ${action}`), hit.advice],
    hit,
  };
}

function parkAfterAttempts({ state, settings, plan }: Snapshot): Decision | null {
  if (plan.kind !== "tasks" || plan.next === null) return null;
  const { id } = plan.next;
  const attempts = state.brakes.attempts[id] ?? 0;
  if (attempts < settings.brakes.attempts) return null;
  return {
    kind: "park",
    task: id,
    question: `Tried ${state.records.filter((record) => record.task === id).length} times without proving it. What is missing, or is the task too large?`,
  };
}

function planStops({ plan, state }: Snapshot): Decision | null {
  if (plan.kind === "objective") return null;
  if (plan.kind === "lost") return stop("plan_lost", plan.message, []);
  if (plan.counts.open > 0) return null;
  // A complete plan that was neither proved nor is to be proved was refused on this commit: an agent has to mend it.
  if (isComplete(plan.counts)) return null;
  const textOf = (id: string): string => state.tasks.find((task) => task.id === id)?.text ?? id;
  const questions = Object.entries(state.parked).map(([task, question]) => `${textOf(task)}: ${question}`);
  const { manual, blocked, other } = plan.counts;
  return stop("needs_human", `No open task is left for the agent: ${manual} manual, ${blocked} blocked, ${other} other.`, questions);
}

function agentStops({ state }: Snapshot): Decision | null {
  const { brakes } = state;
  const last = state.records.at(-1);
  if (last === undefined) return null;
  const message = endingText(last.ending);
  if (brakes.authFailures > 0) return stop("auth", `The agent is not logged in any more: ${message}`, [message]);
  if (brakes.quickExits >= MAX_QUICK_EXITS) {
    return stop("cannot_start_agent", `The agent ended at once ${brakes.quickExits} times in a row: ${message}`, [message]);
  }
  if (brakes.infrastructure >= MAX_INFRASTRUCTURE) {
    return stop("cannot_start_agent", `${brakes.infrastructure} iterations in a row failed outside the work: ${message}`, [message]);
  }
  return null;
}

/** An agent that must rest while others may go on. */
function agentRests(seen: Snapshot): Decision | null {
  const resting = restAfterLast(seen);
  return resting === null ? null : { kind: "rest", ...resting };
}

function otherAgent(seen: Snapshot): Decision | null {
  const change = switchNow(seen);
  return change === null ? null : { kind: "switch", ...change };
}

function waits(seen: Snapshot): Decision | null {
  const { state, settings, nowMs } = seen;
  const all = waitForAny(seen);
  if (all === "never") return allRest(state);
  const wanted = state.waiting === null ? (all ?? waitAfterLast(state, settings, nowMs)) : restOf(state.waiting, nowMs);
  if (wanted === null) return null;
  if (state.waitedMs + (wanted.untilMs - nowMs) > settings.limits.limitWaitMs) {
    return stop("time", `Waiting any longer would exceed the leash on waiting: ${wanted.why}`, [wanted.why]);
  }
  return { kind: "wait", untilMs: wanted.untilMs, why: wanted.why };
}

/** A clock that was set back since then does not make a wait longer. */
function restOf({ untilMs, plannedMs, why }: NonNullable<RunState["waiting"]>, nowMs: number): { untilMs: number; why: string } {
  return { untilMs: Math.min(untilMs, nowMs + plannedMs), why };
}

function allRest({ resting }: RunState): Decision {
  const evidence = Object.entries(resting).map(([agent, { class: kind, why }]) => `${agent} (${kind}): ${why}`);
  const reason = Object.values(resting).some((rest) => rest.class === "auth") ? "auth" : "cannot_start_agent";
  return stop(reason, `No agent is left that could go on: ${evidence.join("; ")}`, evidence);
}

function limitStops(seen: Snapshot): Decision | null {
  const { state } = seen;
  const wrapped = state.records.at(-1)?.mode === "wrapUp";
  const full = reachedLimit(seen, 1);
  if (full !== null) {
    return stop(full.reason, `${full.text} is used up.${wrapped || full.reason === "iterations" ? "" : " Nothing was left for a wrap-up."}`, []);
  }
  const reserved = reachedLimit(seen, 1 - WRAP_UP_RESERVE);
  if (reserved === null) return null;
  if (wrapped) return stop(reserved.reason, `${reserved.text} is used up to the wrap-up's reserve.`, []);
  const left = seen.settings.once ? null : unpayable(seen);
  return left === null ? null : stop(reserved.reason, `${reserved.text} is nearly used up. The wrap-up was skipped: ${left} can't pay one.`, []);
}

/** The first limit of which this share is used up. */
function reachedLimit({ state, settings }: Snapshot, share: number): { reason: StopReason; text: string } | null {
  const { limits } = settings;
  const { granted } = state;
  const iterations = settings.once ? 1 : limits.iterations === null ? null : limits.iterations + granted.iterations;
  if (iterations !== null && state.spent >= iterations)
    return { reason: "iterations", text: `The limit of ${iterations} iteration${iterations === 1 ? "" : "s"}` };
  const tokens = countedTokens(state.usage);
  if (limits.tokens !== null && tokens !== null && tokens >= (limits.tokens + granted.tokens) * share) {
    return { reason: "tokens", text: `The limit of ${limits.tokens + granted.tokens} tokens` };
  }
  const cost = state.usage.costMicroUsd;
  if (limits.costMicroUsd !== null && cost !== null && cost >= (limits.costMicroUsd + granted.costMicroUsd) * share) {
    return { reason: "cost", text: `The limit of $${((limits.costMicroUsd + granted.costMicroUsd) / 1e6).toFixed(2)}` };
  }
  if (state.activeMs >= (limits.timeMs + granted.timeMs) * share) {
    return { reason: "time", text: `The limit of ${Math.round((limits.timeMs + granted.timeMs) / 60_000)} minutes` };
  }
  return null;
}

function nextMode(seen: Snapshot): IterationMode {
  const { state, settings } = seen;
  const { iterations } = settings.limits;
  // A single allowed iteration is for work: a wrap-up of nothing helps nobody.
  const last = iterations !== null && iterations > 1 && state.spent + 1 >= iterations + state.granted.iterations;
  return (last || reachedLimit(seen, 1 - WRAP_UP_RESERVE) !== null) && !settings.once ? "wrapUp" : "work";
}

function nextTask({ plan }: Snapshot): string | null {
  return plan.kind === "tasks" ? (plan.next?.id ?? null) : null;
}

function stop(reason: StopReason, summary: string, evidence: string[]): Decision {
  return { kind: "stop", reason, verified: false, summary, evidence, hit: null };
}
