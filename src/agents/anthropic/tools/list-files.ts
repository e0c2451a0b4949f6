/** Lists the files that a search should see: what git does not ignore, or a plain walk outside of git. */
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";

const GIT_TIMEOUT_MS = 30_000;
/** Bounds the walk where nothing says what to leave out. */
const MAX_WALKED = 50_000;
const NEVER_WALKED = new Set([".git", "node_modules"]);

/** Paths relative to `root` with `/`, sorted. Tracked files that are deleted can be among them. */
export async function listFiles(root: string, below: string): Promise<string[]> {
  const files = (await gitFiles(root, below)) ?? (await walk(root, below));
  return files.sort();
}

/** null when git can't tell. */
async function gitFiles(root: string, below: string): Promise<string[] | null> {
  // No file system monitor: the repository's own config must not start programs for a search.
  const args = ["--literal-pathspecs", "-c", "core.fsmonitor=false", "ls-files", "-co", "--exclude-standard", "--deduplicate", "-z", "--", below];
  try {
    const { stdout } = await promisify(execFile)("git", args, { cwd: root, timeout: GIT_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 });
    return stdout.split("\0").filter((path) => path !== "");
  } catch {
    // Not a repository, or no git: the walk gives an answer too.
    return null;
  }
}

async function walk(root: string, below: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [join(root, below)];
  for (let folder = folders.pop(); folder !== undefined && found.length < MAX_WALKED; folder = folders.pop()) {
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !NEVER_WALKED.has(entry.name)) folders.push(path);
      else if (entry.isFile()) found.push(relative(root, path).replaceAll(sep, "/"));
    }
  }
  return found;
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    // Unreadable or gone meanwhile: a search shows what can be seen.
    return [];
  }
}
