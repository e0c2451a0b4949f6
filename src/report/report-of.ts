/** The report of the newest run made from its journal, not from the view that an agent could have written. */
import { foldAll } from "../core/fold.js";
import type { JournalEvent } from "../core/journal-event.js";
import type { RunState } from "../core/run-state.js";
import { type JournalProblem, readJournal } from "../journal/read.js";
import { type Redactor, redactValue } from "../journal/redact.js";
import { latestRun } from "../journal/run-store.js";
import type { ReportContext } from "./context.js";
import { renderReport } from "./markdown.js";
import { readPlanTasks } from "./plan-tasks.js";

export interface ReportQuery {
  root: string;
  truthDir: string;
  redact: Redactor;
  nowMs: number;
  /** Headings of the plan whose tasks count; null means all. */
  sections: string[] | null;
  /** Names of the files that these commits changed; commits may be missing in the answer. */
  filesOf(commits: string[]): Promise<Record<string, string[]>>;
}

export type ReportReading =
  | { kind: "report"; markdown: string }
  | { kind: "none" }
  | { kind: "damaged"; run: string; problem: JournalProblem };

export async function reportOf(query: ReportQuery): Promise<ReportReading> {
  const store = latestRun(query.truthDir);
  if (store === null) return { kind: "none" };
  const { events, problem } = readJournal(store.journalPath, store.run);
  if (problem !== null) return { kind: "damaged", run: store.run, problem };
  const state = foldAll(events);
  if (state === null) return { kind: "none" };
  const context = redactValue(await contextOf(state, events, query), query.redact);
  return { kind: "report", markdown: renderReport(state, context) };
}

async function contextOf(state: RunState, events: readonly JournalEvent[], query: ReportQuery): Promise<ReportContext> {
  const { root, sections, nowMs } = query;
  const commits = Object.values(state.proved).flatMap(({ commit }) => (commit === null ? [] : [commit]));
  const parked = new Set(Object.keys(state.parked));
  const { plan, branch, sandbox } = state.started;
  return {
    tasks: readPlanTasks({ root, path: plan, sections, parked }),
    nowMs,
    branch,
    root,
    isolation: sandbox ? "kernel" : "compared",
    finalText: events.findLast((event) => event.type === "agent.ended")?.finalText ?? null,
    filesByCommit: commits.length === 0 ? {} : await query.filesOf([...new Set(commits)]),
  };
}
