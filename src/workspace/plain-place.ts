/**
 * The working tree around a folder where that is plain to see, without git: starting it takes longer than all that
 * `status` does. Whatever is out of the ordinary gives null, and git is asked; where there is an answer, it is git's.
 */
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Parts that git wants of its own folder. */
const PARTS = ["HEAD", "objects", "refs"];
/** Settings of git's environment that move or limit the search. */
const SEARCH = ["GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"];
/** Configuration that could put the working tree elsewhere, or says that there is none. */
const UNUSUAL = /worktree|include|partialclone|\bbare\b(?!\s*=\s*false\s*$)/im;

export function plainPlace(cwd: string, env: NodeJS.ProcessEnv): { root: string; gitDir: string } | null {
  if (SEARCH.some((name) => env[name] !== undefined)) return null;
  try {
    const start = realpathSync(cwd);
    const { dev } = statSync(start);
    for (let folder = start; statSync(folder).dev === dev; folder = dirname(folder)) {
      if (hasParts(folder)) return null;
      const gitDir = join(folder, ".git");
      if (exists(gitDir)) return isPlain(folder, gitDir) ? { root: folder, gitDir } : null;
      if (dirname(folder) === folder) return null;
    }
    return null;
  } catch {
    // A folder that can't be read or went away: git has the words for it.
    return null;
  }
}

function isPlain(root: string, gitDir: string): boolean {
  const own = lstatSync(gitDir);
  const user = process.getuid?.() ?? -1;
  // A repository of somebody else is git's to refuse.
  if (!own.isDirectory() || own.uid !== user || statSync(root).uid !== user) return false;
  return hasParts(gitDir) && !UNUSUAL.test(readFileSync(join(gitDir, "config"), "utf8"));
}

function hasParts(folder: string): boolean {
  return PARTS.every((name) => exists(join(folder, name)));
}

/** A link that leads nowhere is something too. */
function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
