/** Turns what git status saw into what the candidate's index must take in, put back and leave out. Pure but for sizes and links. */
import { dirname } from "node:path";
import { unsafePath } from "../journal/unsafe-path.js";
import { type Exclusion, type ExclusionRules, excludedAlways, excludedWhenNew } from "./exclusions.js";
import type { StatusEntry } from "./status.js";
import { SUBMODULE_MODE } from "./tree-diff.js";

export type { ExclusionRules } from "./exclusions.js";

export interface StagePlan {
  /** Paths whose working-tree state (absence included) the index takes over. */
  stage: string[];
  /** Entries set without looking at the working tree; mode `0` removes one. */
  reset: { path: string; mode: string; oid: string }[];
  excluded: { path: string; reason: string }[];
}

export interface StageContext {
  rules: ExclusionRules;
  /** Paths that `.gitmodules` names. */
  submodules: ReadonlySet<string>;
  /** Paths absent on purpose in a sparse checkout. */
  sparse: ReadonlySet<string>;
}

export function sortEntries(entries: readonly StatusEntry[], context: StageContext): StagePlan {
  const plan: StagePlan = { stage: [], reset: [], excluded: [] };
  // In HEAD but not in our index; an untracked file of that name is not new.
  const inHead = new Map(entries.filter((entry) => entry.index === "D").map((entry) => [entry.path, entry]));
  const removals: StatusEntry[] = [];
  const leftOut: string[] = [];
  for (const entry of entries) {
    if (entry.submodule || entry.headMode === SUBMODULE_MODE) {
      keepSubmodule(entry, context, plan);
      continue;
    }
    const exclusion = exclusionOf(entry, inHead, context.rules);
    if (exclusion !== null) {
      leftOut.push(entry.path);
      leaveOut(entry, inHead.get(entry.path), exclusion, plan);
    } else if (entry.worktree === "D") {
      if (!context.sparse.has(entry.path)) removals.push(entry);
    } else if (entry.worktree !== ".") plan.stage.push(entry.path);
  }
  addRemovals(removals, { leftOut, root: context.rules.root }, plan);
  return plan;
}

function exclusionOf(entry: StatusEntry, inHead: ReadonlyMap<string, StatusEntry>, rules: ExclusionRules): Exclusion | null {
  const isNew = (entry.index === "?" && !inHead.has(entry.path)) || entry.index === "A";
  const always = excludedAlways(entry.path, rules);
  if (always !== null || !isNew || entry.worktree === "D") return always;
  return excludedWhenNew(entry.path, rules);
}

/** The index gets what HEAD has at this path, which may be nothing. */
function leaveOut(entry: StatusEntry, head: StatusEntry | undefined, exclusion: Exclusion, plan: StagePlan): void {
  if (exclusion.kind === "named" && !plan.excluded.some((known) => known.path === exclusion.path)) {
    plan.excluded.push({ path: exclusion.path, reason: exclusion.reason });
  }
  if (entry.index === "?" && head === undefined) return;
  // The untracked record of a path that HEAD has comes along with its own record, which resets it.
  if (entry.index === "." || entry.index === "?") return;
  plan.reset.push(entry.index === "A" ? removal(entry) : { path: entry.path, mode: entry.headMode, oid: entry.headOid });
}

/** `.gitmodules` says that it is meant; a repository recorded without it breaks later clones and is left out. */
function keepSubmodule(entry: StatusEntry, context: StageContext, plan: StagePlan): void {
  const meant = context.submodules.has(entry.path) || (entry.index === "." && entry.headMode === SUBMODULE_MODE);
  if (!meant) {
    plan.excluded.push({ path: entry.path, reason: "a git repository of its own, recorded without .gitmodules" });
    if (entry.index === "A") plan.reset.push(removal(entry));
    return;
  }
  if (entry.index !== "." && entry.headMode === SUBMODULE_MODE) {
    plan.reset.push({ path: entry.path, mode: entry.headMode, oid: entry.headOid });
  }
  if (entry.worktree !== ".") plan.excluded.push({ path: entry.path, reason: "a submodule: its recorded commit is kept" });
}

/** git refuses to look at a path behind a symbolic link, so those that a link or file has replaced are removed blindly or by the replacement. */
function addRemovals(removals: StatusEntry[], { leftOut, root }: { leftOut: string[]; root: string }, plan: StagePlan): void {
  const staged = new Set(plan.stage);
  const excluded = new Set(leftOut);
  const isBelow = (path: string, paths: ReadonlySet<string>): boolean => {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      if (paths.has(path.slice(0, slash))) return true;
    }
    return false;
  };
  const direct: string[] = [];
  for (const entry of removals) {
    if (isBelow(entry.path, excluded)) plan.reset.push(removal(entry));
    else if (isBelow(entry.path, staged)) continue;
    // The link itself is ignored, so that nothing staged takes the folder's place.
    else if (unsafePath(root, dirname(entry.path)) !== null) plan.reset.push(removal(entry));
    else direct.push(entry.path);
  }
  plan.stage.unshift(...direct);
}

function removal(entry: StatusEntry): { path: string; mode: string; oid: string } {
  return { path: entry.path, mode: "0", oid: "0".repeat(entry.headOid.length || 40) };
}
