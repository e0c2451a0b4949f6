/** One run per working tree: a lock file that names its owner so well that a dead or recycled one is never obeyed. */
import { randomBytes } from "node:crypto";
import { constants, copyFileSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { onDisk } from "../core/disk-error.js";
import { LOCK_FILE } from "../core/paths.js";
import { type LockOwner, readLock, readOwner, whyGone } from "./lock-state.js";
import { bootId, processStart } from "./process-identity.js";

export type Acquired =
  /** `tookOver` says whose lock was taken over and why; null normally. */
  { kind: "acquired"; tookOver: string | null; release(): void } | { kind: "held"; owner: LockOwner | null };

/** Each round means that another starter was faster; one of them has the lock by then. */
const MAX_ROUNDS = 200;
const ROUND_MS = 5;
const GUARD_SUFFIX = ".takeover";

/** Throws DiskError. */
export function acquireLock(truthDir: string, claim: { run: string }): Acquired {
  const path = join(truthDir, LOCK_FILE);
  return onDisk(path, () => {
    mkdirSync(truthDir, { recursive: true });
    return acquire(truthDir, path, claim);
  });
}

function acquire(truthDir: string, path: string, claim: { run: string }): Acquired {
  let tookOver: string | null = null;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (createLock(path, claim.run)) return { kind: "acquired", tookOver, release: () => releaseLock(path) };
    const state = readLock(truthDir);
    if (state.kind === "unreadable") return { kind: "held", owner: null };
    if (state.kind === "held") return isOurs(state.owner) ? again(path, state.owner, claim.run) : { kind: "held", owner: state.owner };
    if (state.kind === "stale") tookOver = removeStale(truthDir, path) ?? tookOver;
  }
  return { kind: "held", owner: null };
}

/** The process that has the lock may take it again, as a resumed run does; only the first holder's release frees it. */
function again(path: string, owner: LockOwner, run: string): Acquired {
  if (owner.run !== run) {
    const temporary = aside(path);
    writeFileSync(temporary, `${JSON.stringify({ ...owner, run })}\n`);
    renameSync(temporary, path);
  }
  return { kind: "acquired", tookOver: null, release: () => {} };
}

function isOurs(owner: LockOwner): boolean {
  return owner.pid === process.pid && owner.start === processStart(process.pid);
}

/** Written aside and linked into place: exclusive like `wx`, and never seen half written. */
function createLock(path: string, run: string): boolean {
  const owner: LockOwner = {
    pid: process.pid,
    start: processStart(process.pid),
    boot: bootId(),
    run,
    startedAt: new Date().toISOString(),
    host: hostname(),
  };
  const temporary = aside(path);
  try {
    writeFileSync(temporary, `${JSON.stringify(owner)}\n`, { flag: "wx" });
    return placeExclusively(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function placeExclusively(file: string, path: string): boolean {
  try {
    linkSync(file, path);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "EEXIST") return false;
    if (!NO_HARD_LINKS.has(code)) throw error;
  }
  try {
    copyFileSync(file, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** What file systems without hard links answer. */
const NO_HARD_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/**
 * Only the holder of the guard removes a lock, and only after reading it again: without that, a slow
 * starter could remove the living lock that a faster one has put in the place of the stale one.
 * Returns why the lock was stale, or null when someone else was faster.
 */
function removeStale(truthDir: string, path: string): string | null {
  const guard = `${path}${GUARD_SUFFIX}`;
  if (!createLock(guard, "takeover")) {
    removeDeadGuard(guard);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ROUND_MS);
    return null;
  }
  try {
    const state = readLock(truthDir);
    if (state.kind !== "stale") return null;
    rmSync(path, { force: true });
    return state.why;
  } finally {
    rmSync(guard, { force: true });
  }
}

/** A guard lives for less than a millisecond; one whose process is gone was left by a crash in just that time. */
function removeDeadGuard(guard: string): void {
  const owner = readOwner(guard);
  if (owner === null || whyGone(owner) === null) return;
  const taken = aside(guard);
  try {
    renameSync(guard, taken);
  } catch (error) {
    // Another starter took it away first.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return;
  }
  const found = readOwner(taken);
  // A living guard came along: it goes back, unless yet another one stands there already.
  if (found !== null && whyGone(found) === null) placeExclusively(taken, guard);
  rmSync(taken, { force: true });
}

function releaseLock(path: string): void {
  const owner = readOwner(path);
  if (owner !== null && isOurs(owner)) rmSync(path, { force: true });
}

function aside(path: string): string {
  return `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
}
