/**
 * Everything the loop touches outside itself. Real effects implement these in their own folders;
 * the simulation implements them in memory. A port never throws for what can be expected:
 * outcomes are values, and a throw means a bug or a broken machine (disk full, unreadable git).
 */
import type { AgentEvent } from "../core/agent-event.js";
import type { GateResult, GateSpec } from "../core/gate.js";
import type { HookName } from "../core/notice.js";
import type { JournalBody, JournalEvent } from "../core/journal-event.js";

export type { Agent, AgentCheck, AgentReach, AgentRequest, AgentRun, Wrap } from "./agent-port.js";
export type { Control, ControlRequest } from "./control-port.js";

export interface Clock {
  /** Wall clock, epoch ms. May jump in both directions. */
  nowMs(): number;
  /** Never goes back; stands still while the machine sleeps where the system offers it. */
  monotonicMs(): number;
  /**
   * Resolves after this long by the monotonic clock or when aborted, whichever is first; never rejects. Whoever waits
   * for a time of day sleeps in short pieces and looks at the wall clock in between.
   */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The append-only truth. */
export interface Journal {
  /**
   * Writes the events as lines and makes them durable before returning, all but outcomes that a restart finds again:
   * those are durable with the next event at the latest. Throws DiskError when it can't.
   */
  append(iteration: number, ...events: JournalBody[]): JournalEvent[];
  /** Says what someone else did to the file since the last append; null when nothing. */
  tampering(): string | null;
}

/** The run's folder below the git directory: pinned copies and iteration records. */
export interface RunFiles {
  /** Absolute path of `iterations/0007`, created. */
  iterationDir(iteration: number): string;
  /** Whole or not there, and durable: for what a restart decides on. */
  write(relative: string, content: string): void;
  /** Whole or not there, but a power cut may lose it: for people who look into the folder. */
  writeView(relative: string, content: string): void;
  read(relative: string): string | null;
  exists(relative: string): boolean;
}

/** The agent's working tree as plain files; paths are relative to its root with `/`. */
export interface TreeFiles {
  /** null when absent, a directory, or unreadable. Never follows a symlink out of the root. */
  read(path: string): string | null;
  /** Atomic (temporary file, rename); keeps the mode of an existing file. False when it may not be written; a full or broken disk is a DiskError. */
  write(path: string, content: string): boolean;
  /** False where nothing was to be removed. */
  remove(path: string): boolean;
  /**
   * Renames whatever is no file and stands at the path, or in place of a folder above it, to a free name beside it.
   * Returns that name, null when nothing was in the way or it could not be moved.
   */
  setAside(path: string): string | null;
  /** Names of the regular files directly inside a folder, sorted; empty when there is none. */
  list(folder: string): string[];
}

export interface RepoLook {
  /** null on an unborn branch. */
  head: string | null;
  /** null when HEAD is detached. */
  branch: string | null;
  /** Paths that differ from HEAD, untracked ones included, ignored ones not. */
  dirty: string[];
}

export type ChangeKind = "added" | "modified" | "deleted" | "typeChanged";

export interface TreeChange {
  path: string;
  kind: ChangeKind;
  /** Git modes such as `100644`; `000000` when absent. */
  oldMode: string;
  newMode: string;
  oldOid: string;
  newOid: string;
}

/** The candidate: everything not ignored, as a tree object, written with a temporary index. */
export interface Candidate {
  tree: string;
  head: string | null;
  branch: string | null;
  /** Against the `against` tree that was asked for. */
  changes: TreeChange[];
  /** Left out: secret-looking, huge, vendored, nested repositories. */
  excluded: { path: string; reason: string }[];
}

export type CommitOutcome =
  /** `quiet`: no hook ran with it, so that the working tree is as it was. */
  | { kind: "committed"; commit: string; tree: string; quiet: boolean }
  | { kind: "unchanged" }
  /** A hook or signing refused; the work stays in the tree. */
  | { kind: "refused"; output: string }
  /** A hook changed the tree: judge `tree` again before committing. */
  | { kind: "hookChanged"; tree: string }
  /** HEAD is not where it was observed. */
  | { kind: "moved"; head: string | null };

export interface Repo {
  readonly root: string;
  /** One git call. */
  look(): Promise<RepoLook>;
  /** `exclude`: exact paths never to be part of the candidate (artefacts of gates, the user's own dirty files). */
  capture(options: { against: string | null; exclude: string[] }): Promise<Candidate>;
  /** The tree of a commit; of null, the empty tree. */
  treeOf(commit: string | null): Promise<string>;
  changes(fromTree: string | null, toTree: string): Promise<TreeChange[]>;
  /** Text of a blob in a tree; null when absent. Binary content decodes with replacement characters. */
  readAt(tree: string, path: string): Promise<string | null>;
  /** Writes these paths of the tree into the working tree, modes and symlinks included; paths absent in the tree are removed. */
  restore(tree: string, paths: string[]): Promise<void>;
  /** Tree id of the tree without these top-level or nested paths, for the progress rules. */
  treeWithout(tree: string, paths: string[]): Promise<string>;
  commit(options: { tree: string; parent: string | null; message: string; verify: boolean }): Promise<CommitOutcome>;
  /** The commit that carries this iteration's trailers among the newest of HEAD; null when there is none. */
  findIterationCommit(run: string, iteration: number): Promise<{ commit: string; tree: string } | null>;
  /** Points HEAD at the branch again without touching files or index; creates the branch at `commit` when it is gone. */
  attach(branch: string, commit: string | null): Promise<void>;
  /** Points `refs/ralphd/<name>` at a commit, or at a new commit of `tree` on `parent`; returns the commit. */
  saveRef(name: string, what: { commit: string } | { tree: string; parent: string | null; message: string }): Promise<string>;
  isAncestor(ancestor: string, descendant: string): Promise<boolean>;
  /** Reads what came into git's store since then (epoch ms). Throws ForgedObject where that is not what its id says. */
  verifyObjects(sinceMs: number): Promise<void>;
  /** A clean worktree of the commit outside the working tree; `dispose` removes it. */
  proofWorktree(commit: string): Promise<{ path: string; dispose(): Promise<void> }>;
  /** Content of the git config files and hooks that the agent could bend, for the frozen check. */
  gitControlFiles(): Promise<{ path: string; content: string | null }[]>;
  /** Writes one of those back; null removes it. */
  restoreControlFile(path: string, content: string | null): Promise<void>;
}

/** A path that was put back, as `path.restored` records it. */
export interface RestoredPath {
  path: string;
  rule: "frozen" | "compared";
  /** Words for the agent; read behind the path. */
  why: string;
  /** The agent's version, relative to the run's folder; null when there was nothing to keep. */
  keptAs: string | null;
}

/** Both sides of a restore as texts, where they are plain files of the tree; else null. */
export interface Versions {
  theirs: string | null;
  ours: string | null;
}

/** Paths that no agent changes; their bytes are stored at the start of the run. */
export interface FrozenPaths {
  /** Stores them once a run; after a restart it only loads what the first start stored. */
  pin(): Promise<void>;
  /**
   * Puts back what changed. `edits` of the iteration's task can open CI files; what it opened is pinned anew.
   * `found` hears of each path before it is put back: whoever dies in between finds it changed once more.
   */
  restore(iteration: number, edits: readonly string[], found: (item: RestoredPath) => void): Promise<void>;
  /**
   * Puts back what somebody changed while no agent ran. Their version is kept below this folder of the run, as it was,
   * before `found` hears of it. Nothing opens anything here.
   */
  putBackEdits(folder: string, found: (item: RestoredPath, versions: Versions) => void): Promise<void>;
  /** What people should know and nobody did wrong, since the last call. */
  takeNotes(): string[];
  /** Which program outside of the tree that gates start is another one than at the start; null: none. Gates do not run then. */
  strayProgram(): string | null;
  /** Takes these paths as they are now: a person's command changed them. */
  accept(paths: readonly string[]): void;
}

/** The work of the run as two trees, for gates that judge the change itself. Without plan and loop files: those are the maker's words. */
export interface RunTrees {
  /** From the tree that the run began on to the one that is judged. */
  changes(): Promise<TreeChange[]>;
  /** Text in either tree; null when absent. Binary content decodes with replacement characters. */
  before(path: string): Promise<string | null>;
  after(path: string): Promise<string | null>;
}

export interface GateContext {
  cwd: string;
  outputDir: string;
  signal: AbortSignal;
  env: Record<string, string>;
  /** Absent where nothing is compared; gates that need it fail then. */
  trees?: RunTrees | undefined;
}

export interface Gates {
  /** Never throws; whatever goes wrong is a `fail` with a reason. `cwd` defaults to the root. */
  run(spec: GateSpec, context: GateContext): Promise<GateResult>;
  /** The `setup` command in a clean worktree. */
  setup(command: string, context: GateContext): Promise<{ ok: boolean; detail: string }>;
}

/** Commands of people at the turns of the loop. */
export interface Hooks {
  has(name: HookName): boolean;
  /** What went wrong, in words; null when all went well or there is no such hook. Never throws for a command's fault. */
  run(
    name: HookName,
    facts: { iteration: number } & Record<string, string | number | null>,
    how: { env: Record<string, string>; token: string },
  ): Promise<string | null>;
}

/** Progress for people; must never throw and never influence the run. */
export interface Observer {
  journal(event: JournalEvent): void;
  agent(iteration: number, event: AgentEvent): void;
}
