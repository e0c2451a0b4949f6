/** Deletes old run folders by age and total size, so that years of runs do not fill the disk. */
import { lstatSync, readdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { JOURNAL_FILE, RUNS_DIR } from "../core/paths.js";
import { systemCode } from "../core/disk-error.js";
import { listRuns } from "./run-store.js";

const DAY_MS = 24 * 60 * 60 * 1000;
const MEGABYTE = 1024 * 1024;

export interface Retention {
  days: number;
  megabytes: number;
}

/**
 * Removes runs whose journal last grew longer ago than `days`, then the oldest ones until the rest fits `megabytes`.
 * Runs named in `keep` stay whatever they weigh. Returns the removed ids, oldest first.
 */
export function pruneRuns(truthDir: string, retention: Retention, options: { keep: readonly string[]; nowMs: number }): string[] {
  const runs = listRuns(truthDir).map((run) => ({ run, ...weigh(join(truthDir, RUNS_DIR, run)) }));
  let total = runs.reduce((sum, { bytes }) => sum + bytes, 0);
  const removed: string[] = [];
  for (const { run, bytes, lastMs } of runs) {
    const tooOld = options.nowMs - lastMs > retention.days * DAY_MS;
    const tooMuch = total > retention.megabytes * MEGABYTE;
    if (options.keep.includes(run) || !(tooOld || tooMuch)) continue;
    rmSync(join(truthDir, RUNS_DIR, run), { recursive: true, force: true });
    total -= bytes;
    removed.push(run);
  }
  return removed;
}

/** Size of everything below, and when the run last wrote its journal. Links count themselves, never what they point to. */
function weigh(dir: string): { bytes: number; lastMs: number } {
  let bytes = 0;
  let lastMs = 0;
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const stats = statOrNull(join(entry.parentPath, entry.name));
    if (stats === null) continue;
    bytes += stats.isFile() ? stats.size : 0;
    if (entry.name === JOURNAL_FILE) lastMs = stats.mtimeMs;
  }
  return { bytes, lastMs: lastMs === 0 ? (statOrNull(dir)?.mtimeMs ?? 0) : lastMs };
}

function statOrNull(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    // Gone between listing and looking: somebody else prunes as well.
    if (systemCode(error) !== null) return null;
    throw error;
  }
}
