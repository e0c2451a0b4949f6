/** Where the records lie: below the common git directory, so that worktrees share them; else in the person's state folder. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { userStateDir } from "../config/files.js";
import { ONCE_DIR, TRUTH_DIR, WRITES_DIR } from "../core/paths.js";
import { discoverRepo } from "../workspace/discover.js";
import { SCOPE_VARIABLE, scopeStore, scopeStores } from "./scope.js";

/** Of what the driver itself writes elsewhere: apart, because agents may write into the other one. */
export function driverStore(commonDir: string): string {
  return join(commonDir, TRUTH_DIR, WRITES_DIR);
}

/** Where a person's answer may belong: the records of commands, then those of gates and hooks, then those of the driver. */
export async function allStores(cwd: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const found = await discoverRepo(cwd);
  return [await onceStore(cwd, env), ...(found.kind === "repo" ? [...scopeStores(found.commonDir), driverStore(found.commonDir)] : [])];
}

/** Throws where a repository is that git can't read: kept elsewhere, a record would not be found by the next call. */
export async function onceStore(cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const found = await discoverRepo(cwd);
  const scope = env[SCOPE_VARIABLE];
  if (found.kind === "repo") return scope === undefined ? join(found.commonDir, TRUTH_DIR, ONCE_DIR) : scopeStore(found.commonDir, scope);
  if (found.kind === "none" && hasGitAbove(cwd)) throw new UnreadableRepository(found.message);
  return join(userStateDir(env), ONCE_DIR);
}

export class UnreadableRepository extends Error {}

function hasGitAbove(folder: string): boolean {
  return existsSync(join(folder, ".git")) || (dirname(folder) !== folder && hasGitAbove(dirname(folder)));
}
