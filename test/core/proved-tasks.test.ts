/** What of a run's ticks counts as proved. */
import { expect, it } from "vitest";
import { provedTasks } from "../../src/core/proved-tasks.js";
import type { RunState } from "../../src/core/run-state.js";

const tick = (...gates: string[]): RunState["proved"][string] => ({ iteration: 1, gates, changed: true, commit: null });
const proof = (...gates: string[]): RunState["proof"] => ({ commit: null, by: "tasks", gates, clean: false });

it.each([
  ["nothing ticked", {}, null, 0],
  ["a box alone", { a: tick() }, null, 0],
  ["a gate of the task", { a: tick("tests"), b: tick() }, null, 1],
  ["a gate of the whole run", { a: tick("tests"), b: tick() }, proof("tests"), 2],
  ["a run that no gate could refuse", { a: tick() }, proof(), 0],
] as const)("%s", (_name, proved, whole, count) => {
  expect(provedTasks({ proved, proof: whole })).toBe(count);
});
