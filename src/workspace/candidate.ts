/**
 * The candidate: the working tree as a tree object, written with an index of our own.
 * That index is copied from the user's once and then kept, so that its stat cache stays warm and
 * nothing an agent does to the user's index (staging, assume-unchanged, a lock, damage) reaches it.
 */
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Candidate } from "../driver/ports.js";
import { type ExclusionRules, sortEntries, type StagePlan } from "./stage-plan.js";
import { expectOk, type Git } from "./git.js";
import { createSession } from "./git-session.js";
import { copyIndex, hiddenEntries, indexEntries } from "./index-file.js";
import type { Layout } from "./layout.js";
import type { Objects } from "./objects.js";
import { isAttributes, type StagedFile, stageFiles } from "./stage-files.js";
import { parseStatus, STATUS_ARGS, type Status } from "./status.js";
import { diffTrees } from "./tree-diff.js";
import { editTree, MKTREE_ARGS, type TreeEdit } from "./tree-write.js";

export interface CandidateOptions {
  git: Git;
  objects: Objects;
  layout: Layout;
  maxFileBytes: number;
  /** Whether this repository's files may be taken in without asking git's configuration. */
  plainFiles: () => Promise<boolean>;
}

export interface CandidateIndex {
  readonly file: string;
  capture(options: { against: string | null; exclude: string[] }): Promise<Candidate>;
  /** Tree that the index holds, when known. */
  tree(): string | null;
  /** Makes the index hold this tree, for hooks. */
  load(git: Pick<Git, "write">, tree: string): Promise<void>;
  /** The index after someone else wrote to it. */
  reread(git: Pick<Git, "write">): Promise<string>;
  /** True when the last capture left out paths that the user has changed: the user's index can't be replaced by this one. */
  leavesOutUserWork(): boolean;
  close(): Promise<void>;
}

/** A file may vanish between git's listing and git's reading; a tree that changes for ever is a broken machine. */
const CAPTURE_ATTEMPTS = 3;
/** Below these the tree is edited in this process; above, one `git write-tree` is as fast and keeps git's own tree cache warm. */
const EDITED_PATHS = 200;
const EDITED_INDEX_BYTES = 512 * 1024;
const FILE_PREFIX = "candidate-";
/** A folder of its own below the driver's, because commit hooks write into it. */
const STAGING_DIR = "staging";

export function openCandidateIndex(options: CandidateOptions): CandidateIndex {
  const { git, objects, layout } = options;
  const file = join(layout.truthDir, STAGING_DIR, `${FILE_PREFIX}${process.pid}.index`);
  let seeded: { path: string; reason: string }[] | null = null;
  let tree: string | null = null;
  let leftOut = false;
  const treeWriter = createSession(layout.root, MKTREE_ARGS);

  const writeTree = async (writer: Pick<Git, "write">): Promise<string> => {
    const output = expectOk(await writer.write(["write-tree"], { indexFile: file }), "write-tree");
    tree = output.toString("utf8").trim();
    return tree;
  };
  const editKnown = async ({ plan, files }: Staged): Promise<string | null> => {
    const paths = [...plan.reset.map((entry) => entry.path), ...plan.stage];
    const isSmall = paths.length <= EDITED_PATHS && (statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= EDITED_INDEX_BYTES;
    if (tree === null || !isSmall) return null;
    tree = await editTree(tree, files ?? fromIndex(paths), { objects, writer: treeWriter });
    return tree;
  };
  const fromIndex = (paths: string[]): TreeEdit[] => {
    const entries = indexEntries(file, layout.oidBytes, new Set(paths));
    return paths.map((path) => ({ path, entry: entries.get(path) ?? null }));
  };
  const settleTree = async (writer: Pick<Git, "write">, staged: Staged): Promise<string> => {
    const { status, plan } = staged;
    const edited = plan.stage.length > 0 || plan.reset.length > 0;
    if (edited) return (await editKnown(staged)) ?? writeTree(writer);
    if (tree !== null) return tree;
    if (status.entries.some((entry) => entry.index !== "." && entry.index !== "?")) return writeTree(writer);
    const head = status.head === null ? null : await objects.commit(status.head);
    if (head === null) return writeTree(writer);
    tree = head.tree;
    return tree;
  };
  return {
    file,
    tree: () => tree,
    leavesOutUserWork: () => leftOut,
    capture: ({ against, exclude }) =>
      git.exclusive(async (writer) => {
        seeded ??= seed(layout, file);
        const rules = { root: git.root, maxFileBytes: options.maxFileBytes, exclude: new Set(exclude) };
        const staged = await stageAll(writer, { file, layout, rules, objects, plainFiles: options.plainFiles });
        const { status, plan } = staged;
        const found = await settleTree(writer, staged);
        leftOut = exclude.length > 0;
        const changes = against === found ? [] : await diffTrees(objects, against, found);
        const excluded = [...seeded, ...plan.excluded];
        return { tree: found, head: status.head, branch: status.branch, changes, excluded };
      }),
    async load(writer, wanted) {
      expectOk(await writer.write(["read-tree", wanted], { indexFile: file }), "read-tree");
      tree = wanted;
    },
    reread: writeTree,
    close() {
      rmSync(file, { force: true });
      return treeWriter.close();
    },
  };
}

/** Names what the user's index hides on purpose: that choice is kept, and said. */
function seed(layout: Layout, file: string): { path: string; reason: string }[] {
  mkdirSync(dirname(file), { recursive: true });
  removeLeftovers(dirname(file));
  if (!copyIndex(layout.indexFile, file)) return [];
  const hidden = hiddenEntries(file, layout.oidBytes);
  const sparse = existsSync(sparseFile(layout));
  const named = [...hidden.assumeUnchanged, ...(sparse ? [] : hidden.skipWorktree)];
  return named.map((path) => ({ path, reason: "hidden by a flag in git's index since before the run" }));
}

/** Indexes of processes that are gone. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^candidate-(\d+)\.index/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process answers EPERM and lives.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

interface Staging {
  file: string;
  layout: Layout;
  rules: ExclusionRules;
  objects: Objects;
  plainFiles: () => Promise<boolean>;
}

interface Staged {
  status: Status;
  plan: StagePlan;
  /** What the index now has of the staged paths; null when only git knows. */
  files: StagedFile[] | null;
}

/** Brings the index up to the working tree; returns what was seen before and what was done about it. */
async function stageAll(git: Pick<Git, "read" | "write">, staging: Staging): Promise<Staged> {
  const unreadable: { path: string; reason: string }[] = [];
  for (let attempt = 1; ; attempt++) {
    const lookedAtMs = Date.now();
    const status = await readStatus(git, staging.file);
    const plan = sortEntries(status.entries, { rules: staging.rules, ...surroundings(staging, status) });
    plan.stage = plan.stage.filter((path) => !unreadable.some((known) => known.path === path));
    plan.excluded.push(...unreadable);
    const files = await stageHere(plan, staging, lookedAtMs);
    if (files !== null) return { status, plan, files };
    const result = await stage(git, staging.file, plan);
    if (result === null || result.code === 0) return { status, plan, files: null };
    if (attempt === CAPTURE_ATTEMPTS) expectOk(result, "update-index");
    for (const path of plan.stage) {
      if (!isReadable(join(staging.rules.root, path))) unreadable.push({ path, reason: "it can not be read" });
    }
  }
}

async function readStatus(git: Pick<Git, "read">, indexFile: string): Promise<Status> {
  // The index is ours: saving refreshed stat data in it spares reading the same files again.
  const result = await git.read(STATUS_ARGS, { indexFile, optionalLocks: "allowed", often: true });
  if (result.code === 0) return parseStatus(result.stdout);
  // A recorded repository without its git directory breaks every status that looks into it.
  const blind = await git.read([...STATUS_ARGS, "--ignore-submodules=all"], { indexFile, optionalLocks: "allowed" });
  return parseStatus(expectOk(blind, "status"));
}

async function stageHere(plan: StagePlan, staging: Staging, lookedAtMs: number): Promise<StagedFile[] | null> {
  const { objects, layout, file, rules } = staging;
  if (plan.stage.some(isAttributes)) await objects.forgetAttributes();
  if (plan.stage.length === 0 || rules.exclude.size > 0 || existsSync(sparseFile(layout)) || !(await staging.plainFiles())) return null;
  return stageFiles(plan, { root: rules.root, indexFile: file, oidBytes: layout.oidBytes, writeBlobs: objects.writeBlobs, lookedAtMs });
}

async function stage(git: Pick<Git, "write">, indexFile: string, plan: StagePlan): Promise<Awaited<ReturnType<Git["write"]>> | null> {
  let result = null;
  if (plan.reset.length > 0) {
    const input = plan.reset.map((entry) => `${entry.mode} ${entry.oid}\t${entry.path}\0`).join("");
    result = await git.write(["update-index", "-z", "--add", "--replace", "--index-info"], { indexFile, input });
    if (result.code !== 0) return result;
  }
  if (plan.stage.length > 0) {
    const input = plan.stage.map((path) => `${path}\0`).join("");
    result = await git.write(["update-index", "-z", "--add", "--remove", "--replace", "--stdin"], { indexFile, input, often: true });
  }
  return result;
}

/** What only matters to repositories with submodules or a sparse checkout, read only when something hints at it. */
function surroundings(staging: Staging, status: Status): { submodules: ReadonlySet<string>; sparse: ReadonlySet<string> } {
  const recorded = status.entries.some((entry) => entry.submodule || entry.headMode === "160000");
  const deleted = status.entries.some((entry) => entry.worktree === "D");
  const isSparse = deleted && existsSync(sparseFile(staging.layout));
  return {
    submodules: recorded ? submodulePaths(staging.rules.root) : new Set(),
    sparse: new Set(isSparse ? hiddenEntries(staging.layout.indexFile, staging.layout.oidBytes).skipWorktree : []),
  };
}

function sparseFile(layout: Layout): string {
  return join(layout.gitDir, "info/sparse-checkout");
}

function submodulePaths(root: string): ReadonlySet<string> {
  const file = join(root, ".gitmodules");
  if (!existsSync(file)) return new Set();
  const paths = [...readFileSync(file, "utf8").matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)];
  return new Set(paths.map((match) => match[1] ?? ""));
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    // The answer itself.
    return false;
  }
}
