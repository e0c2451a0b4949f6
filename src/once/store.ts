/** Where the records lie: below the common git directory, so that worktrees share them; else in the person's state folder. */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { ONCE_DIR, TRUTH_DIR } from "../core/paths.js";
import { discoverRepo } from "../workspace/discover.js";

export async function onceStore(cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const found = await discoverRepo(cwd);
  if (found.kind === "repo") return join(found.commonDir, TRUTH_DIR, ONCE_DIR);
  const base = env["XDG_STATE_HOME"];
  return join(base !== undefined && isAbsolute(base) ? base : join(env["HOME"] ?? homedir(), ".local/state"), "ralphd", ONCE_DIR);
}
