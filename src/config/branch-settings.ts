/** Where the run's commits go: a run branch, the current one, or a worktree; and at which level. */
import { DEFAULT_SETTINGS } from "../core/defaults.js";
import type { Settings } from "../core/settings.js";
import type { Precedence, Source } from "./precedence.js";
import { type ConfigProblem, problemAt } from "./raw-layer.js";
import type { ConfigLayer } from "./schema.js";

export function readBranch(from: Precedence): Pick<Settings, "level" | "branch" | "branchMode" | "worktree"> {
  const level = from.pick("level", DEFAULT_SETTINGS.level) as Settings["level"]; // the schema lets 1 to 3 pass
  const holder = from.holder(stated);
  const values = holder?.layer.values ?? {};
  const current = values.currentBranch === true;
  // A higher source that says where commits go silences what lower ones say about it.
  const sources = current && holder !== null ? [holder] : from.sources;
  const branch = from.pickFrom(sources, "branch", DEFAULT_SETTINGS.branch);
  const worktree = from.pickFrom(sources, "worktree", DEFAULT_SETTINGS.worktree);
  from.pick("currentBranch", false);
  if (current || holder !== null) return { level, branch, worktree, branchMode: current ? "current" : "run" };
  if (level < 3) return { level, branch, worktree, branchMode: DEFAULT_SETTINGS.branchMode };
  from.derive("currentBranch", "level 3");
  return { level, branch, worktree, branchMode: "current" };
}

function stated(values: ConfigLayer): true | undefined {
  const { branch, currentBranch, worktree } = values;
  return branch !== undefined || currentBranch !== undefined || worktree === true ? true : undefined;
}

/** One source that says both has no answer. */
export function branchConflicts(sources: readonly Source[]): ConfigProblem[] {
  return sources.flatMap(({ layer }) => {
    const { branch, currentBranch, worktree } = layer.values;
    if (currentBranch !== true || (branch === undefined && worktree !== true)) return [];
    const other = branch === undefined ? "a worktree of its own" : `the branch ${branch}`;
    return [problemAt(layer.spot(["currentBranch"]), `work goes either to the current branch or to ${other}: leave out one of them`)];
  });
}
