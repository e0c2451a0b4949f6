/** Builds the run state from journal events. Pure; the same events always give the same state. */
import { NO_PROGRESS_CLASSES, UNSPENT_CLASSES } from "./class.js";
import { EMPTY_WATCH } from "./brakes/watch.js";
import { QUICK_EXIT_MS } from "./defaults.js";
import type { JournalEvent } from "./journal-event.js";
import { NO_CLAIMS } from "./journal-event.js";
import type { IterationRecord, OpenIteration, RunState } from "./run-state.js";
import { countedTokens, mergeUsage, UNKNOWN_USAGE } from "./usage.js";

/** Records kept in memory; totals are folded, so older ones only matter to the report's table. */
const MAX_RECORDS = 200;
const MAX_LISTED = 200;

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
    activeMs: 0,
    waitedMs: 0,
    granted: { iterations: 0, tokens: 0, costMicroUsd: 0, timeMs: 0 },
    tasks: [...event.tasks],
    proved: {},
    parked: {},
    gates: {},
    baseline: {},
    watch: EMPTY_WATCH,
    brakes: {
      noProgress: 0,
      trees: { [event.workTree]: 0 },
      lastTree: event.workTree,
      attempts: {},
      disagreement: 0,
      frozenTouches: 0,
      comparedStreak: 0,
      quickExits: 0,
      infrastructure: 0,
      authFailures: 0,
      failing: null,
    },
    hit: null,
    waiting: null,
    paused: false,
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

function applyFact(state: RunState, event: JournalEvent): void {
  switch (event.type) {
    case "claims.taken":
      if (state.open !== null) state.open.ticked = event.ticked;
      return;
    case "plan.restored":
      for (const what of event.what) {
        state.feedback.push({ kind: "plan", what });
        pushBounded(state.restored, { iteration: event.iteration, path: state.started.plan ?? "plan", rule: "plan", why: what, keptAs: null });
      }
      if (event.frozen && state.open !== null) state.open.restoredFrozen += 1;
      return;
    case "path.restored":
      state.feedback.push({ kind: "restored", path: event.path, why: event.why });
      pushBounded(state.restored, { iteration: event.iteration, path: event.path, rule: event.rule, why: event.why, keptAs: event.keptAs });
      if (state.open !== null) state.open[event.rule === "frozen" ? "restoredFrozen" : "restoredCompared"] += 1;
      return;
    case "task.unticked":
      state.feedback.push({ kind: "unticked", task: event.task, why: event.why });
      delete state.proved[event.task];
      state.open?.unticked.push(event.task);
      return;
    case "task.proved":
      state.proved[event.task] = { iteration: event.iteration, gates: event.gates, changed: true, commit: null };
      state.open?.proved.push(event.task);
      return;
    case "task.accepted":
      state.proved[event.task] = { iteration: event.iteration, gates: [], changed: event.changed, commit: null };
      state.open?.accepted.push(event.task);
      return;
    case "task.added":
      state.tasks.push(event.task);
      return;
    case "task.parked":
      state.parked[event.task] = event.question;
      delete state.brakes.attempts[event.task];
      state.brakes.noProgress = 0;
      state.watch = EMPTY_WATCH;
      // With the task gone from the way, what it tripped is answered.
      state.hit = null;
      return;
    case "gate.verdict":
      state.gates[event.result.name] = event.result;
      if (event.at_ === "baseline") state.baseline[event.result.name] = event.result;
      else if (event.result.verdict === "fail") {
        const { name, reason, detail, outputPath } = event.result;
        state.feedback.push({ kind: "gate", name, reason, detail, outputPath });
      }
      return;
    case "run.proved":
      state.proof = { commit: event.commit, by: event.by, gates: event.gates, clean: event.clean };
      return;
    case "run.refused":
      state.refusedCommit = event.commit;
      state.proof = null;
      if (event.claimed) {
        state.brakes.disagreement += 1;
        // Whoever claims the end again must know why it was refused; a gate's own failure is told beside it.
        state.feedback.push({ kind: "ending", text: `The claim that everything is finished was checked and refused: ${event.why}.` });
      }
      return;
    default:
      applyControl(state, event);
  }
}

function applyControl(state: RunState, event: JournalEvent): void {
  switch (event.type) {
    case "brake.hit":
      // The first hit stands: no later signal may talk over what ended the run.
      state.hit ??= event.hit;
      return;
    case "commit.refused":
      state.feedback.push({ kind: "hook", output: event.output });
      return;
    case "work.saved":
      pushBounded(state.saved, { ref: event.ref, commit: event.commit, why: event.why });
      return;
    case "tree.excluded":
      for (const item of event.paths) {
        if (state.excluded.some((known) => known.path === item.path)) continue;
        pushBounded(state.excluded, item);
        state.feedback.push({ kind: "excluded", ...item });
      }
      return;
    case "gate.sideEffects":
      state.untouched = [...new Set([...state.untouched, ...event.paths])];
      return;
    case "sign.drafted":
      pushBounded(state.signs, { trigger: event.sign.trigger, path: event.path, iteration: event.iteration });
      return;
    case "wait.started":
      state.waiting = { untilMs: event.untilMs, why: event.why };
      return;
    case "wait.ended":
      state.waiting = null;
      state.waitedMs += event.waitedMs;
      state.waitedAfter = state.iteration;
      return;
    case "note.added":
      state.feedback.push({ kind: "note", text: event.text });
      return;
    case "limits.raised":
      for (const key of ["iterations", "tokens", "costMicroUsd", "timeMs"] as const) state.granted[key] += event[key];
      return;
    case "run.paused":
      state.paused = true;
      return;
    case "run.unpaused":
      state.paused = false;
      return;
    case "control.requested":
      if (event.request === "stop") state.stopRequested ??= { by: event.by, now: event.detail === "now" };
      return;
    case "warning":
      pushBounded(state.warnings, event.message);
      return;
    case "repo.moved":
      pushBounded(state.warnings, event.what);
      return;
    default:
  }
}

function startIteration(state: RunState, event: Extract<JournalEvent, { type: "iteration.started" }>): void {
  state.iteration = event.iteration;
  const carried = state.feedback;
  state.feedback = [];
  state.open = {
    number: event.iteration,
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
    judged: null,
    commit: null,
    ticked: null,
    unticked: [],
    restoredFrozen: 0,
    restoredCompared: 0,
    proved: [],
    accepted: [],
    carried,
  };
  if (event.mode === "stepBack") state.stepBackUsed = true;
}

function endIteration(state: RunState, event: Extract<JournalEvent, { type: "iteration.ended" }>): void {
  const open = state.open;
  if (open === null || open.ending === null) return;
  const record: IterationRecord = {
    number: open.number,
    mode: open.mode,
    task: open.task,
    class: event.class,
    ending: open.ending,
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
  state.activeMs += event.activeMs;
  if (!UNSPENT_CLASSES.has(event.class)) state.spent += 1;
  countForBrakes(state, open, event);
  // Whoever never got to work has not answered what it was told.
  if (UNSPENT_CLASSES.has(event.class) || event.class === "killed") state.feedback = [...open.carried, ...state.feedback];
  state.open = null;
}

function countForBrakes(state: RunState, open: OpenIteration, event: Extract<JournalEvent, { type: "iteration.ended" }>): void {
  const brakes = state.brakes;
  const proved = open.proved.length > 0;
  const progressed = event.newTree || proved || event.betterGates;
  if (progressed) brakes.noProgress = 0;
  // A tick that nothing could refuse is no progress, but it can't go on for ever either: boxes are finite.
  else if (open.accepted.length === 0 && NO_PROGRESS_CLASSES.has(event.class)) brakes.noProgress += 1;
  countTree(brakes, event.workTree);
  countAttempt(brakes, open.task, { proved: proved || open.accepted.length > 0 || event.betterGates, newTree: event.newTree, class: event.class });
  if (proved || event.betterGates) brakes.disagreement = 0;
  brakes.failing = failingNames(state);
  if (open.restoredFrozen > 0) brakes.frozenTouches += 1;
  brakes.comparedStreak = open.restoredCompared > 0 ? brakes.comparedStreak + 1 : 0;
  const failed = !progressed && event.class === "infrastructure";
  brakes.infrastructure = failed ? brakes.infrastructure + 1 : 0;
  brakes.quickExits = failed && open.ending !== null && isQuickExit(open.ending) ? brakes.quickExits + 1 : 0;
  brakes.authFailures = event.class === "auth" ? brakes.authFailures + 1 : 0;
}

function countTree(brakes: RunState["brakes"], tree: string): void {
  if (tree === brakes.lastTree) return;
  const seen = brakes.trees[tree];
  brakes.trees[tree] = seen === undefined ? 0 : seen + 1;
  brakes.lastTree = tree;
}

/** Attempts count in halves: an iteration that changes files but proves nothing weighs half of one that does nothing. */
function countAttempt(
  brakes: RunState["brakes"],
  task: string | null,
  facts: { proved: boolean; newTree: boolean; class: string },
): void {
  if (task === null) return;
  if (facts.proved) brakes.attempts = {};
  else if (facts.newTree) brakes.attempts[task] = (brakes.attempts[task] ?? 0) + 0.5;
  else if (facts.class === "no_op" || facts.class === "blocked" || facts.class === "timeout") {
    brakes.attempts[task] = (brakes.attempts[task] ?? 0) + 1;
  }
}

/** Nothing was seen of it but its end: it did not start properly. */
function isQuickExit(ending: NonNullable<OpenIteration["ending"]>): boolean {
  if (ending.exit.kind === "cannotStart") return true;
  return ending.exit.kind === "exited" && ending.durationMs < QUICK_EXIT_MS && ending.toolCalls === 0;
}

/** Names of all checks that fail at the latest verdicts; gates without names count by their own name. */
function failingNames(state: RunState): string[] {
  const names: string[] = [];
  for (const result of Object.values(state.gates)) {
    if (result.verdict === "pass") continue;
    if (result.failing.length === 0) names.push(result.name);
    else for (const failing of result.failing) names.push(`${result.name}: ${failing}`);
  }
  return names.sort();
}

function pushBounded<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > MAX_LISTED) list.shift();
}
