/** Brakes seen from outside: who is stuck is stopped within the thresholds, who progresses is never stopped for being stuck. */
import type { JournalEvent } from "../../src/core/journal-event.js";
import { NO_PROGRESS_CLASSES } from "../../src/core/class.js";
import type { StopReason } from "../../src/core/words.js";
import { PROGRESSING } from "./characters.js";
import type { Night } from "./night.js";
import { type Scenario, settingsOf } from "./scenario.js";

const STUCK: ReadonlySet<StopReason> = new Set([
  "gutter_command",
  "gutter_thrash",
  "gutter_signal",
  "no_progress",
  "oscillation",
  "disagreement",
  "tampering",
  "cannot_start_agent",
]);

export function stuckProblems(plan: Scenario, night: Night, events: JournalEvent[]): string[] {
  return [...standsStill(plan, events), ...repeatsFailures(plan, night, events), ...stopsProgress(plan, night)];
}

/** Iterations in a row that left the work where it had been before and proved nothing. */
function standsStill(plan: Scenario, events: JournalEvent[]): string[] {
  const { noProgress } = settingsOf(plan).brakes;
  const allowed = noProgress + (plan.stepBack ? 1 : 0);
  const seen = new Set<string>();
  let streak = 0;
  let proved = false;
  let cutOff = false;
  for (const event of events) {
    if (event.type === "run.started") seen.add(event.workTree);
    if (event.type === "task.parked") streak = 0;
    if (event.type === "agent.ended") cutOff = event.ending.exit.kind === "stopped" && event.ending.exit.cause === "budget";
    if (event.type === "task.proved" || event.type === "task.accepted") proved = true;
    if (event.type !== "iteration.ended") continue;
    const still = !seen.has(event.workTree) || proved || event.betterGates ? "moved" : NO_PROGRESS_CLASSES.has(event.class) && !cutOff ? "still" : "other";
    if (still === "moved") streak = 0;
    if (still === "still") streak += 1;
    if (streak > allowed) return [`${streak} iterations in a row stood still (threshold ${noProgress}), the last is ${event.iteration}`];
    seen.add(event.workTree);
    proved = false;
  }
  return [];
}

/** One command that fails again and again: what the driver forgot in a power cut, what a parked task answers, and what came before a proved one starts anew. */
function repeatsFailures(plan: Scenario, { disk, state }: Night, events: JournalEvent[]): string[] {
  const { count } = settingsOf(plan).brakes.gutterCommand;
  const proving = new Set(events.filter(({ type }) => type === "task.proved").map(({ iteration }) => iteration));
  const starts = 1 + proving.size + disk.truth.faults.filter((kind) => kind === "power").length + Object.keys(state.parked).length;
  let times = 0;
  let most = 0;
  for (const { command, ok } of disk.truth.commands) {
    if (command !== "npm run build") continue;
    times = ok ? 0 : times + 1;
    most = Math.max(most, times);
  }
  // One call may be on its way when the driver stops the agent.
  return most > starts * (count + 1) ? [`\`npm run build\` failed ${most} times before somebody stopped it (threshold ${count})`] : [];
}

function stopsProgress(plan: Scenario, { state, disk }: Night): string[] {
  const reason = state.stopped?.reason;
  // Parked or broken by people and the world, a task may be out of the agent's reach.
  const undisturbed =
    disk.truth.acts.every((act) => act !== "edit" && act !== "skip" && act !== "abort" && act !== "stop") &&
    disk.truth.faults.length === 0 &&
    plan.fallbacks === 0;
  if (reason === undefined || !PROGRESSING.has(plan.character) || !undisturbed) return [];
  // Gates that refuse at random what is done need a person, who is told of a disagreement.
  if (reason === "disagreement" && (plan.gates === "hanging" || plan.gates === "flaky")) return [];
  return STUCK.has(reason) || reason === "needs_human" ? [`an agent that progresses was stopped: ${reason}`] : [];
}
