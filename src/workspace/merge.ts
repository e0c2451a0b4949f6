/**
 * Takes a run's branch into another one. The work happens in a scratch worktree, so that a conflict or a refusing
 * hook leaves branches, index and files of the person exactly as they were. Nothing is ever forced.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGit, describeFailure, type Git, type GitResult } from "./git.js";
import { pinConfig } from "./git-config.js";
import { layoutOf } from "./layout.js";

export type MergeWay = "merge" | "squash" | "rebase";

export interface MergeRequest {
  root: string;
  gitDir: string;
  /** Commit of the run's branch. */
  commit: string;
  /** Name of the branch that takes it in. */
  into: string;
  way: MergeWay;
  message: string;
  /** Paths that stay as the taking branch has them; only for `squash`. */
  leaveOut: readonly string[];
}

export type MergeOutcome =
  | { kind: "merged"; commit: string /** The tree is the one that the run ended with. */; same: boolean }
  | { kind: "nothing" }
  | { kind: "conflict"; paths: string[] }
  | { kind: "refused"; message: string };

/** Hooks of a merge may run whole test suites. */
const HOOKS_TIMEOUT_MS = 30 * 60_000;

export async function mergeRun(request: MergeRequest): Promise<MergeOutcome> {
  const git = createGit({ root: request.root, timeoutMs: HOOKS_TIMEOUT_MS });
  const target = await oidOf(git, `refs/heads/${request.into}`);
  if (target === null) return { kind: "refused", message: `there is no branch ${request.into}` };
  if ((await git.read(["merge-base", "--is-ancestor", request.commit, target])).code === 0) return { kind: "nothing" };
  const folder = mkdtempSync(join(tmpdir(), "ralphd-accept-"));
  const place = join(folder, "tree");
  try {
    const added = await git.write(["worktree", "add", "--detach", "--quiet", place, target]);
    if (added.code !== 0) return { kind: "refused", message: describeFailure(added) };
    const made = await make(createGit({ root: place, timeoutMs: HOOKS_TIMEOUT_MS }), request, target);
    return typeof made === "string" ? await moveBranch(git, request, { from: target, to: made }) : made;
  } finally {
    await git.write(["worktree", "remove", "--force", place]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The new commit, made in the scratch worktree with the person's hooks, signing and identity. */
async function make(scratch: Git, request: MergeRequest, target: string): Promise<string | Exclude<MergeOutcome, { kind: "merged" }>> {
  const { hooksDir } = await pinConfig(scratch, layoutOf(request.root, request.gitDir));
  const run = (...args: string[]): Promise<GitResult> => scratch.write(args, { hooksPath: hooksDir, locale: "user" });
  const result = await perform(run, request, target);
  if (result.code !== 0) {
    const paths = (await scratch.read(["diff", "--name-only", "--diff-filter=U", "-z"])).stdout.toString("utf8").split("\0").filter(Boolean);
    return paths.length > 0 ? { kind: "conflict", paths } : { kind: "refused", message: describeFailure(result) };
  }
  const head = await oidOf(scratch, "HEAD");
  return head === null || head === target ? { kind: "nothing" } : head;
}

async function perform(run: (...args: string[]) => Promise<GitResult>, request: MergeRequest, target: string): Promise<GitResult> {
  const { commit, message, way, leaveOut } = request;
  if (way === "merge") return run("merge", "--no-ff", "-m", message, commit);
  if (way === "rebase") {
    const switched = await run("checkout", "--quiet", "--detach", commit);
    return switched.code === 0 ? run("rebase", target) : switched;
  }
  const squashed = await run("merge", "--squash", commit);
  if (squashed.code !== 0) return squashed;
  for (const path of leaveOut) {
    // What the branch does not have is taken out, the rest is as the branch has it.
    await run("rm", "-r", "--quiet", "--force", "--ignore-unmatch", "--", path);
    if ((await run("cat-file", "-e", `${target}:${path}`)).code === 0) await run("checkout", "--quiet", target, "--", path);
  }
  return run("commit", "--quiet", "-m", message);
}

/** Where the branch is checked out, git itself moves it on and refuses to touch a file that a person has changed. */
async function moveBranch(git: Git, { into, commit, way }: MergeRequest, { from, to }: { from: string; to: string }): Promise<MergeOutcome> {
  const holder = await worktreeOf(git, into);
  const moved =
    holder === null
      ? await git.write(["update-ref", "-m", `ralphd accept (${way})`, `refs/heads/${into}`, to, from])
      : await createGit({ root: holder }).write(["merge", "--ff-only", "--quiet", to]);
  if (moved.code !== 0) return { kind: "refused", message: `${into} could not be moved on: ${describeFailure(moved)}` };
  const same = (await git.read(["diff", "--quiet", commit, to])).code === 0;
  return { kind: "merged", commit: to, same };
}

async function worktreeOf(git: Git, branch: string): Promise<string | null> {
  const listed = (await git.read(["worktree", "list", "--porcelain", "-z"])).stdout.toString("utf8");
  const block = listed.split("\0\0").find((one) => one.split("\0").includes(`branch refs/heads/${branch}`));
  return (
    block
      ?.split("\0")
      .find((line) => line.startsWith("worktree "))
      ?.slice("worktree ".length) ?? null
  );
}

async function oidOf(git: Git, name: string): Promise<string | null> {
  const result = await git.read(["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
  return result.code === 0 ? result.stdout.toString("utf8").trim() : null;
}
