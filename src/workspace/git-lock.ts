/** What to do when git meets a lock file: wait for its holder, or remove it once it is old and nobody's. */
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export interface LockWait {
  root: string;
  attempt: number;
  startedMs: number;
  staleLockMs?: number;
  lockWaitMs?: number;
  onWarning?: (message: string) => void;
}

const STALE_LOCK_MS = 60_000;
/** Longer than the stale age, so that a lock left by a killed process is outlived within one call. */
const LOCK_WAIT_MS = 75_000;
const MAX_BACKOFF_MS = 1_000;

/** True when the call should be tried again. The only place that reads git's words about locks. */
export async function waitForLock(stderr: string, wait: LockWait): Promise<boolean> {
  const path = /Unable to create '(.+?\.lock)': File exists/.exec(stderr)?.[1];
  return path !== undefined && (await waitForLockFile(path, wait));
}

/** The same for a lock that we take ourselves. */
export async function waitForLockFile(path: string, wait: LockWait): Promise<boolean> {
  if (removeIfStale(path, wait)) return true;
  if (Date.now() - wait.startedMs > (wait.lockWaitMs ?? LOCK_WAIT_MS)) return false;
  await delay(Math.min(MAX_BACKOFF_MS, 20 * 2 ** wait.attempt));
  return true;
}

function removeIfStale(path: string, wait: LockWait): boolean {
  const before = identity(path);
  if (before === null) return true;
  const ageMs = Date.now() - before.mtimeMs;
  if (ageMs < (wait.staleLockMs ?? STALE_LOCK_MS)) return false;
  if (holder(path, wait.root) !== "none") return false;
  const after = identity(path);
  if (after === null) return true;
  if (after.key !== before.key) return false;
  unlinkSync(path);
  wait.onWarning?.(`removed ${path}: it was ${Math.round(ageMs / 1000)} s old, did not change, and no process held it`);
  return true;
}

function identity(path: string): { key: string; mtimeMs: number } | null {
  try {
    const stat = statSync(path);
    return { key: `${stat.ino}:${stat.size}:${stat.mtimeMs}`, mtimeMs: stat.mtimeMs };
  } catch {
    // Gone in the meantime: its holder has finished.
    return null;
  }
}

/**
 * git closes the lock while a hook or an editor runs, so a git process that works in this
 * repository counts as holder too. `unknown` where the system has no /proc: never removed then.
 */
function holder(path: string, root: string): "none" | "some" | "unknown" {
  const pids = list("/proc").filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return "unknown";
  const lockPath = join(realPath(dirname(path)), basename(path));
  const realRoot = realPath(root);
  for (const pid of pids) {
    if (Number(pid) === process.pid) continue;
    if (isGitIn(pid, realRoot)) return "some";
    for (const fd of list(`/proc/${pid}/fd`)) {
      if (link(`/proc/${pid}/fd/${fd}`) === lockPath) return "some";
    }
  }
  return "none";
}

function isGitIn(pid: string, root: string): boolean {
  const cwd = link(`/proc/${pid}/cwd`);
  if (cwd === null || (cwd !== root && !cwd.startsWith(`${root}/`))) return false;
  try {
    const name = readFileSync(`/proc/${pid}/comm`, "utf8").trim();
    // Our own long-lived readers hold no lock.
    return name === "git" && !/cat-file|hash-object|update-ref|mktree/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  } catch {
    // The process ended while it was looked at.
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A folder that is gone has no other name.
    return path;
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    // Another user's process, or one that ended: nothing to see.
    return [];
  }
}

function link(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    // As above.
    return null;
  }
}
