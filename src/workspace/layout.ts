/** Where the parts of a git directory are, for a main or a linked working tree. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { TRUTH_DIR } from "../core/paths.js";

export interface Layout {
  root: string;
  /** Of this working tree: HEAD and index. */
  gitDir: string;
  /** Shared by all working trees: config, hooks, refs, objects. */
  commonDir: string;
  /** The driver's own folder. */
  truthDir: string;
  indexFile: string;
  /** 20, or 32 in a SHA-256 repository. */
  oidBytes: number;
}

/** Without asking git: the folder at the root, or where the file there points to. Throws where neither can be read. */
export function gitDirAt(root: string): string | null {
  const own = join(root, ".git");
  if (statSync(own).isDirectory()) return own;
  const target = /^gitdir: (.+)$/m.exec(readFileSync(own, "utf8"))?.[1];
  return target === undefined ? null : resolve(root, target.trim());
}

export function layoutOf(root: string, gitDir: string): Layout {
  const pointer = join(gitDir, "commondir");
  const commonDir = existsSync(pointer) ? resolve(gitDir, readFileSync(pointer, "utf8").trim()) : gitDir;
  return {
    root,
    gitDir,
    commonDir,
    truthDir: join(gitDir, TRUTH_DIR),
    indexFile: join(gitDir, "index"),
    oidBytes: usesSha256(join(commonDir, "config")) ? 32 : 20,
  };
}

function usesSha256(configFile: string): boolean {
  return existsSync(configFile) && /^\s*objectformat\s*=\s*sha256\s*$/im.test(readFileSync(configFile, "utf8"));
}

/** As git resolves `core.hooksPath`: relative to the working tree, `~` is the home folder. */
export function hooksDir(layout: Layout, configured: string | undefined): string {
  if (configured === undefined || configured === "") return join(layout.commonDir, "hooks");
  const home = configured.startsWith("~/") ? join(process.env.HOME ?? "", configured.slice(2)) : configured;
  return isAbsolute(home) ? home : resolve(layout.root, home);
}
