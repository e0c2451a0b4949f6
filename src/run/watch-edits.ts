/**
 * Looks at plan and guardrails while the run is on, so that a broken edit is named at once and not at the next
 * iteration. It only names: what counts is read when an iteration starts, and without it nothing else changes.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { FSWatcher, watch as Watch } from "chokidar";
import { GUARDRAILS_DIR } from "../core/paths.js";
import { parsePlan } from "../core/plan/parse.js";
import { parseSign } from "../core/sign.js";
import { readTextOrNull } from "../quiet-files.js";

export interface EditWatch {
  /** What was found since the last call, each problem once until it is gone. */
  take(): string[];
  close(): Promise<void>;
}

export interface EditWatchOptions {
  root: string;
  /** Relative to the root; null without a plan. */
  plan: string | null;
  sections: string[] | null;
  /** chokidar's own unless a test brings another. */
  watch?: typeof Watch;
}

/** An editor writes in several steps; what stands after this time is meant. */
const SETTLE_MS = 150;

export function watchEdits(options: EditWatchOptions): EditWatch {
  const found: string[] = [];
  const named = new Map<string, string>();
  const timers = new Map<string, NodeJS.Timeout>();
  const look = (path: string): void => {
    timers.delete(path);
    const problem = problemOf(path, options);
    if (problem === null) named.delete(path);
    else if (named.get(path) !== problem) {
      named.set(path, problem);
      found.push(problem);
    }
  };
  const settle = (path: string): void => {
    clearTimeout(timers.get(path));
    timers.set(path, setTimeout(() => look(path), SETTLE_MS).unref());
  };
  const giveUp = (error: unknown): void => {
    void opened.then((watcher) => watcher?.close());
    found.push(
      `edits of plan and guardrails are not seen at once (${error instanceof Error ? error.message : String(error)}); they are read when the next iteration starts`,
    );
  };
  const opened = open(options, settle, giveUp).catch((error: unknown) => {
    giveUp(error);
    return null;
  });
  return {
    take: () => found.splice(0),
    close: async () => {
      for (const timer of timers.values()) clearTimeout(timer);
      await (await opened)?.close();
    },
  };
}

/** Folders are watched, not files: an editor that replaces a file leaves a watch on the old one behind. */
async function open(options: EditWatchOptions, changed: (path: string) => void, failed: (error: unknown) => void): Promise<FSWatcher | null> {
  const { root, plan } = options;
  const guardrails = join(root, GUARDRAILS_DIR);
  const planPath = plan === null ? null : join(root, plan);
  const folders = [...(planPath === null ? [] : [dirname(planPath)]), ...(existsSync(guardrails) ? [guardrails] : [])];
  if (folders.length === 0) return null;
  const watch = options.watch ?? (await import("chokidar")).watch;
  const wanted = (path: string): boolean => folders.includes(path) || path === planPath || (dirname(path) === guardrails && path.endsWith(".md"));
  const watcher = watch(folders, { ignoreInitial: true, depth: 0, persistent: false, ignored: (path) => !wanted(resolve(path)) });
  watcher.on("all", (_, path) => {
    if (!folders.includes(path)) changed(resolve(path));
  });
  watcher.on("error", failed);
  return watcher;
}

function problemOf(path: string, { root, plan, sections }: EditWatchOptions): string | null {
  const text = readTextOrNull(path);
  // Gone, or between the two steps of an editor.
  if (text === null) return null;
  if (plan !== null && path === join(root, plan)) {
    const reading = parsePlan(text, { path: plan, sections });
    const first = reading.kind === "invalid" ? reading.problems[0] : undefined;
    return first === undefined
      ? null
      : `${plan}:${first.line}:${first.column}: ${first.message}; as long as it is so, the last good version of the plan counts`;
  }
  return parseSign(text) === null
    ? `${GUARDRAILS_DIR}/${basename(path)} is no sign (front matter with a trigger, then the instruction) and is not shown to the agent`
    : null;
}
