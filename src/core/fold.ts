/** Builds the run state from journal events. Pure; the same events always give the same state. */
import { countIteration, startCounters } from "./brakes/counters.js";
import { EMPTY_WATCH } from "./brakes/watch-state.js";
import { UNSPENT_CLASSES } from "./class.js";
import { applyFact } from "./fold-facts.js";
import type { JournalEvent } from "./journal-event.js";
import type { Leftovers } from "./kept-process.js";
import { NO_CLAIMS } from "./journal-event.js";
import type { IterationRecord, RunState } from "./run-state.js";
import { countedTokens, mergeUsage, UNKNOWN_USAGE } from "./usage.js";

/** Records kept in memory; totals are folded, so older ones only matter to the report's table. */
const MAX_RECORDS = 200;

export function foldAll(events: readonly JournalEvent[]): RunState | null {
  let state: RunState | null = null;
  for (const event of events) state = fold(state, event);
  return state;
}

/** Folds one event in. The state is changed in place and returned: it is owned by its reader. */
export function fold(state: RunState | null, event: JournalEvent): RunState | null {
  if (event.type === "run.started") return initialState(event);
  if (state === null) return null;
  apply(state, event);
  return state;
}

function initialState(event: Extract<JournalEvent, { type: "run.started" }>): RunState {
  return {
    run: event.run,
    startedAt: event.at,
    started: event,
    stopped: null,
    iteration: 0,
    spent: 0,
    open: null,
    records: [],
    usage: UNKNOWN_USAGE,
    unknownTokens: 0,
    unknownCost: 0,
    leftovers: { ended: 0, kept: 0, uncounted: 0 },
    activeMs: 0,
    waitedMs: 0,
    granted: { iterations: 0, tokens: 0, costMicroUsd: 0, timeMs: 0 },
    tasks: [...event.tasks],
    proved: {},
    parked: {},
    gates: {},
    baseline: {},
    watch: EMPTY_WATCH,
    brakes: startCounters(event.workTree),
    hit: null,
    waiting: null,
    agent: event.agent,
    resting: {},
    switches: [],
    paused: false,
    requests: [],
    stopRequested: null,
    feedback: [],
    restored: [],
    lastCommit: event.baseHead,
    lastTree: event.baseTree,
    commits: 0,
    signs: [],
    untouched: [...event.untouched],
    excluded: [],
    saved: [],
    warnings: [],
    proof: null,
    refusedCommit: undefined,
    waitedAfter: 0,
    stepBackUsed: false,
  };
}

function apply(state: RunState, event: JournalEvent): void {
  switch (event.type) {
    case "run.resumed":
      state.stopped = null;
      state.stopRequested = null;
      return;
    case "iteration.started":
      startIteration(state, event);
      return;
    case "agent.ended":
      if (state.open === null) return;
      Object.assign(state.open, {
        phase: "ended",
        ending: event.ending,
        usage: event.usage,
        claims: event.claims,
        finalText: event.finalText,
        signs: event.signs,
        warned: event.warned ?? null,
        leftovers: event.leftovers ?? null,
      });
      state.watch = event.watch;
      if (event.claims.nearMiss !== null) state.feedback.push({ kind: "nearMiss", line: event.claims.nearMiss });
      return;
    case "iteration.judged":
      if (state.open !== null) Object.assign(state.open, { phase: "judged", judged: event });
      return;
    case "commit.created":
      state.lastCommit = event.commit;
      state.lastTree = event.tree;
      state.commits += 1;
      if (state.open !== null) Object.assign(state.open, { phase: "committed", commit: event.commit });
      return;
    case "iteration.ended":
      endIteration(state, event);
      return;
    case "run.stopped":
      state.stopped = {
        status: event.status,
        reason: event.reason,
        verified: event.verified,
        summary: event.summary,
        evidence: event.evidence,
        at: event.at,
      };
      return;
    default:
      applyFact(state, event);
  }
}

function startIteration(state: RunState, event: Extract<JournalEvent, { type: "iteration.started" }>): void {
  state.iteration = event.iteration;
  const carried = state.feedback;
  state.feedback = [];
  state.open = {
    number: event.iteration,
    agent: event.agent ?? state.agent,
    mode: event.mode,
    task: event.task,
    head: event.head,
    tree: event.tree,
    startedAtMs: Date.parse(event.at),
    phase: "started",
    ending: null,
    usage: null,
    claims: NO_CLAIMS,
    finalText: null,
    signs: [],
    warned: null,
    leftovers: null,
    judged: null,
    commit: null,
    ticked: null,
    unticked: [],
    restoredFrozen: 0,
    restoredCompared: 0,
    proved: [],
    accepted: [],
    refused: false,
    carried,
  };
  if (event.mode === "stepBack") state.stepBackUsed = true;
}

function endIteration(state: RunState, event: Extract<JournalEvent, { type: "iteration.ended" }>): void {
  const open = state.open;
  if (open === null || open.ending === null) return;
  const record: IterationRecord = {
    number: open.number,
    agent: open.agent,
    mode: open.mode,
    task: open.task,
    class: event.class,
    ending: open.ending,
    warned: open.warned,
    leftovers: open.leftovers,
    usage: event.usage,
    files: event.files,
    commit: open.commit,
    proved: [...open.proved, ...open.accepted],
    activeMs: event.activeMs,
    endedAt: event.at,
  };
  state.records.push(record);
  if (state.records.length > MAX_RECORDS) state.records.shift();
  for (const task of [...open.proved, ...open.accepted]) {
    const proof = state.proved[task];
    if (proof !== undefined) proof.commit = open.commit;
  }
  state.usage = mergeUsage(state.usage, event.usage);
  if (countedTokens(event.usage) === null) state.unknownTokens += 1;
  if (event.usage.costMicroUsd === null) state.unknownCost += 1;
  countLeftovers(state, open.leftovers);
  state.activeMs += event.activeMs;
  if (!UNSPENT_CLASSES.has(event.class)) state.spent += 1;
  countIteration(state.brakes, {
    ...event,
    ending: open.ending,
    task: open.task,
    proved: open.proved.length,
    accepted: open.accepted.length,
    refused: open.refused,
    restoredFrozen: open.restoredFrozen,
    restoredCompared: open.restoredCompared,
    failing: failingNames(state),
  });
  // Whoever never got to work has not answered what it was told.
  if (UNSPENT_CLASSES.has(event.class) || event.class === "killed") state.feedback = [...open.carried, ...state.feedback];
  state.open = null;
}

function countLeftovers({ leftovers }: RunState, left: Leftovers | null): void {
  if (left === null) leftovers.uncounted += 1;
  leftovers.ended += left?.ended ?? 0;
  leftovers.kept += left?.kept ?? 0;
}

/**
 * Names of all checks that fail at the latest verdicts; gates without names count by their own name. A verdict of a clean
 * worktree says nothing about the working tree: the next pass there would look like progress for ever.
 */
function failingNames(state: RunState): string[] {
  const names: string[] = [];
  for (const result of Object.values(state.gates)) {
    if (result.verdict === "pass" || result.moment === "proof") continue;
    if (result.failing.length === 0) names.push(result.name);
    else for (const failing of result.failing) names.push(`${result.name}: ${failing}`);
  }
  return names.sort();
}
