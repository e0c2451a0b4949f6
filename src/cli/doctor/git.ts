/** What git is like here: version, identity, hooks, signing, and a working tree that a run can start from. */
import { join } from "node:path";
import { TRUTH_DIR } from "../../core/paths.js";
import { createGit, describeFailure, expectOk, type Git, startGit } from "../../workspace/git.js";
import { pinConfig } from "../../workspace/git-config.js";
import { hasHook } from "../../workspace/hooks.js";
import { FALLBACK_IDENTITY, readIdentity } from "../../workspace/identity.js";
import { layoutOf } from "../../workspace/layout.js";
import { readLock } from "../../workspace/lock-state.js";
import type { RepoPlace } from "../../workspace/discover.js";
import { foreignChanges, halfDone } from "../../workspace/start-obstacles.js";
import { parseStatus, STATUS_ARGS } from "../../workspace/status.js";
import { plural } from "../../report/format.js";
import type { Examined } from "./examined.js";
import { type Finding, gap, hint, ok } from "./finding.js";
import { COMMIT_HOOKS } from "./writes.js";

/** The first with `rev-parse --path-format`, by which the repository is found. */
const OLDEST_GIT = [2, 31] as const;
/** A key that asks for a passphrase waits for ever. */
const SIGNING_TIMEOUT_MS = 15_000;

export interface GitFindings {
  findings: Finding[];
  /** Where this repository's hooks are; null without one. */
  hooksDir: string | null;
}

export async function checkGit({ cwd, repo, repoProblem, settings }: Examined): Promise<GitFindings> {
  const version = await gitVersion(cwd);
  if (repo === null)
    return {
      findings: [
        version,
        gap("machine.repository", repoProblem ?? "there is no repository here", "Progress is kept in git: run `git init`, then `ralphd init`."),
      ],
      hooksDir: null,
    };
  const git = createGit({ root: repo.root });
  try {
    const config = await pinConfig(git, layoutOf(repo.root, repo.gitDir));
    const signs = config.signs && settings.signCommits;
    const planPaths = settings.plan === null ? [] : [settings.plan];
    const [tree, who, signed] = await Promise.all([workingTree(git, repo, planPaths), identity(git), signs ? signing(git) : null]);
    return {
      findings: [
        version,
        lock(join(repo.gitDir, TRUTH_DIR), repo.root),
        tree,
        who,
        hooks(config.hooksDir),
        ...(signed === null ? [ok("machine.signing", "commits are not signed")] : [signed]),
      ],
      hooksDir: config.hooksDir,
    };
  } finally {
    await git.close();
  }
}

async function gitVersion(cwd: string): Promise<Finding> {
  const result = await startGit({ cwd, args: ["--version"], optionalLocks: "none" }).finish();
  const text = result.stdout.toString("utf8").trim();
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  const id = "machine.git";
  if (major === undefined || minor === undefined) return gap(id, `git does not say its version: ${describeFailure(result)}`, "Install git and put it on PATH.");
  const tooOld = Number(major) < OLDEST_GIT[0] || (Number(major) === OLDEST_GIT[0] && Number(minor) < OLDEST_GIT[1]);
  return tooOld ? gap(id, `${text} is too old`, `Install git ${OLDEST_GIT.join(".")} or newer.`) : ok(id, text);
}

function lock(truthDir: string, root: string): Finding {
  const held = readLock(truthDir);
  if (held.kind === "held")
    return hint(
      "machine.repository",
      `run ${held.owner.run} is going on in ${root} (process ${held.owner.pid})`,
      "`ralphd status` says how it stands; a second one needs a worktree of its own.",
    );
  return ok("machine.repository", `${root}; no run is going on`);
}

/** What a start of a run would refuse. */
async function workingTree(git: Git, { root, gitDir }: RepoPlace, planPaths: readonly string[]): Promise<Finding> {
  const id = "machine.tree";
  const going = halfDone(gitDir);
  if (going !== null) return gap(id, `${going} is in progress; no run starts in it`, "Finish or abort it first.");
  const status = parseStatus(expectOk(await git.read(STATUS_ARGS), "status"));
  const [first, ...more] = await foreignChanges(git, { status, root, planPaths });
  if (first === undefined) return ok(id, "no changes wait to be committed but the loop's own");
  const others = more.length === 0 ? "" : ` and ${plural(more.length, "other path")}`;
  return hint(
    id,
    `${first}${others} ${more.length === 0 ? "has" : "have"} changes that are not committed; a run begins on what is`,
    "Commit them, or run with --worktree (works elsewhere, on the last commit) or --allow-dirty (these paths are never touched).",
  );
}

async function identity(git: Git): Promise<Finding> {
  const { author } = await readIdentity(git);
  if (author !== FALLBACK_IDENTITY) return ok("machine.identity", `commits are by ${author}`);
  return hint(
    "machine.identity",
    `git knows no name here, so commits are by ${FALLBACK_IDENTITY}`,
    "`git config user.name` and `git config user.email` name you.",
  );
}

function hooks(dir: string): Finding {
  const present = COMMIT_HOOKS.filter((hook) => hasHook(dir, hook));
  if (present.length === 0) return ok("machine.hooks", "no commit hooks");
  return ok("machine.hooks", `commit hooks run with every commit and may refuse it: ${present.join(", ")} in ${dir}`);
}

/** Signs an object that nothing refers to, without a terminal, as at night. */
async function signing(git: Git): Promise<Finding> {
  const id = "machine.signing";
  const head = await git.read(["rev-parse", "--verify", "--quiet", "HEAD^{tree}"]);
  if (head.code !== 0)
    return hint(
      id,
      "commits are to be signed, and there is none yet to try it with",
      "Make a first commit, then ask again; `signCommits: false` leaves the driver's commits unsigned.",
    );
  const result = await git.read(["commit-tree", "-S", "-m", "ralphd doctor: can it be signed?", head.stdout.toString("utf8").trim()], {
    locale: "user",
    timeoutMs: SIGNING_TIMEOUT_MS,
  });
  if (result.code === 0)
    return hint(
      id,
      "commits are signed, and a signature works now",
      "Make sure that it works all night: a passphrase that is forgotten after some minutes stops the run. `signCommits: false` leaves the driver's commits unsigned.",
    );
  return gap(
    id,
    `commits are to be signed, and that fails: ${describeFailure(result)}`,
    "Unlock or correct the key (`user.signingkey`, `gpg.format`), or set `signCommits: false`.",
  );
}
