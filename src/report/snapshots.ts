/** The small JSON views of a run: where it stands, and what became of each task. */
import type { RunState } from "../core/run-state.js";
import type { IterationMode } from "../core/journal-event.js";
import type { Usage } from "../core/usage.js";
import type { IterationClass, TaskState } from "../core/words.js";
import type { ReportContext } from "./context.js";

export interface IterationView {
  run: string;
  /** The running iteration, or the last one. */
  iteration: number;
  spent: number;
  phase: "started" | "ended" | "judged" | "committed" | "finished" | "none";
  mode: IterationMode | null;
  task: string | null;
  /** Of the last finished iteration. */
  lastClass: IterationClass | null;
  lastCommit: string | null;
  usage: Usage;
  activeMs: number;
  waitingUntil: string | null;
  paused: boolean;
  updatedAt: string;
}

export function iterationView(state: RunState, nowMs: number): IterationView {
  const last = state.records.at(-1);
  return {
    run: state.run,
    iteration: state.iteration,
    spent: state.spent,
    phase: state.open?.phase ?? (last === undefined ? "none" : "finished"),
    mode: state.open?.mode ?? last?.mode ?? null,
    task: state.open?.task ?? last?.task ?? null,
    lastClass: last?.class ?? null,
    lastCommit: state.lastCommit,
    usage: state.usage,
    activeMs: state.activeMs,
    waitingUntil: state.waiting === null ? null : new Date(state.waiting.untilMs).toISOString(),
    paused: state.paused,
    updatedAt: new Date(nowMs).toISOString(),
  };
}

export interface TaskView {
  id: string;
  text: string;
  state: TaskState;
  /** Null until proved in this run. */
  proof: { iteration: number; gates: string[]; commit: string | null } | null;
  /** Why it is parked. */
  question: string | null;
}

export function taskViews(state: RunState, context: ReportContext): TaskView[] {
  const tasks = context.tasks ?? state.tasks.map(({ id, text }) => ({ id, text, state: "other" as const }));
  return tasks.map(({ id, text, state: taskState }) => {
    const proof = state.proved[id];
    return {
      id,
      text,
      state: taskState,
      proof: proof === undefined ? null : { iteration: proof.iteration, gates: proof.gates, commit: proof.commit },
      question: state.parked[id] ?? null,
    };
  });
}
