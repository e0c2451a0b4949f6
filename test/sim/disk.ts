/** What survives a crash of the driver: working tree, git objects and refs, journal, run files. And the crash itself. */
import { hashText } from "../../src/core/hash.js";

export type Tree = ReadonlyMap<string, string>;

export interface Commit {
  tree: string;
  parent: string | null;
  message: string;
}

/** Ends the driver's process in the simulation: thrown after the effect that it names. */
export class Crash extends Error {
  constructor(label: string) {
    super(`crash after ${label}`);
  }
}

export class Disk {
  work = new Map<string, string>();
  readonly trees = new Map<string, Tree>();
  readonly commits = new Map<string, Commit>();
  readonly refs = new Map<string, string>();
  branch = "ralph/sim";
  journal: string[] = [];
  readonly runFiles = new Map<string, string>();
  /** Effects so far, by label. */
  effects: string[] = [];
  crashAt: number | null = null;

  /** Every effect ends here; the chosen one takes the driver down. */
  did(label: string): void {
    this.effects.push(label);
    if (this.crashAt !== null && this.effects.length === this.crashAt) {
      this.crashAt = null;
      throw new Crash(label);
    }
  }

  head(): string | null {
    return this.refs.get(`refs/heads/${this.branch}`) ?? null;
  }

  treeOf(commit: string | null): Tree {
    const found = commit === null ? undefined : this.commits.get(commit);
    return found === undefined ? new Map() : this.tree(found.tree);
  }

  tree(id: string): Tree {
    const tree = this.trees.get(id);
    if (tree === undefined) throw new Error(`no tree ${id}`);
    return tree;
  }

  intern(tree: Tree): string {
    const sorted = [...tree].sort(([a], [b]) => (a < b ? -1 : 1));
    const id = `t${hashText(JSON.stringify(sorted))}`;
    this.trees.set(id, new Map(sorted));
    return id;
  }

  commit(commit: Commit): string {
    const id = `c${hashText(JSON.stringify(commit))}`;
    this.commits.set(id, commit);
    return id;
  }

  /** The commit and its ancestors, newest first. */
  history(commit: string | null): string[] {
    const ids: string[] = [];
    for (let id = commit; id !== null && !ids.includes(id); id = this.commits.get(id)?.parent ?? null) ids.push(id);
    return ids;
  }
}
