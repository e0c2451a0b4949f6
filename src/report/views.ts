/** Views of the run in `.ralph/state`, for people and agents. Never read back, rebuilt at will; losing them never hurts a run. */
import { existsSync, mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { AgentEvent } from "../core/agent-event.js";
import type { JournalEvent } from "../core/journal-event.js";
import { RALPH_DIR, STATE_DIR } from "../core/paths.js";
import type { RunState } from "../core/run-state.js";
import type { Observer } from "../driver/ports.js";
import { replaceFile } from "../journal/atomic.js";
import { type Redactor, redactValue } from "../journal/redact.js";
import { unsafePath } from "../journal/unsafe-path.js";
import { createActivityLog } from "./activity.js";
import type { ReportContext } from "./context.js";
import { agentFailureOf, failureOf } from "./failures.js";
import { renderMarkdown } from "./markdown.js";
import { reportModel } from "./model.js";
import { pace } from "./pacing.js";
import { appendRotating, type Rotation } from "./rotating-file.js";
import { iterationView, taskViews } from "./snapshots.js";

export interface ViewsOptions {
  root: string;
  redact: Redactor;
  /** The folded state; asked again at each refresh. Null before the run has started. */
  state: () => RunState | null;
  context: (state: RunState) => ReportContext;
  /** Wall clock, epoch ms. */
  nowMs?: () => number;
  rotation?: Rotation;
  /** Least time between two refreshes while the loop goes on. */
  refreshMs?: number;
}

export interface Views extends Observer {
  /** Rewrites iteration.json, tasks.json and report.md. */
  refresh(): void;
  /** What could not be written, each cause once; empties the list. */
  takeProblems(): string[];
}

const ROTATION: Rotation = { maxBytes: 5 * 1024 * 1024, keep: 2 };

/** Events after which people look: everything else shows at the next of these. */
const REFRESH_AFTER: ReadonlySet<JournalEvent["type"]> = new Set([
  "run.started",
  "run.resumed",
  "iteration.started",
  "iteration.ended",
  "task.parked",
  "wait.ended",
  "run.unpaused",
]);
/** After these nothing may come for a long time. */
const REFRESH_AT_ONCE: ReadonlySet<JournalEvent["type"]> = new Set(["wait.started", "run.paused", "run.stopped"]);
const REFRESH_MS = 1_000;

export async function createViews(options: ViewsOptions): Promise<Views> {
  const { pino, stdTimeFunctions } = await import("pino");
  const { nowMs = Date.now, rotation = ROTATION, redact } = options;
  const folder = openFolder(options.root);
  const logTo = (name: string) => {
    const write = (line: string): void => folder.attempt((dir) => appendRotating(join(dir, name), line, rotation));
    return pino({ base: null, timestamp: stdTimeFunctions.isoTime }, { write });
  };
  const [activity, errors] = [logTo("activity.jsonl"), logTo("errors.jsonl")];
  const log = createActivityLog();
  let finalText: string | null = null;

  const refresh = (): void => {
    const state = options.state();
    if (state !== null) folder.attempt((dir) => writeSnapshots(dir, state, { context: { finalText, ...options.context(state) }, redact, nowMs: nowMs() }));
  };
  const refreshing = pace(refresh, options.refreshMs ?? REFRESH_MS);
  return {
    refresh: refreshing.now,
    takeProblems: folder.takeProblems,
    journal: (event) => {
      if (event.type === "agent.ended") {
        finalText = event.finalText;
        for (const line of log.flush(event.iteration)) activity.info(redactValue({ run: event.run, ...line }, redact));
      }
      const failure = failureOf(event);
      if (failure !== null) errors.error(redactValue({ run: event.run, iteration: event.iteration, ...failure }, redact));
      if (REFRESH_AT_ONCE.has(event.type)) refreshing.now();
      else if (REFRESH_AFTER.has(event.type)) refreshing.soon();
    },
    agent: (iteration: number, event: AgentEvent) => {
      const run = options.state()?.run ?? null;
      for (const line of log.take(iteration, event, nowMs())) activity.info(redactValue({ run, ...line }, redact));
      const failure = agentFailureOf(event);
      if (failure !== null) errors.warn(redactValue({ run, iteration, ...failure }, redact));
    },
  };
}

function writeSnapshots(dir: string, state: RunState, from: { context: ReportContext; redact: Redactor; nowMs: number }): void {
  const json = (value: unknown): string => `${JSON.stringify(redactValue(value, from.redact), null, 2)}\n`;
  // Before rendering: Markdown escapes could hide a secret from the redactor. The state comes from the journal, which is clean.
  const context = redactValue(from.context, from.redact);
  replaceFile(join(dir, "iteration.json"), json(iterationView(state, from.nowMs)));
  replaceFile(join(dir, "tasks.json"), json({ run: state.run, tasks: taskViews(state, context) }));
  replaceFile(join(dir, "report.md"), from.redact(renderMarkdown(reportModel(state, context))));
}

interface Folder {
  /** Creates the folder whenever it is missing; every refusal becomes a problem that is named once. */
  attempt(operation: (dir: string) => void): void;
  takeProblems(): string[];
}

function openFolder(root: string): Folder {
  const dir = join(root, STATE_DIR);
  const named = new Set<string>();
  const fresh: string[] = [];
  const name = (problem: string): void => {
    if (named.has(problem)) return;
    named.add(problem);
    fresh.push(problem);
  };
  const attempt = (operation: (dir: string) => void): void => {
    const unsafe = unsafePath(join(root, RALPH_DIR), relative(RALPH_DIR, STATE_DIR));
    if (unsafe !== null) return name(`views are not written: ${unsafe}`);
    try {
      mkdirSync(dir, { recursive: true });
      // The folder ignores itself, so that no view is ever part of a commit; a full disk may have taken the folder but not this file.
      const ignore = join(dir, ".gitignore");
      if (!existsSync(ignore)) replaceFile(ignore, "*\n");
      operation(dir);
    } catch (error) {
      // Even a bug in a view may not end a run: it is named like a full disk.
      name(`views in ${dir} are not up to date: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const takeProblems = (): string[] => fresh.splice(0);
  return { attempt, takeProblems };
}
