/**
 * Which agent works next, where `fallback` names others: one that must rest steps back, the next free one goes on, and
 * the first comes back when its time has passed. Pure; all it knows is folded from the journal.
 */
import { agentLabel, agentsOf } from "./agent-list.js";
import { MAX_INFRASTRUCTURE, MAX_QUICK_EXITS } from "./defaults.js";
import { endingText } from "./ending-text.js";
import type { RestClass } from "./journal-event.js";
import type { Rest, RunState } from "./run-state.js";
import { isOver } from "./resting.js";
import type { Settings } from "./settings.js";
import { type Wait, waitAfterLast } from "./waits.js";

export interface AgentFacts {
  state: RunState;
  settings: Settings;
  nowMs: number;
}

export interface Resting extends Rest {
  agent: string;
  /** Who goes on meanwhile; null when every agent rests. */
  to: string | null;
}

/** Whether the agent of the last iteration must rest, and who goes on; null where it may try again itself. */
export function restAfterLast(facts: AgentFacts): Resting | null {
  const rest = restOf(facts);
  if (rest === null) return null;
  const agent = facts.state.agent;
  return { agent, ...rest, to: free(facts).find((label) => label !== agent) ?? null };
}

function restOf({ state, settings, nowMs }: AgentFacts): Rest | null {
  const last = state.records.at(-1);
  if (settings.fallback.length === 0 || last === undefined || last.agent !== state.agent || state.waitedAfter === last.number) return null;
  const lasting = lastingTrouble(state);
  if (lasting !== null) return { class: lasting, untilMs: null, why: endingText(last.ending) };
  const wait = last.class === "waiting" ? null : waitAfterLast(state, settings, nowMs);
  if (wait === null || wait.untilMs - nowMs <= settings.limits.fallbackAfterMs) return null;
  return { class: passingTrouble(last.ending.limit?.kind ?? last.ending.error?.kind), ...wait };
}

/** What no waiting mends: only a person can. */
function lastingTrouble({ brakes, records }: RunState): RestClass | null {
  const last = records.at(-1);
  if (brakes.authFailures > 0) return "auth";
  if (last?.class === "infrastructure" && last.ending.error?.kind === "model") return "model";
  if (brakes.quickExits >= MAX_QUICK_EXITS) return "start";
  return brakes.infrastructure >= MAX_INFRASTRUCTURE ? "infrastructure" : null;
}

const PASSING: readonly RestClass[] = ["throttle", "overload", "account", "credit"];

function passingTrouble(kind: string | undefined): RestClass {
  return PASSING.find((known) => known === kind) ?? "infrastructure";
}

/** Another agent that should work now instead of the current one; null when the current one is right. */
export function switchNow(facts: AgentFacts): { to: string; why: string } | null {
  const { state, settings, nowMs } = facts;
  const [best] = free(facts);
  if (settings.fallback.length === 0 || best === undefined || best === state.agent) return null;
  const own = state.resting[state.agent];
  const rests = own !== undefined && !isOver(own, nowMs);
  return { to: best, why: rests ? own.why : `${best} may be tried again` };
}

/** The wait until the first of them is free, where all must rest; `never` when only a person can help. */
export function waitForAny(facts: AgentFacts): Wait | "never" | null {
  const { state, settings } = facts;
  if (settings.fallback.length === 0 || free(facts).length > 0) return null;
  const why = Object.entries(state.resting)
    .map(([agent, rest]) => `${agent}: ${rest.why}`)
    .join("; ");
  const times = Object.values(state.resting).flatMap(({ untilMs }) => (untilMs === null ? [] : [untilMs]));
  return times.length === 0 ? "never" : { untilMs: Math.min(...times), why };
}

/** In the order in which they are tried. */
function free({ state, settings, nowMs }: AgentFacts): string[] {
  return agentsOf(settings)
    .map(agentLabel)
    .filter((label) => {
      const rest = state.resting[label];
      return rest === undefined || isOver(rest, nowMs);
    });
}
