/** Which working trees had runs, so that one command finds them all: a small file each, in the person's state folder. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { userStateDir } from "../config/files.js";
import { replaceFile } from "../journal/atomic.js";

/** More than a person looks at; the places that were used longest ago are forgotten first. */
const MAX_PLACES = 200;
const FOLDER = "places";

const placeSchema = z.object({
  version: z.literal(1),
  /** Of the working tree; absolute. */
  root: z.string(),
  /** Below its git directory; absolute. */
  truthDir: z.string(),
  /** When a run was last started there; ISO 8601. */
  startedAt: z.string(),
});
export type KnownPlace = z.infer<typeof placeSchema>;

/** A file for each, so that two runs that start at once lose nothing of each other. Best effort: returns the problem. */
export function rememberPlace(place: { root: string; truthDir: string }, env: NodeJS.ProcessEnv, nowIso: string): string | null {
  const folder = join(userStateDir(env), FOLDER);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const known: KnownPlace = { version: 1, ...place, startedAt: nowIso };
    const name = createHash("sha256").update(place.truthDir).digest("hex").slice(0, 32);
    replaceFile(join(folder, `${name}.json`), `${JSON.stringify(known)}\n`);
    if (readdirSync(folder).length > MAX_PLACES) for (const { path } of readPlaces(folder).slice(MAX_PLACES)) rmSync(path, { force: true });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The latest first. What is gone is forgotten on the way. */
export function knownPlaces(env: NodeJS.ProcessEnv): KnownPlace[] {
  return readPlaces(join(userStateDir(env), FOLDER)).map(({ place }) => place);
}

function readPlaces(folder: string): { path: string; place: KnownPlace }[] {
  const found = list(folder).flatMap((name) => {
    const path = join(folder, name);
    const place = readPlace(path);
    if (place !== null && isThere(place)) return [{ path, place }];
    forget(path);
    return [];
  });
  return found.sort((a, b) => (a.place.startedAt < b.place.startedAt ? 1 : -1));
}

/** A removed worktree or repository; a clone at the same place has another truth. */
function isThere({ root, truthDir }: KnownPlace): boolean {
  return existsSync(truthDir) && statSync(root, { throwIfNoEntry: false })?.isDirectory() === true;
}

function readPlace(path: string): KnownPlace | null {
  try {
    const parsed = placeSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    // Half a file or none: the next run there writes it anew.
    return null;
  }
}

function forget(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A folder that can't be written is read again as it is.
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    // No run has been started yet.
    return [];
  }
}
