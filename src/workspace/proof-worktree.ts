/** Clean worktrees of a commit in the system's temporary folder, and the removal of those that dead runs left. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expectOk, type Git } from "./git.js";
import { processStart } from "./process-identity.js";

/** `ralphd-proof-<pid>-<process start>-<random>`: the name says whose it is. */
const NAME = /^ralphd-proof-(\d+)-(\w+)-/;

export async function addProofWorktree(git: Git, commonDir: string, commit: string): Promise<{ path: string; dispose(): Promise<void> }> {
  await reapProofWorktrees(git, commonDir);
  const path = mkdtempSync(join(tmpdir(), `ralphd-proof-${process.pid}-${processStart(process.pid) ?? "0"}-`));
  expectOk(await git.write(["worktree", "add", "--detach", "--force", "--quiet", path, commit]), "worktree add");
  return { path, dispose: () => removeWorktree(git, path) };
}

/** Leftovers hold a place in the repository for ever and meet limits in the end; only ours are touched. */
async function reapProofWorktrees(git: Git, commonDir: string): Promise<number> {
  let reaped = 0;
  for (const path of registeredWorktrees(commonDir)) {
    const [, pid, start] = NAME.exec(basename(path)) ?? [];
    if (pid === undefined || processStart(Number(pid)) === start) continue;
    await removeWorktree(git, path);
    reaped++;
  }
  return reaped;
}

/** Twice forced: also when setup left files in it or something locked it. Works when the folder is gone already. */
async function removeWorktree(git: Git, path: string): Promise<void> {
  await git.write(["worktree", "remove", "--force", "--force", path]);
  rmSync(path, { recursive: true, force: true });
}

function registeredWorktrees(commonDir: string): string[] {
  const admin = join(commonDir, "worktrees");
  return list(admin).flatMap((name) => {
    try {
      return [dirname(readFileSync(join(admin, name, "gitdir"), "utf8").trim())];
    } catch {
      // Half removed; `git worktree prune` of the user deals with it.
      return [];
    }
  });
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A repository without linked worktrees has no such folder.
    return [];
  }
}
