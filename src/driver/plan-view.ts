/** Reads the plan as it stands and gives decisions their view of it. */
import type { PlanView } from "../core/decide.js";
import { parsePlan } from "../core/plan/parse.js";
import { pickTask, taskCounts } from "../core/plan/tick.js";
import type { Plan, Task } from "../core/plan/types.js";
import type { RunState } from "../core/run-state.js";
import type { Settings } from "../core/settings.js";
import type { TreeFiles } from "./ports.js";

/** What reading needs of a driver; commands that only show bring the same without one. */
export interface Reader {
  readonly settings: Settings;
  readonly state: RunState;
  readonly world: { readonly files: TreeFiles };
}

export interface SeenPlan {
  source: string | null;
  plan: Plan | null;
  view: PlanView;
}

export function readPlan(driver: Reader): SeenPlan {
  const path = driver.settings.plan;
  if (path === null) return { source: null, plan: null, view: { kind: "objective" } };
  const source = driver.world.files.read(path);
  if (source === null) return { source: null, plan: null, view: { kind: "lost", message: `${path} is gone or unreadable.` } };
  const reading = parsePlan(source, { path, sections: driver.settings.taskSections });
  if (reading.kind === "invalid") {
    const first = reading.problems[0];
    const where = first === undefined ? "" : ` line ${first.line}, column ${first.column}: ${first.message}`;
    return { source, plan: null, view: { kind: "lost", message: `${path} can't be read:${where}` } };
  }
  return { source, plan: reading.plan, view: viewOf(driver, reading.plan) };
}

function viewOf(driver: Reader, plan: Plan): PlanView {
  if (plan.format === "prompt" || plan.tasks.length === 0) return { kind: "objective" };
  const parked = new Set(Object.keys(driver.state.parked));
  const next = pickTask(plan, parked);
  return {
    kind: "tasks",
    counts: taskCounts(plan, parked),
    next: next === null ? null : { id: next.id, text: next.text },
  };
}

/** The task with the powers it had when the run, or a person, brought it in: what an agent adds has none. */
export function identityOf(driver: Pick<Reader, "state">, task: Task): { id: string; text: string; gates: string[]; edits: string[] } {
  const known = driver.state.tasks.find((item) => item.id === task.id);
  return known ?? { id: task.id, text: task.text, gates: [], edits: [] };
}
