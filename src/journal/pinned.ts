/**
 * Frozen paths in the working tree: their bytes are stored when the run starts, and after each iteration whatever
 * changed is put back. The agent's version is kept beside the iteration's record, so nothing is lost. Content is
 * compared every time (no trust in size or time stamps): the files are few and small.
 */
import { join } from "node:path";
import picomatch from "picomatch/posix.js";
import { CI_GLOBS, FROZEN_WORDS, frozenKind, gateFiles, type FrozenRules } from "../core/guard/frozen.js";
import { gatePrograms } from "../core/guard/gate-programs.js";
import { allowedEdits } from "../core/guard/globs.js";
import { isApproved, judgeSign } from "../core/guard/signs.js";
import { CONFIG_FILE, GUARDRAILS_DIR, iterationDir, PROMPTS_DIR, STATE_DIR } from "../core/paths.js";
import type { FrozenPaths, Repo } from "../driver/ports.js";
import { restoreControlFiles } from "./pinned-control.js";
import { outsideFolders, watchOutside } from "./outside-programs.js";
import { pinPrograms, restorePrograms } from "./pinned-programs.js";
import { restorePackages } from "./pinned-packages.js";
import { openPinnedStore, type PinnedIndex, type PinnedStore } from "./pinned-store.js";
import { announce, putBack, type Restoring } from "./put-back.js";
import { linkAbove, observe, putFile, readPlain, removeEntry, sameEntry, walk, type TreeEntry } from "./tree-entry.js";

export interface FrozenOptions {
  /** Absolute path of the working tree. */
  root: string;
  /** Absolute path of the run's folder below the git directory. */
  runDir: string;
  /** Commands of all gates, and of `setup`. */
  commands: readonly string[];
  protect: readonly string[];
  freeze: readonly string[];
  /** All folders in which gates look for programs, as in PATH. */
  path?: string | undefined;
  /** Paths with a person's own changes: put back as the iteration found them, without being called frozen. */
  untouched?: readonly string[];
  repo: Pick<Repo, "gitControlFiles" | "restoreControlFile">;
}

const MAX_UNTOUCHED_BYTES = 10 * 1024 * 1024;
const ABSENT: TreeEntry = { kind: "absent" };

export function createFrozenPaths(options: FrozenOptions): FrozenPaths {
  const { root, runDir, repo } = options;
  const store = openPinnedStore(runDir);
  const notes: string[] = [];
  let pinned: PinnedIndex | null = null;
  let stray: (() => string | null) | null = null;
  const load = (): PinnedIndex => {
    pinned ??= store.load();
    if (pinned === null) throw new Error("frozen paths were not pinned before they were checked");
    return pinned;
  };
  const putBackAll = async (folder: string, edits: readonly string[], found: Restoring["found"]): Promise<void> => {
    const index = load();
    const restoring: Restoring = { root, runDir, store, index, keepDir: join(runDir, folder), edits, found };
    const before = JSON.stringify(index);
    await restoreAll(restoring, repo, notes);
    if (JSON.stringify(index) !== before) store.save(index);
  };
  return {
    async pin() {
      pinned = store.load() ?? (await pinAll(options, store));
    },
    restore: (iteration, edits, found) => putBackAll(join(iterationDir(iteration), "rejected"), edits, found),
    putBackEdits: (folder, found) => putBackAll(folder, [], found),
    takeNotes: () => notes.splice(0),
    strayProgram() {
      stray ??= watchOutside(load().programs?.outside ?? {}, outsideFolders(options.path ?? "", root));
      return stray();
    },
    accept(paths) {
      const index = load();
      for (const path of paths.filter((one) => isKept(root, one))) pinOne(root, store, index, path);
      store.save(index);
    },
  };
}

async function restoreAll(restoring: Restoring, repo: FrozenOptions["repo"], notes: string[]): Promise<void> {
  restoreFiles(restoring);
  restorePackages(restoring);
  restorePrograms(restoring, notes);
  await restoreControlFiles(restoring, repo);
}

async function pinAll(options: FrozenOptions, store: PinnedStore): Promise<PinnedIndex> {
  const { root, commands, protect, freeze, repo } = options;
  const untouched = (options.untouched ?? []).filter((path) => isKept(root, path));
  const read = (path: string): string | null => readPlain(root, path)?.toString("utf8") ?? null;
  const found = gateFiles({ commands, protect, read });
  const path = options.path ?? "";
  const programs = pinPrograms(root, store, gatePrograms({ commands, gateFiles: found, root, path, read }), path);
  const control = Object.fromEntries((await repo.gitControlFiles()).map((file) => [file.path, file.content]));
  const packages = found.packages.map((one) => ({ ...one, good: store.keep(readPlain(root, one.path) ?? Buffer.alloc(0)) }));
  const index: PinnedIndex = { version: 1, freeze: [...freeze], files: found.files, untouched, packages, entries: {}, programs, control };
  for (const path of [...frozenPaths(root, index), ...untouched]) pinOne(root, store, index, path);
  store.save(index);
  return index;
}

function pinOne(root: string, store: PinnedStore, index: PinnedIndex, path: string): void {
  const entry = observe(root, path);
  if (entry.kind === "file") index.entries[path] = { ...entry, hash: store.keep(readPlain(root, path) ?? Buffer.alloc(0)) };
  else if (entry.kind === "absent") delete index.entries[path];
  else index.entries[path] = entry;
}

/** Frozen paths that exist now, links on the way to them included, parents first. */
function frozenPaths(root: string, index: PinnedIndex): string[] {
  const rules = rulesOf(index);
  const found = new Set<string>();
  for (const start of starts(index)) {
    const link = linkAbove(root, `${start}/`);
    if (link !== null) found.add(link);
    else {
      const skip = (path: string): boolean => isUninteresting(path, start);
      for (const path of walk(root, start, skip)) if (frozenKind(path, rules) !== null) found.add(path);
    }
  }
  return [...found].sort();
}

/** Files and folders below which frozen paths can stand. A glob that begins with a star costs a walk of the tree. */
function starts(index: PinnedIndex): Set<string> {
  const globs = [...CI_GLOBS, ...index.freeze.filter((glob) => !glob.startsWith("!"))];
  const bases = globs.map((glob) => picomatch.scan(glob.replace(/^(\.?\/)+|\/+$/g, "")).base);
  return new Set([CONFIG_FILE, PROMPTS_DIR, GUARDRAILS_DIR, ...index.files, ...bases.map((base) => (base === "" ? "." : base))]);
}

/** Git's own folder, the loop's views, and installed packages unless a glob points into them. */
function isUninteresting(path: string, start: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name === ".git" || path === STATE_DIR || (name === "node_modules" && !start.includes(name));
}

function rulesOf(index: PinnedIndex): FrozenRules {
  return { freeze: index.freeze, gateFiles: { files: index.files, packages: index.packages } };
}

function restoreFiles(restoring: Restoring): void {
  const { root, index, store, edits } = restoring;
  const rules = rulesOf(index);
  const paths = new Set([...Object.keys(index.entries), ...index.untouched, ...frozenPaths(root, index)]);
  for (const path of [...paths].sort()) {
    const before: TreeEntry = index.entries[path] ?? ABSENT;
    const now = linkAbove(root, path) === null ? observe(root, path) : ABSENT;
    if (sameEntry(before, now)) continue;
    const kind = frozenKind(path, rules);
    if (kind === "ci" && allowedEdits(path, edits)) pinOne(root, store, index, path);
    else if (kind === "sign") restoreSign(restoring, path, before, now);
    else if (kind === null && index.untouched.includes(path)) {
      putBack(restoring, path, before, { why: `${describe(before, now)}; a person had changed it before the run`, rule: "compared" });
    } else putBack(restoring, path, before, { why: `${describe(before, now)}; it is ${kind === null ? "on the way to frozen files" : FROZEN_WORDS[kind]}` });
  }
}

/** Drafts may change; the pinned copy follows them, so that only approval has a fixed text. */
function restoreSign(restoring: Restoring, path: string, before: TreeEntry, now: TreeEntry): void {
  const { root, store, index } = restoring;
  const old = before.kind === "file" ? store.bytes(before.hash).toString("utf8") : null;
  const approved = old !== null && isApproved(old);
  // A sign is read through a link as well, so a link is never a harmless draft.
  if (now.kind === "symlink" || now.kind === "other" || approved) {
    putBack(restoring, path, approved ? before : ABSENT, { why: `${describe(before, now)}; it is ${FROZEN_WORDS.sign}` });
    return;
  }
  const text = readPlain(root, path)?.toString("utf8") ?? null;
  const verdict = judgeSign(old, text);
  if (verdict.kind === "restore") {
    announce(restoring, path, { why: verdict.why, ours: verdict.content });
    if (verdict.content === null) removeEntry(root, path);
    else putFile(root, path, Buffer.from(verdict.content), 0o644);
  }
  pinOne(root, store, index, path);
}

/**
 * The bytes are held in memory, so a data file is left to its owner's care. A folder in git's list is a repository
 * of its own, which is never looked into.
 */
function isKept(root: string, path: string): boolean {
  if (path.endsWith("/")) return false;
  const entry = observe(root, path);
  return entry.kind !== "file" || entry.size <= MAX_UNTOUCHED_BYTES;
}

function describe(before: TreeEntry, now: TreeEntry): string {
  if (before.kind === "absent") return now.kind === "symlink" ? "a symlink was put here" : "was added";
  if (now.kind === "absent") return "was removed or moved away";
  if (now.kind === "symlink") return before.kind === "symlink" ? "its symlink points elsewhere" : "was replaced by a symlink";
  if (now.kind === "other" || before.kind !== "file") return "was replaced by something else";
  return now.hash === before.hash ? "its mode was changed" : "was changed";
}
