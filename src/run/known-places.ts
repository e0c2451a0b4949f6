/** Which working trees had runs, so that one command finds them all: a small file each, in the person's state folder. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { userStateDir } from "../config/files.js";
import { TRUTH_DIR } from "../core/paths.js";
import { replaceFile } from "../journal/atomic.js";
import { gitDirAt } from "../workspace/layout.js";

/** More than a person looks at; the places that were used longest ago are forgotten first. */
const MAX_PLACES = 200;
const FOLDER = "places";

const placeSchema = v.object({
  version: v.literal(1),
  /** Of the working tree; absolute. */
  root: v.string(),
  /** Below its git directory; absolute. */
  truthDir: v.string(),
  /** When a run was last started there; ISO 8601. */
  startedAt: v.string(),
});
export type KnownPlace = v.InferOutput<typeof placeSchema>;

export function placesDir(env: NodeJS.ProcessEnv): string {
  return join(userStateDir(env), FOLDER);
}

/** A file for each, so that two runs that start at once lose nothing of each other. Best effort: returns the problem. */
export function rememberPlace(place: { root: string; truthDir: string }, env: NodeJS.ProcessEnv, nowIso: string): string | null {
  const folder = placesDir(env);
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
  return readPlaces(placesDir(env)).map(({ place }) => place);
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

/**
 * False for a removed worktree or repository, and where a forged file would have another record speak for the one at
 * `root`: an agent without a sandbox can write here.
 */
function isThere({ root, truthDir }: KnownPlace): boolean {
  try {
    const gitDir = gitDirAt(root);
    return gitDir !== null && realpathSync(truthDir) === realpathSync(join(gitDir, TRUTH_DIR));
  } catch {
    // Nothing is there, or nothing that can be read.
    return false;
  }
}

function readPlace(path: string): KnownPlace | null {
  try {
    const place: unknown = JSON.parse(readFileSync(path, "utf8"));
    return v.is(placeSchema, place) ? place : null;
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
