/** Which paths are read-only inside the sandbox: what decides what the loop does, never the work itself. */
import { mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import picomatch from "picomatch/posix.js";
import { frozenCommands } from "../core/gate.js";
import { CI_GLOBS, gateFiles } from "../core/guard/frozen.js";
import { isApproved } from "../core/guard/signs.js";
import { CONFIG_FILE, GUARDRAILS_DIR, ONCE_DIR, PROMPTS_DIR, RALPH_DIR, TRUTH_DIR } from "../core/paths.js";
import type { Settings } from "../core/settings.js";
import type { Mount } from "./bubblewrap.js";
import { namesIn, readTextOrNull } from "../quiet-files.js";

export interface SandboxPlace {
  root: string;
  /** Of this working tree. */
  gitDir: string;
  commonDir: string;
  /** Git's configuration files and hook folders outside of the usual places; absolute. */
  gitControl: readonly string[];
  /** Files of the person outside of the repository: the user's configuration of git. */
  personal: readonly string[];
  /** Folders of ralphd's and git's outside of the repository, made where they are missing: what does not exist can't be mounted over. */
  own: readonly string[];
}

/** What is known at the start of the run and does not change in it. */
export interface Frozen {
  settings: Settings;
  /** Globs of all tasks' `edits:`; a CI path that one of them may open is left to comparison. */
  edits: readonly string[];
}

/** More signs than any prompt shows; the rest is left to comparison. */
const MAX_SIGNS = 60;

/** Asked at each start of a process, because paths come and go: what does not exist can't be mounted over. */
export type MountPlan = () => Mount[];

export function planMounts(place: SandboxPlace, frozen: Frozen): MountPlan {
  const { root, gitDir, commonDir } = place;
  const { settings, edits } = frozen;
  const inTree = [CONFIG_FILE, PROMPTS_DIR, ...ciPaths(edits), ...gateScriptPaths(root, settings), ...literalPaths(settings.freeze)];
  const loop = join(root, RALPH_DIR);
  // A level 1 run only looks: its report goes into the loop's own folder, and ticks into the plan.
  const looks = settings.level === 1;
  // Inside of the truth, and still written by agents: the records of their own writes.
  const once = join(commonDir, TRUTH_DIR, ONCE_DIR);
  mkdirSync(once, { recursive: true });
  for (const folder of place.own) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return () => [
    ...mounts("writable", [root]),
    ...(looks ? mounts("readOnly", [...sealed(root, settings.plan), commonDir, gitDir]) : mounts("writable", [commonDir, gitDir])),
    ...mounts("writable", [loop]),
    ...mounts("readOnly", [...[...inTree, ...approvedSigns(root)].map((path) => join(root, path)), ...gitPaths(place), ...place.personal, ...place.own]),
    ...mounts("writable", [once]),
  ];
}

/**
 * All that stands in the tree, but not the plan and the folders above it: editors replace a file by renaming another
 * over it, which a mount would refuse. What is added in those folders is put back after the iteration.
 */
function sealed(root: string, plan: string | null): string[] {
  const way = (plan ?? "").split("/");
  const found: string[] = [];
  for (let depth = 0; depth < way.length; depth += 1) {
    const folder = join(root, ...way.slice(0, depth));
    const passed = depth === 0 ? [way[0], RALPH_DIR, ".git"] : [way[depth]];
    found.push(
      ...namesIn(folder)
        .filter((name) => !passed.includes(name))
        .map((name) => join(folder, name)),
    );
  }
  return found;
}

function mounts(mode: Mount["mode"], paths: readonly string[]): Mount[] {
  return real(paths).map((path) => ({ path, mode }));
}

/** The driver's truth of every working tree of the repository, git's configuration and hooks, and the pointer to the git directory. */
function gitPaths({ root, gitDir, commonDir, gitControl }: SandboxPlace): string[] {
  const worktrees = namesIn(join(commonDir, "worktrees")).map((name) => join(commonDir, "worktrees", name, TRUTH_DIR));
  return [
    join(gitDir, TRUTH_DIR),
    join(commonDir, TRUTH_DIR),
    ...worktrees,
    join(commonDir, "config"),
    join(gitDir, "config.worktree"),
    join(commonDir, "hooks"),
    join(commonDir, "info"),
    join(gitDir, "commondir"),
    ...(join(root, ".git") === gitDir ? [] : [join(root, ".git")]),
    ...gitControl,
  ];
}

/** Folders and files of the CI globs, without those that a task's `edits:` could reach. */
function ciPaths(edits: readonly string[]): string[] {
  const bases = CI_GLOBS.map((glob) => picomatch.scan(glob).base);
  return bases.filter((base) => !edits.some((glob) => overlaps(picomatch.scan(glob.replace(/^\.?\/+/, "")).base, base)));
}

function overlaps(a: string, b: string): boolean {
  return a === "" || a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

function gateScriptPaths(root: string, settings: Settings): string[] {
  return gateFiles({ commands: frozenCommands(settings), protect: settings.protect, read: (path) => readTextOrNull(join(root, path)) }).files;
}

/** `freeze:` globs that name one file or one whole folder; others would need a mount per file. */
function literalPaths(globs: readonly string[]): string[] {
  return globs.flatMap((glob) => {
    if (glob.startsWith("!")) return [];
    const plain = glob.replace(/^\.?\/+/, "").replace(/\/(\*\*)?$/, "");
    return plain !== "" && !picomatch.scan(plain).isGlob ? [plain] : [];
  });
}

function approvedSigns(root: string): string[] {
  const paths = namesIn(join(root, GUARDRAILS_DIR))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${GUARDRAILS_DIR}/${name}`);
  return paths.filter((path) => isApproved(readTextOrNull(join(root, path)) ?? "")).slice(0, MAX_SIGNS);
}

/** Existing paths without a link on the way: a mount over a link's target would freeze something else. */
function real(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((path) => {
    try {
      return join(realpathSync(dirname(path)), path.slice(path.lastIndexOf("/") + 1)) === path && realpathSync(path) === path;
    } catch {
      // What isn't there can't be mounted over; comparison after the iteration sees it when it appears.
      return false;
    }
  });
}
