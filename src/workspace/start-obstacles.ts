/** What in a repository keeps a run from starting: a merge that is half done, and changes that are not the loop's. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RALPH_DIR, STATE_DIR } from "../core/paths.js";
import type { Git } from "./git.js";
import type { Status } from "./status.js";

/** Files of the git directory that stand for something half done, and how people call it. */
const IN_PROGRESS: Record<string, string> = {
  MERGE_HEAD: "a merge",
  "rebase-merge": "a rebase",
  "rebase-apply": "a rebase",
  CHERRY_PICK_HEAD: "a cherry-pick",
  REVERT_HEAD: "a revert",
  BISECT_LOG: "a bisect",
};

/** `a merge`; null when nothing is half done. */
export function halfDone(gitDir: string): string | null {
  const going = Object.keys(IN_PROGRESS).find((name) => existsSync(join(gitDir, name)));
  return going === undefined ? null : (IN_PROGRESS[going] ?? null);
}

export interface SeenTree {
  status: Status;
  root: string;
  /** May be uncommitted, besides `.ralph`. */
  planPaths: readonly string[];
}

/** Dirty paths other than the plan and the loop's own files. */
export async function foreignChanges(git: Pick<Git, "read">, { status, root, planPaths }: SeenTree): Promise<string[]> {
  const own = new Set(planPaths);
  const foreign = status.entries.map((entry) => entry.path).filter((path) => !own.has(path) && !path.startsWith(`${RALPH_DIR}/`));
  const paths = [...new Set(foreign)];
  if (!paths.includes(".gitignore") || !(await isOursAlone(git, root))) return paths;
  return paths.filter((path) => path !== ".gitignore");
}

/** `init` adds lines about the state folder to `.gitignore`; any other difference is the user's. */
async function isOursAlone(git: Pick<Git, "read">, root: string): Promise<boolean> {
  const committed = await git.read(["cat-file", "blob", "HEAD:.gitignore"]);
  const before = committed.code === 0 ? committed.stdout.toString("utf8") : "";
  const file = join(root, ".gitignore");
  if (!existsSync(file)) return false;
  return withoutOurs(readFileSync(file, "utf8")) === withoutOurs(before);
}

function withoutOurs(text: string): string {
  const lines = text.split("\n").filter((line) => !line.includes(STATE_DIR) && !/^#.*ralphd/i.test(line));
  return lines.join("\n").trimEnd();
}
