/** Finds the repository around a folder, or says what is there instead. */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { startGit } from "./git-process.js";

export interface RepoPlace {
  /** Absolute root of the working tree. */
  root: string;
  /** Of this working tree, absolute. */
  gitDir: string;
  commonDir: string;
  /** Working tree of the repository that has this one as a submodule; null normally. */
  superproject: string | null;
}

export type Discovery =
  | ({ kind: "repo" } & RepoPlace)
  | { kind: "bare"; gitDir: string }
  /** `below`: repositories in the folders right below. */
  | { kind: "none"; message: string; below: string[] };

const QUESTIONS = ["--path-format=absolute", "--is-bare-repository", "--git-dir", "--git-common-dir", "--show-toplevel", "--show-superproject-working-tree"];

export async function discoverRepo(cwd: string): Promise<Discovery> {
  const result = await startGit({ args: ["rev-parse", ...QUESTIONS], cwd, optionalLocks: "none" }).finish();
  // git answers in the order of the questions and ends at the first one that has no answer.
  const [bare, gitDir, commonDir, root, superproject] = result.stdout.toString("utf8").split("\n");
  if (bare === "true" && gitDir) return { kind: "bare", gitDir };
  if (result.code === 0 && gitDir && commonDir && root) {
    return { kind: "repo", root, gitDir, commonDir, superproject: superproject || null };
  }
  const below = repositoriesBelow(cwd);
  return { kind: "none", message: whyNone(cwd, result.stderr.trim(), below), below };
}

function whyNone(cwd: string, stderr: string, below: string[]): string {
  if (below.length > 0) {
    return `${cwd} is not a git repository, but these below it are: ${below.join(", ")}. Run ralphd in one of them.`;
  }
  // Such as a folder of another owner, where git names the remedy itself.
  const detail = stderr === "" || stderr.includes("not a git repository") ? "" : ` git says: ${stderr}`;
  return `${cwd} is not in a git working tree; \`git init\` makes it one.${detail}`;
}

function repositoriesBelow(cwd: string): string[] {
  try {
    return readdirSync(realpathSync(cwd), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(cwd, entry.name, ".git")))
      .map((entry) => entry.name)
      .sort();
  } catch {
    // A folder that can't be listed has nothing to offer.
    return [];
  }
}
