/** Finds the working tree that a folder belongs to. */
import { realpathSync } from "node:fs";
import { startGit } from "./git-process.js";

/** Absolute path of the working tree's root; null outside of one, which includes bare repositories and `.git` itself. */
export async function findRoot(cwd: string): Promise<string | null> {
  const result = await startGit({ cwd, args: ["rev-parse", "--show-toplevel"], optionalLocks: "none" }).finish();
  const root = result.stdout.toString("utf8").replace(/\r?\n$/, "");
  return result.code === 0 && root !== "" ? realpathSync(root) : null;
}
