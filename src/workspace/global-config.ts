/** Which of the person's configuration files git reads: what stands where, and the copy that a run uses instead. */
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
/** By the files that a copy stands for. */
const copies = new Map<string, string>();

/** From now on git reads this file instead of the person's. Returns what ends that. */
export function useGlobalConfig(env: Environment, copy: string): () => void {
  const key = keyOf(env);
  copies.set(key, copy);
  return () => {
    if (copies.get(key) === copy) copies.delete(key);
  };
}

/** What `GIT_CONFIG_GLOBAL` has to be; null: as it is. */
export function globalConfig(env: Environment): string | null {
  return copies.get(keyOf(env)) ?? null;
}

function keyOf(env: Environment): string {
  return personalConfig(env).files.join("\0");
}
