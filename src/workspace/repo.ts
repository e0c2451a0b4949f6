/** The `Repo` port on real git. */
import { join } from "node:path";
import { REF_PREFIX } from "../core/paths.js";
import type { Repo, RepoLook, Wrap } from "../driver/ports.js";
import { openCandidateIndex } from "./candidate.js";
import { type Committing, commitTree, writeUnsigned } from "./commit.js";
import { readControlFiles, writeControlFile } from "./control-files.js";
import { createGit, describeFailure, expectOk, type Git, type GitOptions } from "./git.js";
import { type PinnedConfig, pinConfig } from "./git-config.js";
import { readIdentity } from "./identity.js";
import { layoutOf } from "./layout.js";
import { type Objects, openObjects } from "./objects.js";
import { addProofWorktree } from "./proof-worktree.js";
import { createRefWriter } from "./refs.js";
import { restorePaths } from "./restore.js";
import { parseStatus, STATUS_ARGS } from "./status.js";
import { diffTrees, idWithout } from "./tree-diff.js";
import { verifyObjects } from "./verify-objects.js";

export interface RepoOptions {
  root: string;
  /** Absolute; of this working tree. */
  gitDir: string;
  /** New files above this size are left out. */
  maxFileBytes: number;
  /** Sign when the user's configuration asks for it. */
  signCommits: boolean;
  timeoutMs?: number;
  staleLockMs?: number;
  lockWaitMs?: number;
  onWarning?: (message: string) => void;
  /** Added to the environment of commit hooks, so that they are known as children of the run. */
  hookEnv?: Record<string, string>;
  /** Folders that commit hooks may write into although the sandbox makes their surroundings read-only. */
  hookWritable?: readonly string[];
}

export type GitRepo = Repo & {
  /** Removes temporary files and ends the helper processes; resolves when they are gone. */
  close(): Promise<void>;
  /** From now on commit hooks run in the sandbox; what is read-only in it is known only once the repository is open. */
  wrapHooks(wrap: Wrap): void;
};

/** Iterations commit once or a few times, so the newest of HEAD hold it or it was never made. */
const SEARCHED_COMMITS = 50;

export function openRepo(options: RepoOptions): GitRepo {
  const layout = layoutOf(options.root, options.gitDir);
  const lockOptions: GitOptions = options;
  const git = createGit({ ...options, inputDir: layout.truthDir });
  const objects = openObjects(options.root, options.timeoutMs);
  let pinned: PinnedConfig | null = null;
  const signing = { hung: false };
  let wrap: Wrap | undefined;
  const config = once(async () => {
    pinned = await pinConfig(git, layout);
    return pinned;
  });
  const plainFiles = async (): Promise<boolean> => (await config()).plainFiles;
  const candidate = openCandidateIndex({ git, objects, layout, maxFileBytes: options.maxFileBytes, plainFiles });
  const identity = once(() => readIdentity(git));
  const refs = createRefWriter(options.root, () => pinned?.hooksDir);
  const committing = async (): Promise<Committing> => {
    const [settings, who] = await Promise.all([config(), identity()]);
    const signs = options.signCommits && settings.signs;
    const { hookEnv = {}, hookWritable = [] } = options;
    return { git, objects, refs, layout, candidate, config: settings, identity: who, signs, signing, lockOptions, hookEnv, hookWritable, wrap };
  };
  return {
    root: options.root,
    look: () => look(git),
    async capture(request) {
      // The configuration is taken down before the first agent can have changed it.
      const [captured] = await Promise.all([candidate.capture(request), config(), identity()]);
      return captured;
    },
    async treeOf(commit) {
      const found = commit === null ? null : await objects.commit(commit);
      if (commit !== null && found === null) throw new Error(`no commit ${commit} in the repository`);
      return (
        found?.tree ??
        expectOk(await git.write(["mktree"], { input: "" }), "mktree")
          .toString("utf8")
          .trim()
      );
    },
    changes: (from, to) => diffTrees(objects, from, to),
    async readAt(tree, path) {
      const entry = await objects.entry(tree, path);
      const blob = entry === null ? null : await objects.object(entry.oid);
      return blob?.type === "blob" ? blob.content.toString("utf8") : null;
    },
    restore: (tree, paths) => restorePaths(tree, paths, { git, objects, truthDir: layout.truthDir }),
    treeWithout: (tree, paths) => idWithout(objects, tree, paths),
    commit: async (request) => commitTree(request, await committing()),
    findIterationCommit: (run, iteration) => findCommit(objects, run, iteration),
    async attach(branch, commit) {
      const ref = `refs/heads/${branch}`;
      await git.exclusive(async (writer) => {
        const exists = (await writer.read(["show-ref", "--verify", "--quiet", ref])).code === 0;
        if (!exists && commit !== null) {
          const made = await refs.move(writer, ref, commit, null);
          if (made.code !== 0) throw new Error(`could not make ${ref} again: ${describeFailure(made)}`);
        }
        expectOk(await writer.write(["symbolic-ref", "-m", "ralphd: back on the run's branch", "HEAD", ref]), "symbolic-ref");
      });
    },
    async saveRef(name, what) {
      const room = await committing();
      return git.exclusive(async (writer) => {
        const commit = "commit" in what ? what.commit : await writeUnsigned(writer, what, room);
        if (commit === null) throw new Error(`git did not accept a commit of tree ${"tree" in what ? what.tree : ""}`);
        const moved = await refs.move(writer, `${REF_PREFIX}${name}`, commit);
        if (moved.code !== 0) throw new Error(`could not save ${REF_PREFIX}${name}: ${describeFailure(moved)}`);
        return commit;
      });
    },
    async isAncestor(ancestor, descendant) {
      if (ancestor === descendant) return true;
      return (await git.read(["merge-base", "--is-ancestor", ancestor, descendant])).code === 0;
    },
    verifyObjects: (sinceMs) => verifyObjects({ ...options, git, objects, store: join(layout.commonDir, "objects") }, sinceMs),
    proofWorktree: (commit) => addProofWorktree(git, layout.commonDir, commit),
    gitControlFiles: async () => readControlFiles(layout, await config()),
    restoreControlFile: async (path, content) => writeControlFile(await config(), path, content),
    wrapHooks(given) {
      wrap = given;
    },
    async close() {
      await Promise.all([candidate.close(), git.close(), objects.close(), refs.close()]);
    },
  };
}

/** Starts the work at the first call and shares its outcome. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | null = null;
  return () => (started ??= work());
}

async function look(git: Git): Promise<RepoLook> {
  const seen = await git.read(STATUS_ARGS, { often: true });
  // A recorded repository without its git directory breaks every status that looks into it.
  const output = seen.code === 0 ? seen.stdout : expectOk(await git.read([...STATUS_ARGS, "--ignore-submodules=all"]), "status");
  const status = parseStatus(output);
  return { head: status.head, branch: status.branch, dirty: [...new Set(status.entries.map((entry) => entry.path))] };
}

async function findCommit(objects: Objects, run: string, iteration: number): Promise<{ commit: string; tree: string } | null> {
  const queue = ["HEAD"];
  const seen = new Set<string>();
  for (let name = queue.shift(); name !== undefined && seen.size < SEARCHED_COMMITS; name = queue.shift()) {
    const commit = await objects.commit(name);
    if (commit === null || seen.has(commit.oid)) continue;
    seen.add(commit.oid);
    const lines = commit.message.split("\n");
    if (lines.includes(`Ralphd-Run: ${run}`) && lines.includes(`Ralphd-Iteration: ${iteration}`)) {
      return { commit: commit.oid, tree: commit.tree };
    }
    queue.push(...commit.parents);
  }
  return null;
}
