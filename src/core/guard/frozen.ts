/**
 * Which paths are frozen: they decide what the loop does or what a gate says, so no agent changes them.
 * Files that a gate's runner merely reads (`vitest.config.ts`, `tsconfig.json`) are frozen only when `freeze:` names
 * them; plan front matter is kept by the plan's own rules.
 */
import { CONFIG_FILE, GUARDRAILS_DIR, PROMPTS_DIR } from "../paths.js";
import { gateScripts, isShellScript, makeTargets } from "./gate-scripts.js";
import { matchAny } from "./globs.js";
import { pinnedScripts, scriptCalls, type PinnedScript } from "./package-scripts.js";
import { base, join } from "./shell-words.js";

export const CI_GLOBS: readonly string[] = [
  ".github/workflows/**",
  ".github/actions/**",
  ".gitlab-ci.yml",
  ".circleci/**",
  "Jenkinsfile",
  "azure-pipelines.yml",
  ".buildkite/**",
];

/** `ci` can be opened by a task's `edits:`; nothing else can. */
export type FrozenKind = "config" | "prompt" | "sign" | "ci" | "gateScript" | "freeze";

/** What the gates of a run depend on, found once at its start. */
export interface GateFiles {
  /** Frozen as a whole; some may not exist and must not appear. */
  files: string[];
  packages: { path: string; scripts: PinnedScript[] }[];
}

/** Settings of package managers that name the shell, a preloaded module or the manager itself; beside the package.json. */
const RUNNER_FILES = [".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml"];

export interface FrozenRules {
  /** Globs from the settings. */
  freeze: readonly string[];
  gateFiles: GateFiles;
}

/** Why a path is frozen, or null. */
export function frozenKind(path: string, rules: FrozenRules): FrozenKind | null {
  if (path === CONFIG_FILE) return "config";
  if (path.startsWith(`${PROMPTS_DIR}/`)) return "prompt";
  if (isSign(path)) return "sign";
  if (rules.gateFiles.files.includes(path)) return "gateScript";
  if (matchAny(rules.freeze, path)) return "freeze";
  return matchAny(CI_GLOBS, path) ? "ci" : null;
}

function isSign(path: string): boolean {
  return path.startsWith(`${GUARDRAILS_DIR}/`) && path.endsWith(".md") && !path.slice(GUARDRAILS_DIR.length + 1).includes("/");
}

/** In words for the agent and the report: `<path> is <this>`. */
export const FROZEN_WORDS: Readonly<Record<FrozenKind, string>> = {
  config: "the loop's configuration",
  prompt: "a prompt of the loop",
  sign: "an approved sign",
  ci: "a CI file",
  gateScript: "a file that decides what a gate, a hook or a notification runs",
  freeze: "frozen by the settings",
};

/**
 * Follows the gates' commands, through package.json scripts and shell scripts, to the files that they run. `read` gives the text of a
 * plain file below the root, or null. A script below `protect` that is no shell script counts as a test: it is a
 * compared path, so that it can grow. What a gate calls and does not exist yet is the agent's to write.
 */
export function gateFiles(options: { commands: readonly string[]; protect: readonly string[]; read: (path: string) => string | null }): GateFiles {
  const { commands, protect, read } = options;
  const textOf = (path: string): string => read(path) ?? "";
  const files = new Set<string>();
  const packages = new Map<string, Map<string, string | null>>();
  const queue = commands.map((command) => ({ command, dir: ".", inScript: false }));
  const seen = new Set<string>();
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { command, dir, inScript } = next;
    const key = `${dir}\0${command}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const path of gateScripts(command, (one) => read(one) !== null, dir)) {
      const text = textOf(path);
      const shell = isShellScript(path, text);
      // What a script starts in another language may well be the work itself.
      if (isTest(path, protect) || (inScript && !shell)) continue;
      files.add(path);
      if (shell && seen.size < MAX_COMMANDS) queue.push(...linesOf(text).map((line) => ({ command: line, dir, inScript: true })));
    }
    const targets = makeTargets(command, dir);
    if (targets.some((path) => read(path) !== null)) for (const path of targets) files.add(path);
    for (const called of new Set(scriptCalls(command, dir).map((call) => call.dir))) {
      const path = join(called, "package.json");
      const pinned = packages.get(path) ?? new Map<string, string | null>();
      for (const script of pinnedScripts(command, textOf(path), { from: dir, of: called })) {
        pinned.set(script.name, script.value);
        if (script.value !== null) queue.push({ command: script.value, dir: called, inScript: false });
      }
      if (pinned.size === 0) continue;
      packages.set(path, pinned);
      for (const name of RUNNER_FILES) files.add(join(called, name));
    }
  }
  return {
    files: [...files].sort(),
    packages: [...packages].map(([path, scripts]) => ({ path, scripts: [...scripts].map(([name, value]) => ({ name, value })) })),
  };
}

/** Gates of more commands are generated; each costs a look at the files that it may name. */
const MAX_COMMANDS = 2_000;

/** One command each, continued lines joined. */
function linesOf(script: string): string[] {
  return script
    .replace(/\\\n/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

function isTest(path: string, protect: readonly string[]): boolean {
  return matchAny(protect, path) && /\.\w+$/.test(base(path)) && !/\.(?:sh|bash|zsh)$/.test(path);
}
