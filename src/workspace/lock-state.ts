/** Who holds the lock of a working tree, for everyone who only looks; `lock.ts` takes it. */
import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { LOCK_FILE } from "../core/paths.js";
import { bootId, processStart } from "./process-identity.js";

const ownerSchema = v.object({
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** Start time of the process, in the system's own unit. */
  start: v.nullable(v.string()),
  boot: v.nullable(v.string()),
  run: v.pipe(v.string(), v.nonEmpty()),
  /** ISO 8601. */
  startedAt: v.string(),
  host: v.string(),
});

export type LockOwner = v.InferOutput<typeof ownerSchema>;

export type LockState =
  | { kind: "free" }
  | { kind: "held"; owner: LockOwner }
  /** Its owner is gone; why we think so. */
  | { kind: "stale"; owner: LockOwner | null; why: string }
  /** Empty or damaged, and too young to be a leftover. */
  | { kind: "unreadable" };

/** A lock appears complete or not at all, so an unreadable one is damage; it still gets this long to be someone's. */
const UNREADABLE_STALE_MS = 60_000;

export function readLock(truthDir: string): LockState {
  const path = join(truthDir, LOCK_FILE);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return { kind: "free" };
  const owner = readOwner(path);
  if (owner === null) {
    const old = Date.now() - stat.mtimeMs > UNREADABLE_STALE_MS;
    return old ? { kind: "stale", owner: null, why: "the lock names no owner and is old" } : { kind: "unreadable" };
  }
  const why = whyGone(owner);
  return why === null ? { kind: "held", owner } : { kind: "stale", owner, why };
}

/** null while the owner lives. */
export function whyGone(owner: LockOwner): string | null {
  // Another machine's processes can not be seen from here.
  if (owner.host !== hostname()) return null;
  if (owner.boot !== bootId()) return `run ${owner.run} was interrupted by a restart of the machine`;
  const start = processStart(owner.pid);
  if (start === null) return `run ${owner.run} was interrupted: its process ${owner.pid} is gone`;
  if (start !== owner.start) return `run ${owner.run} was interrupted: its process number ${owner.pid} belongs to another program now`;
  return null;
}

export function readOwner(path: string): LockOwner | null {
  try {
    const owner: unknown = JSON.parse(readFileSync(path, "utf8"));
    return v.is(ownerSchema, owner) ? owner : null;
  } catch {
    // Missing, empty or damaged: it names nobody.
    return null;
  }
}
