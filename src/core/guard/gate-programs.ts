/**
 * Programs that gates start by name, and the folders of the repository in which such a name is looked for. Packages put
 * their programs into `node_modules/.bin`, which package runners put in front of everything else; git ignores it.
 */
import type { GateFiles } from "./frozen.js";
import { base, join, simpleCommands } from "./shell-words.js";

export interface GatePrograms {
  names: string[];
  /** Relative to the root; many don't exist. */
  folders: string[];
}

/** What package managers and scripts start besides what the gates name; no package installs these. */
export const ALWAYS = ["sh", "env", "node", "git"];
export const PACKAGE_BIN = "node_modules/.bin";
/** A gate of more words is generated; each costs two looks at the disk an iteration. */
const MAX_NAMES = 200;

/** `path` is the PATH of the gates, `root` absolute; `read` gives the text of a plain file below it. */
export function gatePrograms(options: {
  commands: readonly string[];
  gateFiles: GateFiles;
  root: string;
  path: string;
  read: (path: string) => string | null;
}): GatePrograms {
  const { commands, gateFiles, root, path, read } = options;
  const called = gateFiles.packages.flatMap(({ scripts }) => scripts.flatMap(({ value }) => value ?? []));
  const written = gateFiles.files.flatMap((file) => (isShellText(file) ? [read(file) ?? ""] : []));
  const lines = [...commands, ...called, ...written.flatMap((text) => text.split("\n"))];
  const names = new Set([...ALWAYS, ...lines.flatMap(namesIn)]);
  const packages = gateFiles.packages.flatMap(({ path: file }) => upwards(file)).map((folder) => join(folder, PACKAGE_BIN));
  return { names: [...names].slice(0, MAX_NAMES), folders: [...new Set([...foldersOf(path, root), PACKAGE_BIN, ...packages])] };
}

/** Arguments too: `npx vitest`, `c8 mocha`, `concurrently lint test`. */
function namesIn(line: string): string[] {
  return simpleCommands(line.trim()).flatMap(({ words }) => words.filter((word) => /^[A-Za-z][\w.+-]*$/.test(word)));
}

function isShellText(file: string): boolean {
  return /\.(?:sh|bash|zsh|mk)$/.test(file) || /^(?:(?:GNU)?[Mm]akefile|\.?[Jj]ustfile)$/.test(base(file)) || !base(file).includes(".");
}

/** Folder of the file and those above it, the root last. */
function upwards(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return [...parts.map((_, at) => parts.slice(0, parts.length - at).join("/")), "."];
}

/** Parts of PATH inside of the repository; an empty part is the folder in which the gate starts. */
function foldersOf(path: string, root: string): string[] {
  return path.split(":").flatMap((part) => {
    if (part === root) return ["."];
    if (part.startsWith(`${root}/`)) return [join(".", part.slice(root.length + 1))];
    return part.startsWith("/") ? [] : [join(".", part)].filter((folder) => !folder.startsWith(".."));
  });
}
