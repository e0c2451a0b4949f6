/** Every stop has one reason, says why, and the reason is true. */
import type { JournalEvent } from "../../src/core/journal-event.js";
import { countedTokens } from "../../src/core/usage.js";
import { statusOf, type StopReason } from "../../src/core/words.js";
import type { Act } from "./acts.js";
import { ENDING_ACTS } from "./acts.js";
import type { Character } from "./characters.js";
import type { Night } from "./night.js";
import { type Scenario, settingsOf } from "./scenario.js";

export function reasonProblems(plan: Scenario, night: Night, events: JournalEvent[]): string[] {
  const { stopped } = night.state;
  if (stopped === null) return ["no final status"];
  const wrong: string[] = [];
  const stops = events.flatMap((event, index) =>
    event.type === "run.stopped" ? [{ event, next: events.slice(index + 1).find((later) => later.type !== "warning") }] : [],
  );
  if (stops.length === 0) wrong.push("no final status in the journal");
  for (const { event, next } of stops) {
    if (statusOf(event.reason) !== event.status || event.summary === "") wrong.push(`status ${event.status} without its reason`);
    if (next !== undefined && next.type !== "run.resumed") wrong.push(`${next.type} follows the end`);
    if (next !== undefined && event.status !== "stopped" && event.reason !== "disk") wrong.push(`the run went on after ${event.status}`);
    if (event.status === "escalated" && !SELF_EXPLAINING.has(event.reason) && event.evidence.length === 0) wrong.push(`${event.reason} without evidence`);
    if (event.status === "stopped" && !night.disk.truth.acts.some((act) => ENDING_ACTS.includes(act))) wrong.push("stopped by a person, but nobody did");
  }
  const why = untrue(stopped.reason, plan, night);
  return why === null ? wrong : [...wrong, `${stopped.reason}: ${why}`];
}

/** Their summary is the evidence. */
const SELF_EXPLAINING: ReadonlySet<StopReason> = new Set(["plan_lost", "needs_human"]);

/** Why the reason can't be the true one; null when it may be. */
function untrue(reason: StopReason, plan: Scenario, { state, disk }: Night): string | null {
  const { limits } = settingsOf(plan);
  const used = (amount: number | null, limit: number | null): boolean => amount !== null && limit !== null && amount >= limit * 0.9;
  const did = (...kinds: Act["kind"][]): boolean => disk.truth.acts.some((act) => kinds.includes(act));
  const is = (...characters: Character[]): boolean => characters.includes(plan.character);
  switch (reason) {
    case "iterations":
      return state.spent >= plan.limits.iterations + state.granted.iterations ? null : `only ${state.spent} were spent`;
    case "tokens":
      return used(countedTokens(state.usage), limits.tokens) ? null : "they are not used up";
    case "cost":
      return used(state.usage.costMicroUsd, limits.costMicroUsd) ? null : "it is not used up";
    case "time":
      return used(state.activeMs, limits.timeMs) || is("limited") || plan.fallbacks > 0 ? null : "it is not used up";
    case "disk":
      return disk.truth.faults.includes("full") ? null : "there was room";
    case "tampering":
      return is("hostile", "testEditor", "planBreaker") ? null : "nobody tampered";
    case "auth":
      return is("loggedOut", "lockedOut") || plan.fallbacks > 0 ? null : "the agent was logged in";
    case "plan_lost":
      return is("hostile", "planBreaker") || did("edit") ? null : "the plan is there";
    case "gutter_signal":
      return is("blocked") ? null : "nobody asked for a person";
    case "internal":
    case "config":
    case "hidden_gate":
    case "low_confidence":
      return "that can't happen here";
    default:
      return null;
  }
}
