/** The scripts of a package.json that a gate calls: found, pinned one by one, and put back without touching the rest. */
import { optionValue } from "./gate-scripts.js";
import { base, join, simpleCommands } from "./shell-words.js";
import { textAt } from "../text-at.js";

/** `value: null` means that the script did not exist and must not appear (a `pretest` of the agent's own). */
export interface PinnedScript {
  name: string;
  value: string | null;
}

export interface ScriptCall {
  /** Folder of the package.json. */
  dir: string;
  /** May hold `*`, as `run-s test:*` does. */
  name: string;
}

const MANAGERS = new Set(["npm", "pnpm", "yarn", "bun"]);
const RUN = new Set(["run", "run-script", "rum", "urn"]);
/** npm's own words for scripts. */
const NPM_SCRIPTS: Readonly<Record<string, string>> = {
  test: "test",
  t: "test",
  tst: "test",
  start: "start",
  stop: "stop",
  restart: "restart",
};
/** Options of the managers that take the next word. */
const DIR_OPTIONS = ["--prefix", "-C", "--dir", "--cwd"];
const VALUE_OPTIONS = new Set([...DIR_OPTIONS, "-w", "--workspace", "--filter", "-F", "--loglevel", "--script-shell"]);

/** Script names that a command calls, with the folder whose package.json is meant. */
export function scriptCalls(command: string, dir = "."): ScriptCall[] {
  const calls: ScriptCall[] = [];
  for (const simple of simpleCommands(command, dir)) {
    const [program = "", ...rest] = simple.words;
    const here = join(simple.dir, optionValue(beforeDashes(rest), DIR_OPTIONS) ?? ".");
    for (const name of calledNames(base(program), rest)) calls.push({ dir: here, name });
  }
  return calls;
}

function calledNames(program: string, rest: readonly string[]): string[] {
  if (/^(?:run-s|run-p|npm-run-all2?)$/.test(program)) return plainWords(rest).map((name) => name.replace(/\s.*$/s, ""));
  if (program === "concurrently") return rest.flatMap((word) => /^(?:npm|pnpm|yarn|bun):(\S+)/.exec(word)?.[1] ?? []);
  if (program === "node") {
    const name = optionValue(rest, ["--run"]);
    return name === null ? [] : [name];
  }
  if (program === "npx" || program === "bunx") return calledNames(textAt(plainWords(rest), 0), rest.slice(1));
  if (!MANAGERS.has(program)) return [];
  const [verb = "", script] = plainWords(rest);
  if (RUN.has(verb)) return script === undefined ? [] : [script];
  if (program === "npm") return NPM_SCRIPTS[verb] === undefined ? [] : [NPM_SCRIPTS[verb]];
  // `bun test` is bun's own runner; pnpm and yarn take any script's name as a word.
  return program === "bun" || verb === "" ? [] : [NPM_SCRIPTS[verb] ?? verb];
}

function plainWords(words: readonly string[]): string[] {
  const found: string[] = [];
  const own = beforeDashes(words);
  for (let at = 0; at < own.length; at += 1) {
    const word = textAt(own, at);
    if (VALUE_OPTIONS.has(word)) at += 1;
    else if (!word.startsWith("-")) found.push(word);
  }
  return found;
}

/** What stands behind `--` belongs to the script. */
function beforeDashes(words: readonly string[]): readonly string[] {
  const dashes = words.indexOf("--");
  return dashes < 0 ? words : words.slice(0, dashes);
}

/**
 * The scripts of this package.json that the command calls, with their `pre` and `post` scripts and those that they
 * call in turn. Empty when the text is no readable package.json or nothing is called. `from` is the folder in which
 * the command starts, `of` the folder of the package.json.
 */
export function pinnedScripts(command: string, packageJsonText: string, dirs = { from: ".", of: "." }): PinnedScript[] {
  const scripts = readScripts(packageJsonText);
  if (scripts === null) return [];
  const pinned = new Map<string, string | null>();
  const follow = (text: string, from: string): void => {
    for (const call of scriptCalls(text, from)) {
      const names = call.dir === dirs.of ? Object.keys(scripts).filter((name) => isCalled(name, call.name)) : [];
      for (const name of names.flatMap((one) => [one, `pre${one}`, `post${one}`])) {
        if (pinned.has(name)) continue;
        const value = scripts[name] ?? null;
        pinned.set(name, value);
        if (value !== null) follow(value, dirs.of);
      }
    }
  };
  follow(command, dirs.from);
  return [...pinned].map(([name, value]) => ({ name, value })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** `test:*` calls every script that begins so. A called script that does not exist yet is the agent's to write. */
function isCalled(name: string, called: string): boolean {
  if (!called.includes("*")) return name === called;
  return new RegExp(`^${called.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`).test(name);
}

/** Names of pinned scripts whose value differs; null when the text can't be read. */
export function changedScripts(packageJsonText: string, pinned: readonly PinnedScript[]): string[] | null {
  const scripts = readScripts(packageJsonText);
  return scripts === null ? null : differing(scripts, pinned);
}

function differing(scripts: Readonly<Record<string, string>>, pinned: readonly PinnedScript[]): string[] {
  return pinned.filter(({ name, value }) => (scripts[name] ?? null) !== value).map(({ name }) => name);
}

/**
 * Puts back just the pinned scripts and keeps every other edit, the indentation, the line endings and the end of
 * the file. Returns the text itself when nothing differs, null when it can't be read: then the whole file is bad.
 */
export function restoreScripts(currentPackageJson: string, pinned: readonly PinnedScript[]): string | null {
  const json = parseObject(currentPackageJson);
  if (json === null) return null;
  if (differing(scriptsOf(json), pinned).length === 0) return currentPackageJson;
  const scripts: Record<string, unknown> = isObject(json["scripts"]) ? json["scripts"] : {};
  for (const { name, value } of pinned) {
    if (value === null) delete scripts[name];
    else scripts[name] = value;
  }
  json["scripts"] = scripts;
  const indent = /^[ \t]+(?=")/m.exec(currentPackageJson)?.[0] ?? (currentPackageJson.includes("\n") ? "  " : "");
  const newline = currentPackageJson.includes("\r\n") ? "\r\n" : "\n";
  const end = currentPackageJson.slice(currentPackageJson.trimEnd().length);
  const mark = currentPackageJson.startsWith("\uFEFF") ? "\uFEFF" : "";
  return mark + JSON.stringify(json, null, indent).replaceAll("\n", newline) + end;
}

function readScripts(text: string): Record<string, string> | null {
  const json = parseObject(text);
  return json === null ? null : scriptsOf(json);
}

function scriptsOf(json: Record<string, unknown>): Record<string, string> {
  const scripts: Record<string, string> = Object.create(null) as Record<string, string>;
  if (isObject(json["scripts"])) {
    for (const [name, value] of Object.entries(json["scripts"])) if (typeof value === "string") scripts[name] = value;
  }
  return scripts;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isObject(json) ? json : null;
  } catch {
    // Only the fact that it can't be read matters; the caller then restores the whole file.
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
