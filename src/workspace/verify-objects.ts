/** Objects that came into git's store since a moment, each held against its id: a checkout would take them as they lie there. */
import { type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { ForgedObject } from "../core/forged-object.js";
import { namesIn } from "../quiet-files.js";
import type { Git } from "./git.js";
import type { Objects } from "./objects.js";

/** Clocks of file systems tick in steps, some of whole seconds. */
const CLOCK_STEP_MS = 2_000;

/** A fetch may bring gigabytes. */
const PACK_TIMEOUT_MS = 10 * 60_000;

/** Throws ForgedObject. By the change time, which nobody but root can set: what was replaced counts as new. */
export async function verifyObjects(
  room: { git: Git; objects: Objects; store: string; onWarning?: (message: string) => void },
  sinceMs: number,
): Promise<void> {
  const { git, objects, store } = room;
  const isNew = (path: string): boolean => (statOf(path)?.ctimeMs ?? 0) >= sinceMs - CLOCK_STEP_MS;
  for (const folder of namesIn(store).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    // Its reader checks the id of all that it reads.
    for (const name of namesIn(join(store, folder))) if (isObject(name) && isNew(join(store, folder, name))) await objects.object(folder + name);
  }
  for (const name of namesIn(join(store, "pack"))) {
    const path = join(store, "pack", name);
    if (!name.endsWith(".idx") || !(isNew(path) || isNew(path.replace(/idx$/, "pack")))) continue;
    const { code, timedOut } = await git.read(["verify-pack", path], { timeoutMs: PACK_TIMEOUT_MS });
    if (timedOut) room.onWarning?.(`${path} came during the run and could not be checked in time; \`git fsck\` does it`);
    else if (code !== 0) throw new ForgedObject("pack", name);
  }
}

function isObject(name: string): boolean {
  return /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/.test(name);
}

/** Git moves objects into packs at any time. */
function statOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}
