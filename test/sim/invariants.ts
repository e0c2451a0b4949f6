/** What must hold of every night, whatever the agent did and wherever the driver died. */
import { agentLabel, agentsOf } from "../../src/core/agent-list.js";
import { isComplete } from "../../src/core/decide.js";
import { fold } from "../../src/core/fold.js";
import type { JournalEvent } from "../../src/core/journal-event.js";
import { parsePlan } from "../../src/core/plan/parse.js";
import { taskCounts } from "../../src/core/plan/tick.js";
import type { RunState } from "../../src/core/run-state.js";
import { countedTokens } from "../../src/core/usage.js";
import { statusOf } from "../../src/core/words.js";
import { type Night, passes, type Scenario } from "./night.js";

/** Sentences that name what is broken; empty when all holds. */
export function violations(plan: Scenario, night: Night): string[] {
  const events = night.disk.journal.map((line) => JSON.parse(line) as JournalEvent);
  return [...startsWithinLimits(plan, events), ...countsOnce(events), ...losesNoCommit(night, events), ...doneIsProved(plan, night), ...hasOneReason(night, events), ...asksNobodyWhoRests(plan, events)];
}

function startsWithinLimits(plan: Scenario, events: JournalEvent[]): string[] {
  const { limits } = plan.settings;
  let state: RunState | null = null;
  const wrong: string[] = [];
  for (const event of events) {
    if (event.type === "iteration.started" && state !== null) {
      if (limits.iterations !== null && state.spent >= limits.iterations) wrong.push(`iteration ${event.iteration} starts with ${state.spent} spent`);
      if (limits.tokens !== null && (countedTokens(state.usage) ?? 0) >= limits.tokens) wrong.push(`iteration ${event.iteration} starts beyond the token limit`);
      if (limits.costMicroUsd !== null && (state.usage.costMicroUsd ?? 0) >= limits.costMicroUsd) wrong.push(`iteration ${event.iteration} starts beyond the cost limit`);
      if (state.activeMs >= limits.timeMs) wrong.push(`iteration ${event.iteration} starts beyond the time limit`);
    }
    state = fold(state, event);
  }
  return wrong;
}

function countsOnce(events: JournalEvent[]): string[] {
  const wrong: string[] = [];
  const numbers = (type: JournalEvent["type"]): number[] => events.filter((event) => event.type === type).map((event) => event.iteration);
  for (const type of ["iteration.started", "agent.ended", "iteration.ended"] as const) {
    const seen = numbers(type);
    if (new Set(seen).size !== seen.length) wrong.push(`${type} twice for one iteration: ${seen.join(" ")}`);
  }
  if (numbers("iteration.started").length !== numbers("iteration.ended").length) wrong.push("an iteration was started and never ended");
  const commits = numbers("commit.created").filter((iteration) => iteration > 0);
  if (new Set(commits).size !== commits.length) wrong.push(`two commits for one iteration: ${commits.join(" ")}`);
  return wrong;
}

function losesNoCommit(night: Night, events: JournalEvent[]): string[] {
  const { disk } = night;
  const reachable = new Set([...disk.refs.values()].flatMap((commit) => disk.history(commit)));
  const lost = events.flatMap((event) => (event.type === "commit.created" && !reachable.has(event.commit) ? [event.commit] : []));
  const messages = disk.history(disk.head()).map((id) => disk.commits.get(id)?.message ?? "");
  const numbers = messages.flatMap((message) => /Ralphd-Iteration: (\d+)/.exec(message)?.[1] ?? []);
  const doubled = numbers.length !== new Set(numbers).size ? [`an iteration stands twice on the branch: ${numbers.join(" ")}`] : [];
  return [...lost.map((commit) => `commit ${commit} is lost`), ...doubled];
}

function doneIsProved(plan: Scenario, night: Night): string[] {
  if (night.state.stopped?.status !== "done") return [];
  const tree = night.disk.treeOf(night.disk.head());
  const wrong = plan.settings.gates.filter((gate) => !passes(gate.name, tree, plan.tasks)).map((gate) => `done, but ${gate.name} fails on the final commit`);
  const reading = parsePlan(tree.get("PLAN.md") ?? "", { path: "PLAN.md", sections: null });
  if (reading.kind !== "plan" || !isComplete(taskCounts(reading.plan, new Set()))) wrong.push("done, but tasks are open in the final commit");
  if (night.state.stopped.verified !== plan.gated) wrong.push(`verified is ${night.state.stopped.verified} with gates: ${plan.gated}`);
  return wrong;
}

/** An iteration is made by the first agent that is free; what rests is not asked before its time. */
function asksNobodyWhoRests(plan: Scenario, events: JournalEvent[]): string[] {
  const labels = agentsOf(plan.settings).map(agentLabel);
  let state: RunState | null = null;
  const wrong: string[] = [];
  for (const event of events) {
    if (event.type === "iteration.started" && state !== null) {
      const { resting } = state;
      const isFree = (label: string): boolean => resting[label] === undefined || (resting[label].untilMs ?? Number.POSITIVE_INFINITY) <= Date.parse(event.at);
      if (event.agent !== labels.find(isFree)) wrong.push(`iteration ${event.iteration} is made by ${event.agent}, ${labels.find(isFree) ?? "nobody"} is free first`);
    }
    state = fold(state, event);
  }
  return wrong;
}

function hasOneReason(night: Night, events: JournalEvent[]): string[] {
  const stops = events.filter((event) => event.type === "run.stopped");
  const { stopped } = night.state;
  if (stops.length !== 1 || stopped === null) return [`${stops.length} final statuses`];
  return statusOf(stopped.reason) === stopped.status && stopped.summary !== "" ? [] : ["a status without its reason"];
}
