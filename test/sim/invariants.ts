/** What must hold of every night, whatever the agent did, people wanted and the world broke. Sentences that name what is broken; empty when all holds. */
import { agentLabel, agentsOf } from "../../src/core/agent-list.js";
import { isComplete } from "../../src/core/decide.js";
import { fold } from "../../src/core/fold.js";
import type { JournalEvent } from "../../src/core/journal-event.js";
import { parsePlan } from "../../src/core/plan/parse.js";
import { taskCounts } from "../../src/core/plan/tick.js";
import type { RunState } from "../../src/core/run-state.js";
import { countedTokens } from "../../src/core/usage.js";
import { ENDING_ACTS } from "./acts.js";
import type { Disk } from "./disk.js";
import { passes } from "./gates.js";
import type { Night } from "./night.js";
import { reasonProblems } from "./reasons.js";
import { type Scenario, settingsOf } from "./scenario.js";
import { stuckProblems } from "./stuck.js";

/** Of a whole night. */
export function violations(plan: Scenario, night: Night): string[] {
  const events = night.disk.journal.map((line) => JSON.parse(line) as JournalEvent);
  return [
    ...startsWithinLimits(plan, events),
    ...spendsWithinLimits(plan, night),
    ...countsOnce(events),
    ...asksNobodyWhoRests(plan, events),
    ...stepProblems(plan, night.disk),
    ...keepsWork(plan, night.disk),
    ...hearsPeople(night.disk, events),
    ...doneIsProved(plan, night),
    ...reasonProblems(plan, night, events),
    ...stuckProblems(plan, night, events),
  ];
}

/** At every moment. */
export function stepProblems(plan: Scenario, disk: Disk): string[] {
  const wrong: string[] = [];
  if (plan.dirty && disk.work.get("local.env") !== "mine\n") wrong.push("a file of the user's changed or is gone");
  if (disk.work.get("README.md") !== "sim\n") wrong.push("README.md changed or is gone");
  const reachable = disk.reachable();
  for (const line of disk.journal) {
    if (!line.startsWith('{"type":"commit.created"')) continue;
    const { commit } = JSON.parse(line) as { commit: string };
    if (!reachable.has(commit)) wrong.push(`commit ${commit} is lost`);
  }
  for (const id of reachable) {
    const ours = disk.commits.get(id)?.message.includes("Ralphd-Run:") === true;
    const parent = disk.commits.get(id)?.parent ?? null;
    if (ours && disk.treeOf(id).has("local.env") && !disk.treeOf(parent).has("local.env")) wrong.push(`commit ${id} took a file of the user's`);
  }
  return wrong;
}

function startsWithinLimits(plan: Scenario, events: JournalEvent[]): string[] {
  const { limits } = settingsOf(plan);
  let state: RunState | null = null;
  const wrong: string[] = [];
  for (const event of events) {
    if (event.type === "iteration.started" && state !== null) {
      const { granted } = state;
      if (limits.iterations !== null && state.spent >= limits.iterations + granted.iterations)
        wrong.push(`iteration ${event.iteration} starts with ${state.spent} spent`);
      if (limits.tokens !== null && (countedTokens(state.usage) ?? 0) >= limits.tokens)
        wrong.push(`iteration ${event.iteration} starts beyond the token limit`);
      if (limits.costMicroUsd !== null && (state.usage.costMicroUsd ?? 0) >= limits.costMicroUsd)
        wrong.push(`iteration ${event.iteration} starts beyond the cost limit`);
      if (state.activeMs >= limits.timeMs) wrong.push(`iteration ${event.iteration} starts beyond the time limit`);
      if (state.stopped !== null) wrong.push(`iteration ${event.iteration} starts after the end`);
    }
    state = fold(state, event);
  }
  return wrong;
}

/** Calls that really were made, not those that the journal knows of: at most one after a limit was reached. What a power cut made nobody know is allowed again. */
function spendsWithinLimits({ limits }: Scenario, { disk }: Night): string[] {
  const wrong: string[] = [];
  for (const [limit, unit, key] of [
    [limits.tokens, "tokens", "tokens"],
    [limits.costMicroUsd, "micro-dollars", "costMicroUsd"],
  ] as const) {
    if (limit === null) continue;
    let total = 0;
    const past = disk.truth.calls.filter((call) => {
      const over = total >= limit;
      if (!call.lost) total += call[key];
      return over;
    });
    if (past.length > 1) wrong.push(`${past.length} calls after the limit of ${limit} ${unit} was reached`);
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
  const broken = events.some((event) => event.type === "run.stopped" && event.status === "failed");
  if (!broken && numbers("iteration.started").length !== numbers("iteration.ended").length) wrong.push("an iteration was started and never ended");
  const commits = numbers("commit.created").filter((iteration) => iteration > 0);
  if (new Set(commits).size !== commits.length) wrong.push(`two commits for one iteration: ${commits.join(" ")}`);
  const waits = events.flatMap((event) => (event.type === "wait.ended" && event.waitedMs < 0 ? [event.waitedMs] : []));
  if (waits.length > 0) wrong.push(`waits of less than nothing: ${waits.join(" ")} ms`);
  return wrong;
}

/** An iteration is made by the first agent that is free; what rests is not asked before its time. */
function asksNobodyWhoRests(plan: Scenario, events: JournalEvent[]): string[] {
  const labels = agentsOf(settingsOf(plan)).map(agentLabel);
  let state: RunState | null = null;
  const wrong: string[] = [];
  let beforeMs = 0;
  for (const event of events) {
    const atMs = Date.parse(event.at);
    if (event.type === "iteration.started" && state !== null) {
      const { resting } = state;
      const firstFree = (nowMs: number): string | undefined =>
        labels.find((label) => resting[label] === undefined || (resting[label].untilMs ?? Number.POSITIVE_INFINITY) <= nowMs);
      // It was decided at some time since the event before; the clock can have been set in between.
      if (event.agent !== firstFree(atMs) && event.agent !== firstFree(beforeMs))
        wrong.push(`iteration ${event.iteration} is made by ${event.agent}, ${firstFree(atMs) ?? "nobody"} is free first`);
    }
    state = fold(state, event);
    beforeMs = atMs;
  }
  return wrong;
}

/** What an agent left when it was gone is in a commit, in the tree, or kept beside the run's record. */
function keepsWork({ character }: Scenario, disk: Disk): string[] {
  const wrong: string[] = [];
  const trees = [...disk.reachable()].map((id) => disk.treeOf(id));
  const kept = new Set(disk.runFiles.values());
  // A child of the agent's own may write over what the agent left.
  for (const { path, content } of character === "forker" ? [] : disk.truth.left.values()) {
    const found = disk.work.get(path) === content || kept.has(content) || trees.some((tree) => tree.get(path) === content);
    if (!found) wrong.push(`the agent's ${path} (${JSON.stringify(content.slice(0, 40))}) is nowhere any more`);
  }
  const messages = disk.history(disk.refs.get("refs/heads/ralph/sim") ?? null).map((id) => disk.commits.get(id)?.message ?? "");
  // A run that was stopped before its first iteration may begin with two commits of its own.
  const numbers = messages.flatMap((message) => /Ralphd-Iteration: (\d+)/.exec(message)?.[1] ?? []).filter((number) => number !== "0");
  if (numbers.length !== new Set(numbers).size) wrong.push(`an iteration stands twice on the branch: ${numbers.join(" ")}`);
  return wrong;
}

/** What a person wrote or said is somewhere; a note is shown to the next agent. */
function hearsPeople(disk: Disk, events: JournalEvent[]): string[] {
  const wrong: string[] = [];
  const texts = [...disk.work.values(), ...disk.runFiles.values(), ...[...disk.reachable()].flatMap((id) => [...disk.treeOf(id).values()])].join("\n");
  for (const text of disk.truth.written) if (!texts.includes(text)) wrong.push(`what a person wrote into the plan is lost: ${text}`);
  for (const text of disk.truth.frozen)
    if (!isNamed(text, disk, events)) wrong.push(`what a person wrote into a frozen file is nowhere, or nobody is told where: ${text}`);
  for (const note of disk.truth.notes) {
    const heard = events.findIndex((event) => event.type === "note.added" && event.text === note);
    if (heard < 0) wrong.push(`a note is lost: ${note}`);
    if (events.filter((event) => event.type === "note.added" && event.text === note).length > 1) wrong.push(`a note counts twice: ${note}`);
    const started = events.slice(heard).find((event) => event.type === "iteration.started");
    const prompt = started === undefined ? undefined : disk.runFiles.get(`iterations/${String(started.iteration).padStart(4, "0")}/prompt.md`);
    if (prompt !== undefined && !prompt.includes(note)) wrong.push(`a note was not shown to the next agent: ${note}`);
  }
  const granted = events.reduce((sum, event) => sum + (event.type === "limits.raised" ? event.iterations : 0), 0);
  if (granted !== disk.truth.granted) wrong.push(`people added ${disk.truth.granted} iterations, the journal ${granted}`);
  return wrong;
}

/** Still in its file, or kept where an event says; also where an agent that wrote over it shows it. */
function isNamed(text: string, disk: Disk, events: JournalEvent[]): boolean {
  if (disk.work.get(".ralph/config.yaml")?.includes(text) === true) return true;
  const kept = events.flatMap((event) => ((event.type === "plan.edited" || event.type === "path.restored") && event.keptAs !== null ? [event.keptAs] : []));
  return kept.some((path) => disk.runFiles.get(path)?.includes(text) === true);
}

function doneIsProved(plan: Scenario, { disk, state }: Night): string[] {
  if (state.stopped?.status !== "done") return [];
  const tree = disk.treeOf(disk.head());
  const { gates } = settingsOf(plan);
  const wrong = gates.filter((gate) => !passes(gate.name, tree, plan.tasks)).map((gate) => `done, but ${gate.name} fails on the final commit`);
  const reading = parsePlan(tree.get("PLAN.md") ?? "", { path: "PLAN.md", sections: null });
  if (reading.kind !== "plan" || !isComplete(taskCounts(reading.plan, new Set()))) wrong.push("done, but tasks are open in the final commit");
  if (state.stopped.verified !== gates.length > 0) wrong.push(`verified is ${state.stopped.verified} with ${gates.length} gates`);
  if (disk.branch !== "ralph/sim") wrong.push(`done, but HEAD stands on ${disk.branch ?? "no branch"}`);
  return wrong;
}

/** Whether a crash may change how a night ends: not where people do what only one process hears. */
export function isRepeatable(plan: Scenario): boolean {
  // What a leftover child does depends on the moment.
  return plan.character !== "forker" && plan.faults.length === 0 && plan.acts.every((act) => !ENDING_ACTS.includes(act.kind) && act.kind !== "pause");
}
