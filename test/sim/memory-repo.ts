/** Git in memory: the semantics that the driver relies on, no more. */
import type { Candidate, CommitOutcome, Repo, TreeChange } from "../../src/driver/ports.js";
import type { Disk, Tree } from "./disk.js";

const MODE = "100644";
const ABSENT = "000000";

export function memoryRepo(disk: Disk): Repo {
  const candidateTree = (exclude: readonly string[]): Tree =>
    new Map([...disk.work].filter(([path]) => !path.startsWith(".ralph/state/") && !exclude.includes(path)));
  return {
    root: "/sim",
    async look() {
      const committed = disk.treeOf(disk.head());
      return { head: disk.head(), branch: disk.branch, dirty: compare(committed, candidateTree([])).map((change) => change.path) };
    },
    async capture({ against, exclude }): Promise<Candidate> {
      disk.room("capture");
      const tree = candidateTree(exclude);
      const id = disk.intern(tree);
      disk.did("capture");
      return { tree: id, head: disk.head(), branch: disk.branch, changes: compare(against === null ? new Map() : disk.tree(against), tree), excluded: [] };
    },
    async treeOf(commit) {
      return disk.intern(disk.treeOf(commit));
    },
    async changes(from, to) {
      return compare(from === null ? new Map() : disk.tree(from), disk.tree(to));
    },
    async readAt(tree, path) {
      return disk.tree(tree).get(path) ?? null;
    },
    async restore(tree, paths) {
      disk.room("restore");
      for (const path of paths) {
        const content = disk.tree(tree).get(path);
        if (content === undefined) disk.work.delete(path);
        else disk.work.set(path, content);
      }
      disk.did("restore");
    },
    async treeWithout(tree, paths) {
      return disk.intern(new Map([...disk.tree(tree)].filter(([path]) => !paths.some((own) => path === own || path.startsWith(`${own}/`)))));
    },
    async commit({ tree, parent, message }): Promise<CommitOutcome> {
      disk.room("commit");
      if (disk.head() !== parent) return { kind: "moved", head: disk.head() };
      if (parent !== null && disk.commits.get(parent)?.tree === tree) return { kind: "unchanged" };
      if (disk.gitRefuses > 0) {
        disk.gitRefuses -= 1;
        return { kind: "refused", output: "Unable to create HEAD.lock: File exists." };
      }
      const commit = disk.commit({ tree, parent, message });
      disk.moveHead(commit);
      disk.did("commit");
      return { kind: "committed", commit, tree, quiet: true };
    },
    async findIterationCommit(run, iteration) {
      for (const id of disk.history(disk.head())) {
        const commit = disk.commits.get(id);
        const lines = commit?.message.split("\n") ?? [];
        if (commit !== undefined && lines.includes(`Ralphd-Run: ${run}`) && lines.includes(`Ralphd-Iteration: ${iteration}`))
          return { commit: id, tree: commit.tree };
      }
      return null;
    },
    async attach(branch, commit) {
      disk.room("attach");
      disk.branch = branch;
      if (disk.head() === null && commit !== null) disk.refs.set(`refs/heads/${branch}`, commit);
      disk.did("attach");
    },
    async saveRef(name, what) {
      disk.room("saveRef");
      const commit = "commit" in what ? what.commit : disk.commit({ tree: what.tree, parent: what.parent, message: what.message });
      disk.refs.set(`refs/ralphd/${name}`, commit);
      disk.did("saveRef");
      return commit;
    },
    async isAncestor(ancestor, descendant) {
      return disk.history(descendant).includes(ancestor);
    },
    async verifyObjects() {
      // Nothing here writes past the repository's own ways.
    },
    async proofWorktree() {
      throw new Error("the simulation has no setup");
    },
    async gitControlFiles() {
      return [];
    },
    async restoreControlFile() {
      throw new Error("the simulation has no git control files");
    },
  };
}

function compare(from: Tree, to: Tree): TreeChange[] {
  const paths = new Set([...from.keys(), ...to.keys()]);
  const changes: TreeChange[] = [];
  for (const path of [...paths].sort()) {
    const before = from.get(path);
    const after = to.get(path);
    if (before === after) continue;
    changes.push({
      path,
      kind: before === undefined ? "added" : after === undefined ? "deleted" : "modified",
      oldMode: before === undefined ? ABSENT : MODE,
      newMode: after === undefined ? ABSENT : MODE,
      oldOid: before ?? "",
      newOid: after ?? "",
    });
  }
  return changes;
}
