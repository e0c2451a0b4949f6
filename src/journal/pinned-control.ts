/** Git's own config and hooks, which the agent could bend: compared with the start and put back through git's owner. */
import { mkdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Repo } from "../driver/ports.js";
import { writeAtomic } from "./atomic.js";
import type { Restoring } from "./put-back.js";
import { freeName } from "./tree-entry.js";

export async function restoreControlFiles(
  { index, keepDir, runDir, found }: Restoring,
  repo: Pick<Repo, "gitControlFiles" | "restoreControlFile">,
): Promise<void> {
  const now = new Map((await repo.gitControlFiles()).map((file) => [file.path, file.content]));
  for (const path of [...new Set([...Object.keys(index.control), ...now.keys()])].sort()) {
    const before = index.control[path] ?? null;
    const content = now.get(path) ?? null;
    if (before === content) continue;
    const keptAs = content === null ? null : relative(runDir, keep(keepDir, path, content));
    const what = content === null ? "was removed" : before === null ? "was added" : "was changed";
    found({ path, rule: "frozen", why: `${what}; it decides what git does`, keptAs }, { theirs: null, ours: null });
    await repo.restoreControlFile(path, before);
  }
}

/** The path may be absolute; its name below `rejected/git` is flat. */
function keep(keepDir: string, path: string, content: string): string {
  const to = freeName(join(keepDir, "git", path.replace(/^[\\/]+/, "").replace(/[\\/:]+/g, "__")), Buffer.from(content));
  mkdirSync(dirname(to), { recursive: true });
  writeAtomic(to, content);
  return to;
}
