/** Run folders below the git directory: naming, creating, finding them, and the files inside. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ITERATIONS_DIR, iterationDir, JOURNAL_FILE, PINNED_DIR, RUNS_DIR } from "../core/paths.js";
import type { RunFiles } from "../driver/ports.js";
import { replaceFile, syncFolder, writeAtomic } from "./atomic.js";
import { DiskError, onDisk, systemCode } from "../core/disk-error.js";
import { unsafePath } from "./unsafe-path.js";

export interface RunStore {
  run: string;
  /** Absolute. */
  dir: string;
  journalPath: string;
  files: RunFiles;
}

/** `20261130-2011`, with `-2` and so on for further runs of the same minute. UTC, so that names sort by age. */
const RUN_ID = /^(\d{8}-\d{4})(?:-(\d+))?$/;

/**
 * The id of a run that starts now; no folder has it yet. It sorts behind every other one, also when the clock was set
 * back since: the newest run is the one that the same command continues.
 */
export function nextRunId(truthDir: string, nowMs: number): string {
  const [date = "", time = ""] = new Date(nowMs).toISOString().split("T");
  const minute = `${date.replaceAll("-", "")}-${time.slice(0, 5).replace(":", "")}`;
  const [, newest = "", number = "1"] = RUN_ID.exec(listRuns(truthDir).at(-1) ?? "") ?? [];
  return newest < minute ? minute : `${newest}-${Number(number) + 1}`;
}

/** Creates the run's folder durably. Throws DiskError when it exists, is a link, or the disk refuses. */
export function createRun(truthDir: string, run: string): RunStore {
  if (!RUN_ID.test(run)) throw new Error(`not a run id: ${run}`);
  const dir = join(truthDir, RUNS_DIR, run);
  refuseUnsafe(truthDir, join(RUNS_DIR, run));
  onDisk(dir, () => {
    mkdirSync(dirname(dir), { recursive: true });
    mkdirSync(dir);
    for (const inner of [ITERATIONS_DIR, PINNED_DIR]) mkdirSync(join(dir, inner));
    for (const folder of [dir, dirname(dir), truthDir]) syncFolder(folder);
  });
  return storeAt(dir, run);
}

/** Null when there is no such run. Throws DiskError for a symbolic link. */
export function openRun(truthDir: string, run: string): RunStore | null {
  if (!RUN_ID.test(run)) return null;
  refuseUnsafe(truthDir, join(RUNS_DIR, run));
  const dir = join(truthDir, RUNS_DIR, run);
  return existsSync(dir) ? storeAt(dir, run) : null;
}

/** The newest run that has a journal. */
export function latestRun(truthDir: string): RunStore | null {
  for (const run of listRuns(truthDir).reverse()) {
    const store = openRun(truthDir, run);
    if (store !== null && existsSync(store.journalPath)) return store;
  }
  return null;
}

/** Ids of all runs, oldest first. Throws DiskError for a symbolic link. */
export function listRuns(truthDir: string): string[] {
  refuseUnsafe(truthDir, RUNS_DIR);
  let entries: string[];
  try {
    entries = readdirSync(join(truthDir, RUNS_DIR));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
  return entries.filter((name) => RUN_ID.test(name)).sort(byAge);
}

function byAge(a: string, b: string): number {
  const [, baseA = "", numberA = "1"] = RUN_ID.exec(a) ?? [];
  const [, baseB = "", numberB = "1"] = RUN_ID.exec(b) ?? [];
  return baseA === baseB ? Number(numberA) - Number(numberB) : baseA < baseB ? -1 : 1;
}

function storeAt(dir: string, run: string): RunStore {
  return { run, dir, journalPath: join(dir, JOURNAL_FILE), files: filesIn(dir) };
}

/** Files of one run; every path is checked for links, every write is whole or not there. */
function filesIn(dir: string): RunFiles {
  const at = (relative: string): string => {
    refuseUnsafe(dir, relative);
    return join(dir, relative);
  };
  /** Returns the topmost folder that had to be made. */
  const makeRoom = (path: string): string | undefined => onDisk(path, () => mkdirSync(dirname(path), { recursive: true }));
  return {
    iterationDir: (iteration) => {
      const path = at(iterationDir(iteration));
      onDisk(path, () => mkdirSync(path, { recursive: true }));
      return path;
    },
    write: (relative, content) => {
      const path = at(relative);
      const made = makeRoom(path);
      writeAtomic(path, content);
      if (made !== undefined) onDisk(path, () => syncFolder(dirname(made)));
    },
    writeView: (relative, content) => {
      const path = at(relative);
      makeRoom(path);
      replaceFile(path, content);
    },
    read: (relative) => {
      try {
        return readFileSync(at(relative), "utf8");
      } catch (error) {
        const code = systemCode(error);
        if (code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR") return null;
        throw error;
      }
    },
    exists: (relative) => existsSync(at(relative)),
  };
}

function refuseUnsafe(base: string, relative: string): void {
  const problem = unsafePath(base, relative);
  if (problem !== null) throw new DiskError(join(base, relative), "UNSAFE", { sentence: problem });
}
