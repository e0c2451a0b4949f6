/** What a plan is once it was read: tasks with byte positions, and what is wrong with the file. */
import type { TaskState } from "../words.js";

export interface Task {
  /** Stable within a run: slug of the text, with `~2` and so on for repeated texts. */
  id: string;
  /** One line, without the box, the `(manual)` mark and HTML comments. */
  text: string;
  /** As the file says; `blocked` never comes from the file. A parent is `done` only when its children are. */
  state: Exclude<TaskState, "blocked">;
  /** What stands between the brackets: ` `, `x`, `X`, or another mark. */
  mark: string;
  /** UTF-16 offset of that character in the source; -1 where the format has no box (JSON). */
  markOffset: number;
  /** 1-based. */
  line: number;
  depth: number;
  parent: string | null;
  /** From `<!-- gate: a, b -->`. */
  gates: string[];
  /** From `<!-- edits: globs -->`: protected or frozen paths that this task may change. */
  edits: string[];
  /** From `<!-- group: n -->`; null sorts last. */
  group: number | null;
}

export interface PlanProblem {
  line: number;
  column: number;
  message: string;
}

export type PlanFormat = "markdown" | "ralph_task" | "prd_json" | "task_headings" | "prompt";

export interface Plan {
  format: PlanFormat;
  /** In file order. */
  tasks: Task[];
  /** The YAML between the `---` lines, verbatim; null without front matter. */
  frontMatter: string | null;
  /** Gates and setup that the format itself carries (`test_command`, `## Validation Commands`). */
  impliedGates: { name: string; run: string }[];
  /** The prose of a `prompt` plan, which has no tasks. */
  objective: string | null;
  warnings: PlanProblem[];
}

export type PlanReading = { kind: "plan"; plan: Plan } | { kind: "invalid"; problems: PlanProblem[] };

/** What became of the plan during an iteration; see reconcile.ts. */
export interface Reconciliation {
  /** The text that must stand in the file now. */
  source: string;
  /** Human sentences, one for each thing put back; empty when the agent's text stands as it is. */
  restored: string[];
  /** True when the frozen part (front matter) was among them. */
  frozenTouched: boolean;
  /** Ids of tasks that the agent ticked. */
  ticked: string[];
  /** Ids of tasks that the agent unticked. */
  unticked: string[];
  /** Ids of tasks that the agent added and that stay. */
  added: string[];
}
