/** The report of a run made from its journal, not from the view that an agent could have written. */
import { foldAll } from "../core/fold.js";
import type { JournalEvent } from "../core/journal-event.js";
import { RALPH_DIR } from "../core/paths.js";
import type { RunState } from "../core/run-state.js";
import { type JournalProblem, readJournal } from "../journal/read.js";
import { type Redactor, redactValue } from "../journal/redact.js";
import { latestRun, openRun, type RunStore } from "../journal/run-store.js";
import type { FileChange, ReportContext } from "./context.js";
import { reportModel } from "./model.js";
import type { ReportModel } from "./model-schema.js";
import { readPlanTasks } from "./plan-tasks.js";

/** What an iteration started on and what it left. */
export interface IterationTrees {
  key: number;
  from: string;
  to: string;
}

export interface ReportQuery {
  root: string;
  truthDir: string;
  /** Null: the newest. */
  run: string | null;
  redact: Redactor;
  nowMs: number;
  /** Headings of the plan whose tasks count; null means all. */
  sections: string[] | null;
  /** What changed, by iteration; those that git no longer knows may be missing. */
  diffsOf(trees: IterationTrees[]): Promise<Record<number, FileChange[]>>;
}

export type ReportReading = { kind: "report"; report: ReportModel } | { kind: "none" } | { kind: "damaged"; run: string; problem: JournalProblem };

export async function reportOf(query: ReportQuery): Promise<ReportReading> {
  const newest = latestRun(query.truthDir);
  const store = query.run === null ? newest : openRun(query.truthDir, query.run);
  if (store === null) return { kind: "none" };
  const { events, problem } = readJournal(store.journalPath, store.run);
  if (problem !== null) return { kind: "damaged", run: store.run, problem };
  const state = foldAll(events);
  if (state === null) return { kind: "none" };
  // The plan in the tree tells of the newest run alone.
  const tasks = store.run === newest?.run ? planTasks(state, query) : null;
  const context = redactValue(await contextOf({ state, events, store, tasks }, query), query.redact);
  return { kind: "report", report: reportModel(state, context) };
}

function planTasks(state: RunState, { root, sections }: ReportQuery): ReportContext["tasks"] {
  return readPlanTasks({ root, path: state.started.plan, sections, parked: new Set(Object.keys(state.parked)) });
}

interface Found {
  state: RunState;
  events: readonly JournalEvent[];
  store: RunStore;
  tasks: ReportContext["tasks"];
}

async function contextOf({ state, events, store, tasks }: Found, query: ReportQuery): Promise<ReportContext> {
  const { branch, sandbox } = state.started;
  const trees = iterationTrees(events);
  const diffs = trees.length === 0 ? {} : await query.diffsOf(trees);
  return {
    tasks,
    nowMs: query.nowMs,
    branch,
    root: query.root,
    isolation: sandbox ? "kernel" : "compared",
    finalText: events.findLast((event) => event.type === "agent.ended")?.finalText ?? null,
    diffs: workOnly(diffs, state.started.plan),
    runFolder: store.dir,
  };
}

/** Plan and `.ralph` are bookkeeping, not work: the journal's count of files leaves them out as well. */
function workOnly(diffs: Record<number, FileChange[]>, plan: string | null): Record<number, FileChange[]> {
  const isWork = ({ path }: FileChange): boolean => path !== plan && !path.startsWith(`${RALPH_DIR}/`);
  return Object.fromEntries(Object.entries(diffs).map(([iteration, files]) => [iteration, files.filter(isWork)]));
}

/** Trees rather than the driver's commits: commits of the agent itself lie in between. */
function iterationTrees(events: readonly JournalEvent[]): IterationTrees[] {
  const from = new Map<number, string>();
  const to = new Map<number, string>();
  for (const event of events) {
    if (event.type === "iteration.started") from.set(event.iteration, event.tree);
    if (event.type === "commit.created" || event.type === "iteration.judged") to.set(event.iteration, event.tree);
  }
  return [...from].flatMap(([key, start]) => {
    const end = to.get(key);
    return end === undefined ? [] : [{ key, from: start, to: end }];
  });
}
