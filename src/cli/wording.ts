/** What journal events leave out because they name it by an id or count it elsewhere. */
import type { JournalEvent, TaskIdentity } from "../core/journal-event.js";
import { provedTasks } from "../core/proved-tasks.js";
import type { RunState } from "../core/run-state.js";
import { count, plural } from "../report/format.js";

export interface Wording {
  /** Text of a task; its id where nobody knows it. */
  task(id: string): string;
  /** Iterations that the run may spend; null: unlimited or unknown. */
  iterations(): number | null;
  /** Time of day of an ISO time stamp. */
  clock(iso: string): string;
}

/** Time stamps as the journal has them, in UTC. */
export function utcTime(iso: string): string {
  return iso.slice(11, 19);
}

/** `23:40:05`, as the clock on this machine's wall says. */
export function localTime(ms: number): string {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

export const IDS: Wording = { task: (id) => id, iterations: () => null, clock: utcTime };

export function taskText(tasks: readonly TaskIdentity[], id: string): string {
  return tasks.find((task) => task.id === id)?.text ?? id;
}

export interface LearningWording extends Wording {
  see(event: JournalEvent): void;
  learn(tasks: readonly TaskIdentity[]): void;
}

/** Learns the texts of the tasks from the events as they come. */
export function learningWording(clock: (iso: string) => string, iterations: () => number | null): LearningWording {
  let tasks: readonly TaskIdentity[] = [];
  const learn = (more: readonly TaskIdentity[]): void => {
    tasks = [...tasks, ...more];
  };
  return {
    task: (id) => taskText(tasks, id),
    learn,
    iterations,
    clock,
    see: (event) => {
      if (event.type === "run.started") learn(event.tasks);
      if (event.type === "task.added") learn([event.task]);
    },
  };
}

/** `2 tasks done`, when gates have proved them, one by one or all with the run; else what was ticked and what of it was proved. */
export function tasksText(state: Pick<RunState, "proved" | "proof">): string {
  const ticked = Object.keys(state.proved).length;
  const sure = provedTasks(state);
  if (sure === ticked) return `${plural(ticked, "task")} done`;
  return `${ticked === 1 ? "1 box" : `${count(ticked)} boxes`} ticked, ${count(sure)} proved`;
}

/** `3 of 20`; iterations that did not count, such as those that met an account limit, set the two numbers apart. */
export function ofAllowed(iteration: number, spent: number, allowed: number | null): string {
  if (allowed === null) return String(iteration);
  return spent === iteration ? `${iteration} of ${allowed}` : `${iteration} (${spent} of ${allowed})`;
}
