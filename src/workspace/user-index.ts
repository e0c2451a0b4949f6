/** Makes the user's index match a new commit, so that `git status` is clean, without touching working files. */
import { closeSync, openSync, renameSync, rmSync } from "node:fs";
import { onDisk } from "../core/disk-error.js";
import type { TreeChange } from "../driver/ports.js";
import type { Git } from "./git.js";
import { type LockWait, waitForLockFile } from "./git-lock.js";
import { copyIndex } from "./index-file.js";

export type SyncOutcome = { kind: "synced" } | { kind: "locked" };

/** Replaces the index as a whole, by git's own protocol: exclusive creation of the lock, write, rename. */
export async function replaceIndex(from: string, indexFile: string, wait: Omit<LockWait, "attempt" | "startedMs">): Promise<SyncOutcome> {
  const lock = `${indexFile}.lock`;
  const startedMs = Date.now();
  for (let attempt = 0; !createExclusively(lock); attempt++) {
    if (!(await waitForLockFile(lock, { ...wait, attempt, startedMs }))) return { kind: "locked" };
  }
  onDisk(indexFile, () => {
    try {
      copyIndex(from, lock);
      renameSync(lock, indexFile);
    } catch (error) {
      rmSync(lock, { force: true });
      throw error;
    }
  });
  return { kind: "synced" };
}

function createExclusively(path: string): boolean {
  try {
    closeSync(openSync(path, "wx"));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Sets only what the commit changed; whatever else the user has staged or changed stays as it was. */
export async function patchIndex(git: Pick<Git, "write">, changes: TreeChange[]): Promise<SyncOutcome> {
  if (changes.length === 0) return { kind: "synced" };
  const input = changes.map((change) => `${change.kind === "deleted" ? "0" : change.newMode} ${change.newOid}\t${change.path}\0`).join("");
  const result = await git.write(["update-index", "-z", "--add", "--replace", "--index-info"], { input });
  if (result.code !== 0) return { kind: "locked" };
  // Fills in stat data; it exits with 1 when some file differs, which is the user's business.
  await git.write(["update-index", "-q", "--refresh"]);
  return { kind: "synced" };
}
