/** Finds and reads the configuration files. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { CONFIG_FILE } from "../core/paths.js";

const FOLDER = "ralphd";

/** `$XDG_CONFIG_HOME/ralphd`; a relative `XDG_CONFIG_HOME` is ignored, as its specification says. */
export function userConfigDir(env: NodeJS.ProcessEnv): string {
  const base = env["XDG_CONFIG_HOME"];
  if (base !== undefined && isAbsolute(base)) return join(base, FOLDER);
  return join(env["HOME"] ?? homedir(), ".config", FOLDER);
}

/** `$XDG_STATE_HOME/ralphd`: what is worth keeping and belongs to no repository. */
export function userStateDir(env: NodeJS.ProcessEnv): string {
  const base = env["XDG_STATE_HOME"];
  if (base !== undefined && isAbsolute(base)) return join(base, FOLDER);
  return join(env["HOME"] ?? homedir(), ".local/state", FOLDER);
}

export interface ConfigFiles {
  project: string | null;
  user: string | null;
  userPath: string;
}

export function readConfigFiles(root: string, env: NodeJS.ProcessEnv): ConfigFiles {
  const userPath = join(userConfigDir(env), "config.yaml");
  return { project: readIfThere(join(root, CONFIG_FILE)), user: readIfThere(userPath), userPath };
}

/** null when there is no such file; anything else that prevents reading is thrown, since ignoring settings is no option. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
    throw error;
  }
}
