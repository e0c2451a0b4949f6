/** Folds the facts that become true between the start and the end of an iteration. */
import { PARKABLE } from "./brakes/types.js";
import { afterTaskDone, EMPTY_WATCH } from "./brakes/watch-state.js";
import type { JournalEvent } from "./journal-event.js";
import type { RunState } from "./run-state.js";
import { countedTokens, mergeUsage, type Usage } from "./usage.js";

/** Lists for people are kept to the newest entries. */
const MAX_LISTED = 200;

/** Facts within an iteration and requests of people; what begins and ends an iteration is folded in fold.ts. */
export function applyFact(state: RunState, event: JournalEvent): void {
  switch (event.type) {
    case "claims.taken":
      if (state.open !== null) state.open.ticked = event.ticked;
      return;
    case "plan.restored": {
      const fresh = event.what.filter(
        (what) => !state.restored.some(({ iteration, rule, why }) => iteration === event.iteration && rule === "plan" && why === what),
      );
      for (const what of fresh) {
        state.feedback.push({ kind: "plan", what });
        pushBounded(state.restored, { iteration: event.iteration, path: state.started.plan ?? "plan", rule: "plan", why: what, keptAs: null });
      }
      if (event.frozen && fresh.length > 0 && state.open !== null) state.open.restoredFrozen += 1;
      return;
    }
    case "plan.edited":
      if (event.keptAs !== null) pushOnce(state.warnings, `Edits while no agent ran: ${event.what.join("; ")}. That version is kept as ${event.keptAs}.`);
      return;
    case "path.restored":
      // A restart finds what was named and not put back yet.
      if (state.restored.some(({ iteration, path, rule }) => iteration === event.iteration && path === event.path && rule === event.rule)) return;
      state.feedback.push({ kind: "restored", path: event.path, why: event.why });
      pushBounded(state.restored, { iteration: event.iteration, path: event.path, rule: event.rule, why: event.why, keptAs: event.keptAs });
      if (state.open !== null) state.open[event.rule === "frozen" ? "restoredFrozen" : "restoredCompared"] += 1;
      return;
    case "task.unticked":
      state.feedback.push({ kind: "unticked", task: event.task, why: event.why });
      delete state.proved[event.task];
      addOnce(state.open?.unticked, event.task);
      // Proved on the tree of the agent, and refused on what a commit hook made of it.
      remove(state.open?.proved, event.task);
      return;
    case "task.proved":
      state.proved[event.task] = { iteration: event.iteration, gates: event.gates, changed: true, commit: null };
      addOnce(state.open?.proved, event.task);
      state.watch = afterTaskDone(state.watch);
      return;
    case "task.accepted":
      state.proved[event.task] = { iteration: event.iteration, gates: [], changed: event.changed, commit: null };
      addOnce(state.open?.accepted, event.task);
      return;
    case "task.added":
      state.tasks.push(event.task);
      return;
    case "task.parked":
      state.parked[event.task] = event.question;
      delete state.brakes.attempts[event.task];
      state.brakes.noProgress = 0;
      state.watch = EMPTY_WATCH;
      // With the task gone from the way, what it tripped is answered; what the run tripped is not.
      if (state.hit !== null && PARKABLE.has(state.hit.reason)) state.hit = null;
      return;
    case "gate.verdict":
      state.gates[event.name] = event;
      if (event.moment === "baseline") state.baseline[event.name] = event;
      if (event.usage !== undefined && event.usage !== null) addReview(state, event.usage);
      // A hidden gate is no gate any more once an agent has read what it says.
      if (event.verdict === "fail" && event.moment !== "baseline" && event.moment !== "hidden") {
        const { name, reason, detail, outputPath } = event;
        state.feedback.push({ kind: "gate", name, reason, detail, outputPath });
      }
      return;
    case "run.proved":
      state.proof = { commit: event.commit, by: event.by, gates: event.gates, clean: event.clean };
      return;
    case "run.refused":
      state.refusedCommit = event.commit;
      state.proof = null;
      if (event.claimed && state.open?.refused !== true) {
        if (state.open !== null) state.open.refused = true;
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
      state.feedback.push({ kind: "hook", output: event.output, outputPath: event.outputPath ?? null });
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
      state.waiting = { untilMs: event.untilMs, plannedMs: event.untilMs - Date.parse(event.at), why: event.why };
      return;
    case "wait.ended":
      state.waiting = null;
      state.waitedMs += event.waitedMs;
      state.waitedAfter = state.iteration;
      return;
    case "agent.rests":
      startRest(state, event);
      return;
    case "agent.switched":
      switchAgent(state, event);
      return;
    case "request.taken":
      pushBounded(state.requests, event.id);
      return;
    case "note.added":
      state.feedback.push({ kind: "note", text: event.text });
      return;
    case "note.unanswered":
      state.feedback.push({ kind: "note", text: event.text, again: true });
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

/** What is counted against an agent that steps back is not counted against the next one. */
function startRest(state: RunState, { agent, class: kind, untilMs, why }: Extract<JournalEvent, { type: "agent.rests" }>): void {
  state.resting[agent] = { class: kind, untilMs, why };
  state.waitedAfter = state.iteration;
  state.brakes.authFailures = 0;
  state.brakes.quickExits = 0;
  // Where the network is gone, others fail as well: what may pass goes on counting.
  if (untilMs === null) state.brakes.infrastructure = 0;
}

function switchAgent(state: RunState, event: Extract<JournalEvent, { type: "agent.switched" }>): void {
  const { from, to, class: kind, untilMs, why, at } = event;
  state.agent = to;
  // A person who wants one tried again may have mended the others as well.
  if (kind === "person") state.resting = {};
  delete state.resting[to];
  pushBounded(state.switches, { from, to, class: kind, untilMs, why, at, iteration: state.iteration });
}

/** Asking a model costs what it costs, whoever asked. */
function addReview(state: RunState, usage: Usage): void {
  state.usage = mergeUsage(state.usage, usage);
  if (countedTokens(usage) === null) state.unknownTokens += 1;
  if (usage.costMicroUsd === null) state.unknownCost += 1;
}

/** A restart may find the same fact again. */
function addOnce(list: string[] | undefined, item: string): void {
  if (list !== undefined && !list.includes(item)) list.push(item);
}

function remove(list: string[] | undefined, item: string): void {
  if (list?.includes(item) === true) list.splice(list.indexOf(item), 1);
}

/** A restart may find the same edit again. */
function pushOnce(list: string[], item: string): void {
  if (!list.includes(item)) pushBounded(list, item);
}

function pushBounded<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > MAX_LISTED) list.shift();
}
