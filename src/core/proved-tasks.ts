/** How many of a run's ticks gates have proved: a box alone is a claim. Pure. */
import type { RunState } from "./run-state.js";

/** One by one by gates of the task, or all of them with the whole run. */
export function provedTasks({ proved, proof }: Pick<RunState, "proved" | "proof">): number {
  const ticks = Object.values(proved);
  return (proof?.gates.length ?? 0) > 0 ? ticks.length : ticks.filter(({ gates }) => gates.length > 0).length;
}
