/** Runs the user's commit hooks as git would, each on its own, so that a commit can still be refused or judged again. */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import type { Wrap } from "../driver/ports.js";
import { GIT_TIMEOUT_MS, gitEnvironment, type GitResult, superviseChild } from "./git.js";

export type CommitHook = "pre-commit" | "prepare-commit-msg" | "commit-msg" | "post-commit";

export interface HookContext {
  root: string;
  hooksDir: string;
  indexFile: string;
  /** Marks of the run, by which a hook is known as its child. */
  env?: Record<string, string>;
  /** Into the sandbox; a hook runs what the agent wrote. */
  wrap?: Wrap | undefined;
  /** Folders that it may write into although the sandbox makes their surroundings read-only. */
  writable?: readonly string[];
  timeoutMs?: number;
}

/** null when there is no such hook; a file that is not executable is none, as for git. */
export async function runHook(hook: CommitHook, args: string[], context: HookContext): Promise<GitResult | null> {
  if (!hasHook(context.hooksDir, hook)) return null;
  // `:` is what git itself sets where no editor may open.
  const env = { ...gitEnvironment({ indexFile: context.indexFile, locale: "user" }), GIT_EDITOR: ":", GIT_PREFIX: "", ...context.env };
  const argv = [join(context.hooksDir, hook), ...args];
  const place = { cwd: context.root, env, writable: context.writable ?? [] };
  const [file = "", ...rest] = context.wrap?.(argv, place) ?? argv;
  const child = spawn(file, rest, {
    cwd: context.root,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  child.stdin.on("error", () => {
    // A hook need not read its input.
  });
  return superviseChild(child, context.timeoutMs ?? GIT_TIMEOUT_MS).finish();
}

export function hasHook(hooksDir: string, hook: string): boolean {
  try {
    accessSync(join(hooksDir, hook), constants.X_OK);
    return true;
  } catch {
    // The answer itself.
    return false;
  }
}

/** The last is run by git itself when a branch moves. */
const AROUND_A_COMMIT = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "reference-transaction"];

/** True when a commit in this repository starts any program of the user's. */
export function hasAnyHook(hooksDir: string): boolean {
  return AROUND_A_COMMIT.some((hook) => hasHook(hooksDir, hook));
}

/** What a hook said, for the next prompt and for people. */
export function hookOutput(hook: CommitHook, result: GitResult): string {
  const said = `${result.stdout.toString("utf8")}${result.stderr}`.trim();
  const how = result.timedOut ? "did not end in time" : result.code === null ? "was ended by a signal" : `exited with ${result.code}`;
  return said === "" ? `${hook} ${how}` : `${hook} ${how}:\n${said}`;
}
