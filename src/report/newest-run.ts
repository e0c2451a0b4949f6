/** The newest run of a working tree as its journal tells it, and who drives it now: all that most commands have to know. */
import { foldAll } from "../core/fold.js";
import type { RunState } from "../core/run-state.js";
import { type JournalProblem, readJournal } from "../journal/read.js";
import { latestRun } from "../journal/run-store.js";
import { readLock } from "../workspace/lock-state.js";

/** `state` is null before the run's first event. */
export type NewestRun = { kind: "none" } | { kind: "run"; run: string; state: RunState | null } | { kind: "damaged"; run: string; problem: JournalProblem };

export function newestRun(truthDir: string): NewestRun {
  const store = latestRun(truthDir);
  if (store === null) return { kind: "none" };
  const { events, problem } = readJournal(store.journalPath, store.run);
  return problem === null ? { kind: "run", run: store.run, state: foldAll(events) } : { kind: "damaged", run: store.run, problem };
}

/** Null where nothing has run, or where its journal can't be believed. */
export function newestState(truthDir: string): RunState | null {
  const newest = newestRun(truthDir);
  return newest.kind === "run" ? newest.state : null;
}

/** Process id of the driver that works in this working tree now; null when there is none. A driver works on the newest run. */
export function livePid(truthDir: string): number | null {
  const lock = readLock(truthDir);
  return lock.kind === "held" ? lock.owner.pid : null;
}
