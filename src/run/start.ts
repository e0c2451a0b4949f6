/** From a checked request to a finished run: lock, record, branch, loop. Used by the command line and the library. */
import { join } from "node:path";
import { RUNS_DIR, TRUTH_DIR } from "../core/paths.js";
import type { RunState } from "../core/run-state.js";
import type { Settings } from "../core/settings.js";
import { callHook } from "../driver/hooks.js";
import { runLoop } from "../driver/loop.js";
import type { Control, Observer } from "../driver/ports.js";
import { pruneRuns } from "../journal/prune-runs.js";
import { createRedactor } from "../journal/redact.js";
import { nextRunId } from "../journal/run-store.js";
import { acquireLock, type Acquired } from "../workspace/lock.js";
import { endBroken } from "./end-broken.js";
import { awakeCommand, awakeFacts, keepAwake } from "./keep-awake.js";
import { beginRun, continueRun, type OpenedRun } from "./open-run.js";
import type { Preflight } from "./preflight.js";
import { writeReports } from "./report.js";
import { enterWorktree } from "./repository.js";
import { Refusal } from "./refusal.js";
import { openUnfinished } from "./run-record.js";

export interface StartOptions {
  /** The branch that a worktree was made from; absent without one. */
  from?: string | null;
  ready: Preflight;
  env: NodeJS.ProcessEnv;
  control: Control;
  observer: Observer;
  /** Progress notes for people. */
  say: (line: string) => void;
  /** Not to be listed among the person's repositories, as the demo's. */
  unlisted?: boolean;
  /** Called once the run is open, before its first iteration. */
  opened?: (run: OpenedFacts) => void;
}

export interface OpenedFacts {
  /** As it is at the time of asking. */
  state(): RunState;
  settings: Settings;
  /** The run's folder; absolute. */
  dir: string;
}

export interface Finished {
  state: RunState;
  /** Working tree of the run; another than the repository's own with `worktree`. */
  root: string;
}

export async function startRun(given: StartOptions): Promise<Finished> {
  const options = await inWorktree(given);
  const { ready, env } = options;
  const truthDir = join(ready.repo.gitDir, TRUTH_DIR);
  const run = nextRunId(truthDir, Date.now());
  const lock = take(truthDir, run);
  try {
    if (lock.tookOver !== null) options.say(`Took over a stale lock: ${lock.tookOver}.`);
    const redact = createRedactor(env);
    const unfinished = openUnfinished(truthDir, redact, ready.settings);
    const opened = unfinished === null ? await beginRun(options, { truthDir, run, redact }) : await continueRun(options, unfinished, { truthDir, redact });
    if (options.unlisted !== true) await list(options, truthDir);
    const release = keepAwake(awakeCommand(awakeFacts(env)), env);
    try {
      const { driver } = opened;
      options.opened?.({ state: () => driver.state, settings: driver.settings, dir: join(truthDir, RUNS_DIR, driver.state.run) });
      const state = await work(opened, options);
      await leave(opened, state, options);
      pruneRuns(truthDir, opened.driver.settings.retention, { keep: [state.run], nowMs: Date.now() });
      return { state, root: ready.repo.root };
    } finally {
      release();
      await opened.close();
      // After the views, whose last state it replaces: only here git is asked what the iterations changed.
      const problem = await writeReports({ root: ready.repo.root, truthDir, redact, sections: opened.driver.settings.taskSections ?? null });
      if (problem !== null) options.say(problem);
    }
  } finally {
    lock.release();
  }
}

/** For `status --all`; a run does not depend on it. */
async function list({ ready, env, say }: StartOptions, truthDir: string): Promise<void> {
  const { rememberPlace } = await import("./known-places.js");
  const problem = rememberPlace({ root: ready.repo.root, truthDir }, env, new Date().toISOString());
  if (problem !== null) say(`\`ralphd status --all\` will not list this repository: ${problem}`);
}

/** `--worktree` moves the whole run to a place of its own; from there on nothing differs. */
async function inWorktree(options: StartOptions): Promise<StartOptions> {
  const { ready } = options;
  if (!ready.settings.worktree) return options;
  const { repo, from } = await enterWorktree(ready.repo, ready.settings, `run-${Date.now().toString(36)}`);
  options.say(`Working in the worktree ${repo.root}. Ignored files such as .env are not in it.`);
  return { ...options, from, ready: { ...ready, repo, settings: { ...ready.settings, worktree: false, branchMode: "current" } } };
}

function take(truthDir: string, run: string): Extract<Acquired, { kind: "acquired" }> {
  const lock = acquireLock(truthDir, { run });
  if (lock.kind === "acquired") return lock;
  const { owner } = lock;
  throw new Refusal(
    owner === null
      ? `The lock of this working tree (${join(truthDir, "lock")}) can't be read and is young. Wait a minute, or look who wrote it.`
      : `A run is going on in this working tree: run ${owner.run}, process ${owner.pid} on ${owner.host}, since ${owner.startedAt}.\n` +
          "Look at it with `ralphd status`, end it with `ralphd stop`, or work in another worktree.",
  );
}

async function work(opened: OpenedRun, options: StartOptions): Promise<RunState> {
  const { driver, fresh } = opened;
  try {
    if (!fresh) {
      driver.record({ type: "run.resumed", pid: process.pid });
      await driver.reapLeftovers();
    }
    await driver.world.frozen.pin();
    return await runLoop(driver);
  } catch (error) {
    return endBroken(driver, error, options.say);
  }
}

/** The last that a run does: hooks and notifications of its end. Nothing in it changes how it ended. */
async function leave({ driver, farewell }: OpenedRun, state: RunState, options: StartOptions): Promise<void> {
  const tell = (problem: string): void => {
    options.say(`warning: ${problem}`);
    try {
      driver.record({ type: "warning", message: problem });
    } catch {
      // A journal that can't be written is named already: it is why the run failed.
    }
  };
  await callHook(driver, "onStop", state.iteration).catch((error: unknown) => tell(`hook onStop: ${String(error)}`));
  for (const problem of await farewell(state)) tell(problem);
}
