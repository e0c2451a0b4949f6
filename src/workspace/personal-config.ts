/**
 * The person's own git configuration. An agent can write it, and a filter or program in it would be started by the
 * driver's git, outside of any sandbox: so a run reads it once, with all that it includes, and uses that copy alone.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeAtomic } from "../journal/atomic.js";
import { expectOk, type Git } from "./git.js";
import { personalConfig, useGlobalConfig } from "./global-config.js";

export interface FrozenPersonalConfig {
  /** Files that it was read from, included ones among them, and those that git would read if they were there; absolute. */
  files: string[];
  /** Git reads the person's files again. */
  thaw(): void;
}

const COPY = "gitconfig";

/** `folder`: of the driver's own, where no agent can write in the sandbox. */
export async function freezePersonalConfig(git: Pick<Git, "read">, env: NodeJS.ProcessEnv, folder: string): Promise<FrozenPersonalConfig> {
  const output = expectOk(await git.read(["config", "--list", "--includes", "-z", "--show-scope", "--show-origin"]), "config");
  const fields = output.toString("utf8").split("\0");
  const files = new Set(personalConfig(env).files);
  const entries: string[] = [];
  // Three fields an entry: scope, origin, and key LF value.
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = "", origin = "", entry = ""] = fields.slice(at, at + 3);
    if (scope !== "global") continue;
    if (origin.startsWith("file:")) files.add(origin.slice(5));
    // What it includes is in the list itself.
    if (!/^include(?:if)?\./.test(entry)) entries.push(written(entry));
  }
  const copy = join(folder, COPY);
  writeAtomic(copy, entries.join(""));
  return { files: [...files].filter((file) => existsSync(file)), thaw: useGlobalConfig(env, copy) };
}

/** As git-config(1) reads it back: `section.sub.section.name` LF value, or without the value where none was written. */
function written(entry: string): string {
  const end = entry.indexOf("\n");
  const key = end < 0 ? entry : entry.slice(0, end);
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  const section = first === last ? key.slice(0, first) : `${key.slice(0, first)} ${quoted(key.slice(first + 1, last))}`;
  const value =
    end < 0
      ? ""
      : ` = ${quoted(entry.slice(end + 1))
          .replaceAll("\n", "\\n")
          .replaceAll("\t", "\\t")}`;
  return `[${section}]\n\t${key.slice(last + 1)}${value}\n`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, (char) => `\\${char}`)}"`;
}
