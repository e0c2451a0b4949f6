/** The loop: observe, decide, perform; until a decision says stop. Start, resume and the thousandth iteration are this code. */
import { type Decision, decide } from "../core/decide.js";
import type { JournalBody } from "../core/journal-event.js";
import { iterationDir } from "../core/paths.js";
import type { RunState } from "../core/run-state.js";
import { statusOf } from "../core/words.js";
import { act } from "./act.js";
import { beforeFirst } from "./begin.js";
import { takeControl } from "./control.js";
import type { Driver } from "./driver.js";
import { finish } from "./finish.js";
import { Interrupted } from "./interrupted.js";
import { reviewEdits, reviewFrozen } from "./plan-edits.js";
import { readPlan, type SeenPlan } from "./plan-view.js";
import type { Clock, RepoLook } from "./ports.js";
import { callHook } from "./hooks.js";
import { prepare } from "./prepare.js";
import { prove } from "./prove.js";
import { recover } from "./recover.js";

/** Pauses are polled: a person waits for them, no machine does. */
const PAUSE_POLL_MS = 1_000;
/** Long waits are slept in pieces, so that people are heard meanwhile. */
const WAIT_POLL_MS = 2_000;

export async function runLoop(driver: Driver): Promise<RunState> {
  try {
    await callHook(driver, "onStart", driver.state.iteration);
    await recover(driver);
    if (driver.state.iteration === 0) {
      reviewEdits(driver, "person");
      await beforeFirst(driver);
      reviewEdits(driver, "unknown");
    }
    while (driver.state.stopped === null) await turn(driver);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    stopInterrupted(driver);
  }
  return driver.state;
}

async function turn(driver: Driver): Promise<void> {
  // A run that was restarted in the middle of a wait may hear of it here.
  if (takeControl(driver).tryNow && driver.state.waiting !== null) driver.record({ type: "wait.ended", waitedMs: 0 });
  if (await paused(driver)) return;
  reviewEdits(driver, "person");
  await reviewFrozen(driver);
  const look = await driver.look();
  const plan = readPlan(driver);
  const decision = decide({
    state: driver.state,
    settings: driver.settings,
    plan: plan.view,
    head: look.head,
    nowMs: driver.world.clock.nowMs(),
    finishing: driver.world.control.finishing() || driver.world.control.now.aborted,
  });
  await perform(driver, decision, { look, plan });
}

/** A check was broken off: the iteration stays open in the journal, and the next start judges it. */
function stopInterrupted(driver: Driver): void {
  const { open } = driver.state;
  const rest = open === null ? "" : ` The work of iteration ${open.number} is in the tree; it is judged when the run goes on.`;
  driver.record({
    type: "run.stopped",
    status: "stopped",
    reason: "human",
    verified: false,
    summary: `Stopped by a person while a check was running.${rest}`,
    evidence: [],
  });
}

async function perform(driver: Driver, decision: Decision, seen: { look: RepoLook; plan: SeenPlan }): Promise<void> {
  switch (decision.kind) {
    case "run":
      await iterate(driver, decision, seen);
      return;
    case "prove":
      await prove(driver, { by: decision.by, commit: seen.look.head, tree: await headTree(driver, seen.look), claimed: false });
      reviewEdits(driver, "unknown");
      return;
    case "park":
      driver.record({ type: "task.parked", task: decision.task, question: decision.question });
      return;
    case "wait":
      await wait(driver, decision);
      return;
    case "rest":
      rest(driver, decision);
      return;
    case "switch":
      driver.record({ type: "agent.switched", from: driver.state.agent, to: decision.to, class: "reset", untilMs: null, why: decision.why });
      return;
    case "stop":
      stop(driver, decision);
  }
}

async function iterate(driver: Driver, decision: Extract<Decision, { kind: "run" }>, seen: { look: RepoLook; plan: SeenPlan }): Promise<void> {
  await callHook(driver, "onIterationStart", driver.state.iteration + 1);
  const prepared = await prepare(driver, { ...seen, mode: decision.mode, task: decision.task });
  await act(driver, prepared);
  const { open } = driver.state;
  if (open === null) throw new Error(`iteration ${prepared.iteration} is gone from ${iterationDir(prepared.iteration)}`);
  await finish(driver, open);
  await callHook(driver, "onIterationEnd", prepared.iteration);
}

async function headTree(driver: Driver, look: RepoLook): Promise<string> {
  if (look.head === driver.state.lastCommit && look.dirty.length === 0) return driver.state.lastTree;
  return (await driver.world.repo.capture({ against: null, exclude: driver.state.untouched })).tree;
}

async function wait(driver: Driver, decision: Extract<Decision, { kind: "wait" }>): Promise<void> {
  const { clock, control } = driver.world;
  // Before anything is written: whoever sets the clock while the disk is slow does not make the wait longer.
  const plannedMs = Math.max(0, decision.untilMs - clock.nowMs());
  const waitedMs = elapsed(clock);
  if (driver.state.waiting === null) driver.record({ type: "wait.started", untilMs: decision.untilMs, why: decision.why });
  let over = false;
  while (waitedMs() < plannedMs && !control.now.aborted && !control.finishing()) {
    await clock.sleep(Math.min(plannedMs - waitedMs(), WAIT_POLL_MS), control.now);
    over = takeControl(driver).tryNow;
    if (over || driver.state.stopRequested !== null) break;
  }
  // An interrupted wait stays open in the journal: the next start waits for what is left of it.
  if (over || waitedMs() >= plannedMs) driver.record({ type: "wait.ended", waitedMs: Math.min(plannedMs, waitedMs()) });
}

/**
 * The wall clock counts the hours that the machine slept, the monotonic one those after somebody set the clock back:
 * no wait gets longer than it was planned.
 */
function elapsed(clock: Clock): () => number {
  const from = { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
  return () => Math.max(0, clock.nowMs() - from.wallMs, clock.monotonicMs() - from.monotonicMs);
}

/** In one write: a rest that a crash parts from its switch would leave the run with an agent that must not be asked. */
function rest(driver: Driver, { agent, to, class: why, untilMs, why: text }: Extract<Decision, { kind: "rest" }>): void {
  const switched: JournalBody[] = to === null ? [] : [{ type: "agent.switched", from: agent, to, class: why, untilMs, why: text }];
  driver.record({ type: "agent.rests", agent, class: why, untilMs, why: text }, ...switched);
}

async function paused(driver: Driver): Promise<boolean> {
  const { clock, control } = driver.world;
  if (!driver.state.paused || driver.state.stopRequested !== null || control.finishing() || control.now.aborted) return false;
  driver.settled = null;
  await clock.sleep(PAUSE_POLL_MS, control.now);
  return true;
}

function stop(driver: Driver, decision: Extract<Decision, { kind: "stop" }>): void {
  const { hit, reason, verified, summary, evidence } = decision;
  if (hit !== null && driver.state.hit === null) driver.record({ type: "brake.hit", hit });
  driver.record({ type: "run.stopped", status: statusOf(reason), reason, verified, summary, evidence });
}
