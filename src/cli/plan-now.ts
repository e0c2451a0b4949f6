/** The tasks of the newest run's plan as they stand in the working tree. Loads the Markdown parser, so that only a run with a plan pays for it. */
import { readPlanTasks } from "../report/plan-tasks.js";
import type { PlanTask } from "../report/context.js";
import { frozenSections } from "./frozen-sections.js";

export function planNow({ root, truthDir }: { root: string; truthDir: string }, path: string, parked: ReadonlySet<string>): PlanTask[] | null {
  return readPlanTasks({ root, path, sections: frozenSections(truthDir), parked });
}
