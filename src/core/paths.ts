/** File and folder names, relative to the working tree's root or to the git directory. */

export const DEFAULT_PLAN = "PLAN.md";
/** Committed loop files at the root. */
export const RALPH_DIR = ".ralph";
export const CONFIG_FILE = ".ralph/config.yaml";
export const PROMPTS_DIR = ".ralph/prompts";
export const GUARDRAILS_DIR = ".ralph/guardrails";
/** Copies of the shipped schemas, for editors alone. */
export const SCHEMAS_DIR = ".ralph/schemas";
export const PROGRESS_FILE = ".ralph/progress.md";
/** Older notes that no longer fit; committed like the notes. */
export const PROGRESS_ARCHIVE = ".ralph/progress-archive.md";
/** Ignored views, rebuilt at will. */
export const STATE_DIR = ".ralph/state";
/** Below the git directory: the truth. */
export const TRUTH_DIR = "ralphd";
export const LOCK_FILE = "lock";
/** Touched while a driver lives. */
export const HEARTBEAT_FILE = "heartbeat";
export const INBOX_DIR = "inbox";
export const RUNS_DIR = "runs";
/** Earlier drafts of plans, each whole. */
export const DRAFTS_DIR = "drafts";
/** Below the common git directory's truth: records of `ralphd once`. */
export const ONCE_DIR = "once";
/** Beside it: the same of gates and hooks, a folder for each. */
export const ONCE_SCOPES_DIR = "once-for";
/** Beside it: records of what the driver and people's commands write elsewhere. No agent can write here. */
export const WRITES_DIR = "writes";
export const JOURNAL_FILE = "journal.jsonl";
export const PINNED_DIR = "pinned";
export const ITERATIONS_DIR = "iterations";
/** Git refs that keep what would otherwise be unreachable. */
export const REF_PREFIX = "refs/ralphd/";

/** Where an iteration's version of a file is kept that was put back. The ending keeps test runners that search everything from running it. */
export function rejectedPath(iteration: number, path: string): string {
  return `${iterationDir(iteration)}/rejected/${path}.kept`;
}

/** `7` becomes `iterations/0007`. */
export function iterationDir(iteration: number): string {
  return `${ITERATIONS_DIR}/${String(iteration).padStart(4, "0")}`;
}
