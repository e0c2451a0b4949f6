/** What survives a crash of the driver: working tree, git objects and refs, journal, run files. And what can go wrong with it. */
import { hashText } from "../../src/core/hash.js";
import { DiskError } from "../../src/core/disk-error.js";
import type { Act } from "./acts.js";
import { Crash, type Fault } from "./faults.js";

export type Tree = ReadonlyMap<string, string>;

export interface Commit {
  tree: string;
  parent: string | null;
  message: string;
}

/** What really happened, whatever the driver knows of it. */
export interface Truth {
  /** Calls of the agent to its model, in order; `session` counts starts of the driver. Of what is `lost`, a power cut left no trace. */
  calls: { tokens: number; costMicroUsd: number; session: number; lost: boolean }[];
  /** Shell commands of agents, in order. */
  commands: { command: string; ok: boolean }[];
  /** Files outside plan and `.ralph` as an agent left them: path and content, each once. */
  left: Map<string, { path: string; content: string }>;
  /** Texts that a person wrote into the plan. */
  written: string[];
  /** Texts that a person wrote into a frozen file. */
  frozen: string[];
  /** Notes that the loop took in. */
  notes: string[];
  /** Iterations that people added. */
  granted: number;
  /** Acts of people that were delivered. */
  acts: Act["kind"][];
  /** Faults that happened. */
  faults: Fault["kind"][];
  sessions: number;
}

export class Disk {
  work = new Map<string, string>();
  readonly trees = new Map<string, Tree>();
  readonly commits = new Map<string, Commit>();
  readonly refs = new Map<string, string>();
  /** Null when HEAD is detached. */
  branch: string | null = "ralph/sim";
  /** Where a detached HEAD stands. */
  detached: string | null = null;
  journal: string[] = [];
  /** Lines of the journal that a power cut can't take. */
  flushed = 0;
  runFiles = new Map<string, string>();
  /** Views that a power cut takes back, as they were before. */
  readonly views = new Map<string, string | undefined>();
  readonly pinned = new Map<string, string>();
  /** Somebody wrote into the journal. */
  tampered: string | null = null;
  agentRuns = false;
  /** A child that the sweep did not find; works on once. */
  leftover: ((work: Map<string, string>) => void) | null = null;
  iteration = 0;
  /** What people will do; requests stay until they were taken, as files in the inbox do. */
  acts: (Act & { id: string })[] = [];
  faults: Fault[] = [];
  /** Effects so far, by label. */
  readonly effects: string[] = [];
  /** The wall clock is set by this much. */
  readonly jump: { ms: number } = { ms: 0 };
  killAgent = false;
  gitRefuses = 0;
  watcherFailed = false;
  readonly truth: Truth = { calls: [], commands: [], left: new Map(), written: [], frozen: [], notes: [], granted: 0, acts: [], faults: [], sessions: 0 };
  #fullUntil = 0;
  #readOnlyUntil = 0;

  /** Every effect ends here; a fault that is due happens now. */
  did(label: string): void {
    this.effects.push(label);
    // Sorted by their time; faults of one moment happen one after the other.
    while (this.faults[0] !== undefined && this.faults[0].at <= this.effects.length) {
      const fault = this.faults.shift() as Fault;
      this.truth.faults.push(fault.kind);
      this.#befall(fault, label);
    }
  }

  /** Throws where the disk is full; each attempt is an effect, so that it passes. */
  room(label: string): void {
    if (this.effects.length >= this.#fullUntil) return;
    this.did(`no room for ${label}`);
    throw new DiskError(`/sim/${label}`, "ENOSPC");
  }

  makeRoom(): void {
    this.#fullUntil = 0;
  }

  isWritable(): boolean {
    return this.effects.length >= this.#readOnlyUntil;
  }

  #befall(fault: Fault, label: string): void {
    switch (fault.kind) {
      case "crash":
        throw new Crash(label);
      case "power":
        this.#losePower(fault.keeps);
        throw new Crash(`${label}, power lost`);
      case "full":
        this.#fullUntil = this.effects.length + fault.effects;
        return;
      case "readOnly":
        this.#readOnlyUntil = this.effects.length + fault.effects;
        return;
      case "clock":
        this.jump.ms += fault.byMs;
        return;
      case "killed":
        this.killAgent = this.agentRuns;
        return;
      case "gitLock":
        this.gitRefuses = fault.calls;
        return;
      case "watcher":
        this.watcherFailed = true;
    }
  }

  /** Of what was not flushed, a part is gone; a torn line is what the journal cuts off when it is opened. */
  #losePower(keeps: number): void {
    this.journal.length = this.flushed + Math.floor((this.journal.length - this.flushed) * keeps);
    for (const [path, before] of this.views) {
      if (before === undefined) this.runFiles.delete(path);
      else this.runFiles.set(path, before);
    }
    this.views.clear();
    const stream = `iterations/${String(this.iteration).padStart(4, "0")}/stream.jsonl`;
    const lines = this.runFiles.get(stream)?.split("\n") ?? [];
    if (lines.length === 0) return;
    const kept = lines.slice(0, Math.floor(lines.length * keeps));
    this.runFiles.set(stream, kept.map((line) => `${line}\n`).join(""));
    this.#forgetCalls(lines.slice(kept.length));
  }

  /** Unless the journal has what the iteration used. */
  #forgetCalls(cut: readonly string[]): void {
    const told = this.journal.some(
      (line) => line.startsWith('{"type":"agent.ended"') && (JSON.parse(line) as { iteration: number }).iteration === this.iteration,
    );
    const gone = told ? 0 : cut.filter((line) => line.startsWith('{"type":"usage"')).length;
    for (const call of this.truth.calls.slice(this.truth.calls.length - gone)) call.lost = true;
  }

  head(): string | null {
    return this.branch === null ? this.detached : (this.refs.get(`refs/heads/${this.branch}`) ?? null);
  }

  /** Moves what HEAD stands for. */
  moveHead(commit: string): void {
    if (this.branch === null) this.detached = commit;
    else this.refs.set(`refs/heads/${this.branch}`, commit);
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
    const ids = new Set<string>();
    for (let id = commit; id !== null && !ids.has(id); id = this.commits.get(id)?.parent ?? null) ids.add(id);
    return [...ids];
  }

  /** Every commit that some ref or HEAD leads to. */
  reachable(): Set<string> {
    return new Set([...this.refs.values(), ...(this.detached === null ? [] : [this.detached])].flatMap((commit) => this.history(commit)));
  }
}
