/** The repository around a folder, for what can't do without one. */
import { discoverRepo, type RepoPlace } from "../workspace/discover.js";
import { Refusal } from "./refusal.js";

export async function requireRepo(cwd: string): Promise<RepoPlace> {
  const found = await discoverRepo(cwd);
  switch (found.kind) {
    case "repo":
      return { root: found.root, gitDir: found.gitDir, commonDir: found.commonDir, superproject: found.superproject };
    case "bare":
      throw new Refusal(`${found.gitDir} is a bare repository; a run needs a working tree. \`git worktree add\` makes one.`);
    case "none":
      throw new Refusal(found.message);
  }
}
