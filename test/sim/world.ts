/** The ports in memory: a virtual clock, the disk, people. */
import { agentLabel, agentsOf } from "../../src/core/agent-list.js";
import type { JournalBody, JournalEvent } from "../../src/core/journal-event.js";
import type { World } from "../../src/driver/driver.js";
import type { Clock, FrozenPaths, RestoredPath, RunFiles, TreeFiles, Versions } from "../../src/driver/ports.js";
import { People } from "./acts.js";
import type { Disk } from "./disk.js";
import { memoryGates } from "./gates.js";
import { memoryRepo } from "./memory-repo.js";
import { characterOf, type Scenario, settingsOf } from "./scenario.js";
import { scriptedAgent } from "./scripted-agent.js";

const RUN = "20261130-2200";
const START_MS = Date.UTC(2026, 10, 30, 22);
const CONFIG = ".ralph/config.yaml";
/** What the journal writes through to the disk with the next event only; the same set as in `src/journal/journal.ts`. */
const FLUSHED_LATER: ReadonlySet<JournalBody["type"]> = new Set(["agent.ended", "claims.taken", "commit.created", "iteration.ended"]);

export function worldOf(plan: Scenario, disk: Disk, clock: VirtualClock): World {
  const people = new People(disk, isPaused(disk));
  return {
    clock,
    repo: memoryRepo(disk),
    agents: new Map(
      agentsOf(settingsOf(plan)).map((agent) => [agentLabel(agent), scriptedAgent({ seed: plan.seed, character: characterOf(plan, agent.name) }, disk, clock)]),
    ),
    journal: {
      append: (iteration, ...bodies) => append(disk, clock, iteration, bodies),
      tampering: () => {
        const { tampered } = disk;
        disk.tampered = null;
        return tampered;
      },
    },
    runFiles: runFiles(disk),
    files: treeFiles(disk),
    gates: memoryGates(plan, disk, clock),
    frozen: frozenPaths(disk),
    control: { poll: () => people.poll(), taken: (id) => people.taken(id), now: people.now.signal, finishing: () => people.finishing },
    observer: { journal: () => undefined, agent: () => undefined },
  };
}

function isPaused(disk: Disk): boolean {
  const last = disk.journal.findLast((line) => /^\{"type":"run\.(?:un)?paused"/.test(line));
  return last?.startsWith('{"type":"run.paused"') === true;
}

function append(disk: Disk, clock: Clock, iteration: number, bodies: JournalBody[]): JournalEvent[] {
  const label = `journal ${bodies.map((body) => body.type).join("+")}`;
  disk.room(label);
  const events = bodies.map((body) => ({ ...body, at: new Date(clock.nowMs()).toISOString(), run: RUN, iteration }));
  disk.journal.push(...events.map((event) => JSON.stringify(event)));
  if (bodies.some((body) => body.type === "iteration.started")) disk.iteration = iteration;
  if (!bodies.every((body) => FLUSHED_LATER.has(body.type))) disk.flushed = disk.journal.length;
  disk.did(label);
  return events;
}

function runFiles(disk: Disk): RunFiles {
  return {
    iterationDir: (iteration) => `iterations/${iteration}`,
    write: (path, content) => {
      disk.room(path);
      disk.runFiles.set(path, content);
      disk.views.delete(path);
      disk.did("runFiles");
    },
    writeView: (path, content) => {
      disk.room(path);
      if (!disk.views.has(path)) disk.views.set(path, disk.runFiles.get(path));
      disk.runFiles.set(path, content);
      disk.did("view");
    },
    read: (path) => disk.runFiles.get(path) ?? null,
    exists: (path) => disk.runFiles.has(path),
  };
}

function treeFiles(disk: Disk): TreeFiles {
  return {
    read: (path) => disk.work.get(path) ?? null,
    write: (path, content) => {
      disk.room(path);
      const written = disk.isWritable();
      if (written) disk.work.set(path, content);
      disk.did(written ? "write" : "no write");
      return written;
    },
    remove: (path) => disk.isWritable() && disk.work.delete(path),
    setAside: () => null,
    list: (folder) =>
      [...disk.work.keys()]
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1))
        .sort(),
  };
}

/** One frozen file is enough: what reads and pins more of them has tests of its own. */
function frozenPaths(disk: Disk): FrozenPaths {
  return {
    pin: async () => {
      if (disk.pinned.has(CONFIG)) return;
      disk.pinned.set(CONFIG, disk.work.get(CONFIG) ?? "");
      disk.did("pin");
    },
    restore: async (iteration, _edits, found) => putBack(disk, `iterations/${iteration}/rejected`, found),
    putBackEdits: async (folder, found) => putBack(disk, folder, found),
    takeNotes: () => [],
    strayProgram: () => null,
    accept: () => undefined,
  };
}

/** In the order of the real one: kept, named, put back. */
function putBack(disk: Disk, folder: string, found: (item: RestoredPath, versions: Versions) => void): void {
  const ours = disk.pinned.get(CONFIG) ?? "";
  const theirs = disk.work.get(CONFIG) ?? "";
  if (theirs === ours) return;
  const keptAs = `${folder}/config.kept`;
  disk.runFiles.set(keptAs, theirs);
  disk.did("kept");
  found({ path: CONFIG, rule: "frozen", why: "it is frozen", keptAs }, { theirs, ours });
  disk.work.set(CONFIG, ours);
  disk.did("frozen");
}

export interface VirtualClock extends Clock {
  /** Calls once the monotonic clock stands there. */
  at(monotonicMs: number, wake: () => void): void;
}

/** Time passes only when somebody sleeps; the wall clock can be set besides. */
export function virtualClock(jump: { readonly ms: number }): VirtualClock {
  let passedMs = 0;
  let alarms: { atMs: number; wake: () => void }[] = [];
  return {
    nowMs: () => START_MS + passedMs + jump.ms,
    monotonicMs: () => passedMs,
    at: (atMs, wake) => void alarms.push({ atMs, wake }),
    sleep: async (ms, signal) => {
      // Whatever else can happen now happens first.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) return;
      passedMs += ms;
      const due = alarms.filter(({ atMs }) => atMs <= passedMs);
      alarms = alarms.filter(({ atMs }) => atMs > passedMs);
      for (const { wake } of due) wake();
    },
  };
}
