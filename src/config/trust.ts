/** Remembers which commands of which repository a person has confirmed, by content hash, in the user's config folder. */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { writeAtomic } from "../journal/atomic.js";
import { readIfThere, userConfigDir } from "./files.js";
import { type RepositoryCommand, trustText } from "./repository-commands.js";

/** Enough for a lifetime of repositories; the oldest are asked about again. */
const MAX_REMEMBERED = 1_000;

const storeSchema = v.object({ version: v.literal(1), trusted: v.array(v.string()) });

/** null when the repository's files would run nothing, and there is nothing to confirm. */
export function trustHash(root: string, commands: readonly RepositoryCommand[]): string | null {
  if (commands.length === 0) return null;
  return createHash("sha256").update(trustText(root, commands)).digest("hex");
}

export function isTrusted(hash: string, env: NodeJS.ProcessEnv = process.env): boolean {
  return readStore(env).includes(hash);
}

/** Whether these may run without a question, since there is nothing to confirm or it was confirmed. */
export function isConfirmed(root: string, commands: readonly RepositoryCommand[], env: NodeJS.ProcessEnv = process.env): boolean {
  const hash = trustHash(root, commands);
  return hash === null || isTrusted(hash, env);
}

export type Remembering = { kind: "remembered"; path: string } | { kind: "failed"; message: string };

/** Two processes that remember at once may lose one hash; that person is asked once more. */
export function remember(hash: string, env: NodeJS.ProcessEnv = process.env): Remembering {
  const path = storePath(env);
  const hashes = [...readStore(env).filter((known) => known !== hash), hash].slice(-MAX_REMEMBERED);
  try {
    mkdirSync(userConfigDir(env), { recursive: true, mode: 0o700 });
    writeAtomic(path, `${JSON.stringify({ version: 1, trusted: hashes }, null, 1)}\n`);
    return { kind: "remembered", path };
  } catch (error) {
    return { kind: "failed", message: `could not write ${path}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Whatever can not be read trusts nothing. */
function readStore(env: NodeJS.ProcessEnv): string[] {
  try {
    const text = readIfThere(storePath(env));
    if (text === null) return [];
    const store = v.safeParse(storeSchema, JSON.parse(text));
    return store.success ? store.output.trusted : [];
  } catch {
    // A broken or unreadable store only means that the person is asked again.
    return [];
  }
}

function storePath(env: NodeJS.ProcessEnv): string {
  return join(userConfigDir(env), "trusted.json");
}
