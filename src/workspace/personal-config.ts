/** The person's own git configuration: which files it is, and that none which appears later is read by the driver's git. */
import { existsSync } from "node:fs";
import { join } from "node:path";

export interface PersonalConfig {
  /** Configuration files that git reads where they exist; absolute. */
  files: string[];
  /** Git's folder below `XDG_CONFIG_HOME`, with attributes and ignored names besides the configuration; null without a home. */
  folder: string | null;
}

type Environment = Record<string, string | undefined>;

/** By the rules of git-config(1): a named file stands for both of the others. */
export function personalConfig(env: Environment): PersonalConfig {
  const { HOME: home, GIT_CONFIG_GLOBAL: named } = env;
  const base = env["XDG_CONFIG_HOME"] || (home === undefined ? null : join(home, ".config"));
  const folder = base === null ? null : join(base, "git");
  const usual = [...(home === undefined ? [] : [join(home, ".gitconfig")]), ...(folder === null ? [] : [join(folder, "config")])];
  return { files: named === undefined ? usual : named === NOTHING ? [] : [named], folder };
}

/** Git's own way to say that there is none. */
const NOTHING = "/dev/null";
/** What was there at the first question, by the files that were asked for. */
const first = new Map<string, string | null>();

/**
 * What `GIT_CONFIG_GLOBAL` has to be, so that of the files only those count that were there when this process first
 * called git; null: as it is. An agent could else bring filters and programs into the driver's git by a new file.
 */
export function pinnedGlobal(env: Environment): string | null {
  const { files } = personalConfig(env);
  const key = files.join("\0");
  const known = first.get(key);
  if (known !== undefined) return known;
  const there = files.filter((file) => existsSync(file));
  const pinned = there.length === files.length ? null : (there[0] ?? NOTHING);
  first.set(key, pinned);
  return pinned;
}
