/** What a report or a view needs beside the journal: the plan as it stands, the clock, the place. */
import type { TaskState } from "../core/words.js";

export interface PlanTask {
  id: string;
  text: string;
  state: TaskState;
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
  /** Files by commit id, as far as somebody asked git for them. */
  filesByCommit?: Readonly<Record<string, readonly string[]>>;
}
