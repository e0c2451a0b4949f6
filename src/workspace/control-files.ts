/** Files that steer git itself: configuration, hooks, ignore and attribute rules. An agent that bends them bends the driver's commits. */
import { accessSync, chmodSync, constants, lstatSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { hasHook } from "./hooks.js";
import type { PinnedConfig } from "./git-config.js";
import type { Layout } from "./layout.js";
import { writeAtomically } from "./tree-files.js";
import { namesIn } from "../quiet-files.js";

export interface ControlFile {
  /** Absolute. */
  path: string;
  content: string | null;
}

/** Bytes that are no UTF-8 text (compiled hooks) travel in this form. */
const BASE64 = "\0base64:";
const CONFIG_MODE = 0o644;
const HOOK_MODE = 0o755;

/** Configuration files are listed even when absent; hooks only when git would run them. */
export function readControlFiles(layout: Layout, config: PinnedConfig): ControlFile[] {
  const configuration = new Set([
    join(layout.commonDir, "config"),
    join(layout.gitDir, "config.worktree"),
    join(layout.commonDir, "info/exclude"),
    join(layout.commonDir, "info/attributes"),
    join(layout.gitDir, "info/sparse-checkout"),
    ...config.files,
  ]);
  const hooks = namesIn(config.hooksDir).filter((name) => isHookFile(config.hooksDir, name));
  return [...configuration, ...hooks.map((name) => join(config.hooksDir, name))].map((path) => ({ path, content: readEncoded(path) }));
}

function isHookFile(hooksDir: string, name: string): boolean {
  if (name.endsWith(".sample") || !hasHook(hooksDir, name)) return false;
  return lstatSync(join(hooksDir, name)).isFile() || readEncoded(join(hooksDir, name)) !== null;
}

export function writeControlFile(config: PinnedConfig, path: string, content: string | null): void {
  const isHook = dirname(path) === config.hooksDir && basename(path) !== "config";
  if (content === null) {
    removeControlFile(path, isHook);
    return;
  }
  const bytes = content.startsWith(BASE64) ? Buffer.from(content.slice(BASE64.length), "base64") : content;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) rmSync(path, { recursive: true });
  const mode = isHook ? HOOK_MODE : stat?.isFile() === true ? stat.mode & 0o777 : CONFIG_MODE;
  writeAtomically(path, bytes, mode);
}

/** A hook that was not there may also be a person's file that only became executable: without that bit git ignores it. */
function removeControlFile(path: string, isHook: boolean): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (isHook && stat.isFile()) chmodSync(path, 0o644);
  else rmSync(path, { recursive: true, force: true });
}

function readEncoded(path: string): string | null {
  try {
    accessSync(path, constants.R_OK);
    const bytes = readFileSync(path);
    const text = bytes.toString("utf8");
    return Buffer.from(text).equals(bytes) ? text : `${BASE64}${bytes.toString("base64")}`;
  } catch {
    // Absent, a folder, or unreadable: it has no content to keep.
    return null;
  }
}
