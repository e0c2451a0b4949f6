/** Checks that a run may start here and puts it on its branch. Never resets, cleans, stashes or forces. */
import type { RepoPlace } from "./discover.js";
import { createGit, describeFailure, expectOk, type Git } from "./git.js";
import { foreignChanges, halfDone } from "./start-obstacles.js";
import { parseStatus, STATUS_ARGS, type Status } from "./status.js";

export interface BranchOptions {
  repo: Pick<RepoPlace, "root" | "gitDir">;
  /** `run`: work on a branch of its own. `current`: stay on the branch that is checked out. */
  mode: "run" | "current";
  /** Full branch name such as `ralph/users`; only for `run`. */
  name: string;
  /** The run that starts now made this branch earlier, so it is continued. */
  owned: boolean;
  /** May be uncommitted, besides `.ralph`. */
  planPaths: string[];
  allowDirty: boolean;
  onWarning?: (message: string) => void;
}

export type BranchOutcome =
  | {
      kind: "ready";
      branch: string;
      /** The branch that was left for it; null when there was none, or the run stays where it is. */
      from: string | null;
      /** Commit under the run's first one; null on an unborn branch. */
      base: string | null;
      /** The user's own changes, which the run must not touch. */
      startDirty: string[];
    }
  | { kind: "refused"; message: string };

export async function prepareBranch(options: BranchOptions): Promise<BranchOutcome> {
  const { repo, mode, allowDirty } = options;
  const going = halfDone(repo.gitDir);
  if (going !== null) return refuse(`${going} is in progress here; finish or abort it first.`);
  const git = createGit({ root: repo.root, ...(options.onWarning === undefined ? {} : { onWarning: options.onWarning }) });
  const status = parseStatus(expectOk(await git.read(STATUS_ARGS), "status"));
  const startDirty = await foreignChanges(git, { status, root: repo.root, planPaths: options.planPaths });
  if (startDirty.length > 0 && !allowDirty) return refuse(dirtyMessage(startDirty));
  const ready = (branch: string): BranchOutcome => ({
    kind: "ready",
    branch,
    from: status.branch === branch ? null : status.branch,
    base: status.head,
    startDirty,
  });
  if (mode === "current") {
    if (status.branch === null) return refuse("HEAD is detached, so commits would belong to no branch; `git switch -c <name>` makes one.");
    return ready(status.branch);
  }
  if (options.owned && status.branch === options.name) return ready(options.name);
  return switchTo(git, options, status);

  async function switchTo(writer: Git, { name, owned }: BranchOptions, seen: Status): Promise<BranchOutcome> {
    const existing = await branchesLike(writer, name, seen);
    if (owned && existing.has(name)) {
      const switched = await writer.write(["checkout", "--quiet", name, "--"]);
      if (switched.code !== 0) return refuse(`the run's branch ${name} could not be checked out: ${describeFailure(switched)}`);
      const head = (await writer.read(["rev-parse", "--verify", "--quiet", "HEAD"])).stdout.toString("utf8").trim();
      return { kind: "ready", branch: name, from: seen.branch, base: head || null, startDirty };
    }
    const branch = freeName(name, existing);
    // Only HEAD changes: the new branch starts at the commit that is checked out, detached or not.
    const made = await writer.write(["checkout", "--quiet", "--no-track", "-b", branch]);
    return made.code === 0 ? ready(branch) : refuse(`branch ${branch} could not be made: ${describeFailure(made)}`);
  }
}

function refuse(message: string): BranchOutcome {
  return { kind: "refused", message };
}

async function branchesLike(git: Git, name: string, status: Status): Promise<Set<string>> {
  const output = expectOk(await git.read(["for-each-ref", "--format=%(refname)", `refs/heads/${name}`, `refs/heads/${name}-*`]), "for-each-ref");
  const names = output
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((ref) => ref.slice("refs/heads/".length));
  // The branch of a repository without commits exists only in HEAD.
  return new Set(status.branch === null ? names : [...names, status.branch]);
}

/** A branch of that name belongs to another run or to a person, and is left alone. */
function freeName(name: string, existing: ReadonlySet<string>): string {
  if (!existing.has(name)) return name;
  let suffix = 2;
  while (existing.has(`${name}-${suffix}`)) suffix++;
  return `${name}-${suffix}`;
}

const SHOWN_PATHS = 10;

function dirtyMessage(paths: string[]): string {
  const more = paths.length > SHOWN_PATHS ? `\n  and ${paths.length - SHOWN_PATHS} more` : "";
  const shown = paths.slice(0, SHOWN_PATHS).map((path) => `\n  ${path}`);
  return (
    `the working tree has changes that are not committed:${shown.join("")}${more}\n` +
    "Commit them, or run with --worktree (works elsewhere, on the last commit) or --allow-dirty (these paths are never touched)."
  );
}
