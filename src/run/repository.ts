/** The repository of a run: put on the run's branch or into a worktree of its own. */
import { copyFileSync, cpSync, existsSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { RALPH_DIR, STATE_DIR } from "../core/paths.js";
import type { Settings } from "../core/settings.js";
import { prepareBranch } from "../workspace/branch.js";
import type { RepoPlace } from "../workspace/discover.js";
import { createGit, describeFailure } from "../workspace/git.js";
import { Refusal } from "./refusal.js";
import { requireRepo } from "./require-repo.js";

/** Git's limit for a path component is 255 bytes; a readable name ends long before. */
const MAX_SLUG = 40;

/** `ralph/<slug>` from the plan's name or the objective, unless a name was given. */
function branchName(settings: Settings): string {
  if (settings.branch !== null) return settings.branch;
  const source = settings.objective ?? basename(settings.plan ?? "run").replace(/\.[^.]*$/, "");
  const slug = source
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, MAX_SLUG)
    .replace(/-+$/, "");
  return `ralph/${slug === "" ? "run" : slug}`;
}

export async function prepareRunBranch(repo: RepoPlace, settings: Settings, onWarning: (message: string) => void) {
  const outcome = await prepareBranch({
    repo,
    mode: settings.branchMode,
    name: branchName(settings),
    owned: false,
    planPaths: settings.plan === null ? [] : [settings.plan],
    allowDirty: settings.allowDirty,
    onWarning,
  });
  if (outcome.kind === "refused") throw new Refusal(outcome.message);
  return outcome;
}

/**
 * A worktree beside the repository, on the run's branch, with plan and loop files copied into it.
 * Outside of the repository, because a worktree inside it would be staged as a nested one.
 */
export async function enterWorktree(repo: RepoPlace, settings: Settings, run: string): Promise<{ repo: RepoPlace; from: string | null }> {
  const path = join(dirname(repo.root), `${basename(repo.root)}.ralphd`, run);
  mkdirSync(dirname(path), { recursive: true });
  const git = createGit({ root: repo.root });
  const name = branchName(settings);
  const head = await git.read(["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const from = head.code === 0 ? head.stdout.toString("utf8").trim() : null;
  for (const branch of [name, `${name}-${run}`]) {
    const added = await git.write(["worktree", "add", "--quiet", "-b", branch, path]);
    if (added.code === 0) break;
    if (branch !== name) throw new Refusal(`The worktree ${path} could not be made: ${describeFailure(added)}`);
  }
  for (const own of settings.plan === null ? [] : [settings.plan]) {
    mkdirSync(dirname(join(path, own)), { recursive: true });
    copyFileSync(join(repo.root, own), join(path, own));
  }
  if (existsSync(join(repo.root, RALPH_DIR))) {
    cpSync(join(repo.root, RALPH_DIR), join(path, RALPH_DIR), { recursive: true, filter: (from) => !from.startsWith(join(repo.root, STATE_DIR)) });
  }
  return { repo: await requireRepo(path), from };
}
