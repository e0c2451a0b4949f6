/** What a report or a view needs beside the journal: the plan as it stands, the clock, the place. */
import type { TaskState } from "../core/words.js";

export interface PlanTask {
  id: string;
  text: string;
  state: TaskState;
}

/** Lines of one file; null for a binary one. */
export interface FileChange {
  path: string;
  added: number | null;
  removed: number | null;
}

/** How frozen paths were protected. */
export type Isolation = "kernel" | "compared" | "none";

export interface ReportContext {
  /** Null when the run has no plan, or it can not be read. */
  tasks: readonly PlanTask[] | null;
  nowMs: number;
  branch: string | null;
  root: string;
  isolation: Isolation;
  /** The agent's last message; of a level 1 run it is the result. */
  finalText?: string | null;
  /** What each iteration changed, as far as somebody asked git for it. */
  diffs?: Readonly<Record<number, readonly FileChange[]>>;
  /** Where the kept copies lie; absolute. */
  runFolder?: string | null;
}
