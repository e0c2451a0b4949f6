/** Where the records lie: below the common git directory, so that worktrees share them; else in the person's state folder. */
import { join } from "node:path";
import { userStateDir } from "../config/files.js";
import { ONCE_DIR, TRUTH_DIR } from "../core/paths.js";
import { discoverRepo } from "../workspace/discover.js";

export async function onceStore(cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const found = await discoverRepo(cwd);
  if (found.kind === "repo") return join(found.commonDir, TRUTH_DIR, ONCE_DIR);
  return join(userStateDir(env), ONCE_DIR);
}
