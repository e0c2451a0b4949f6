/** Reads plans in tests: the tasks as short words, or the whole plan. */
import { expect } from "vitest";
import { isComplete } from "../../../src/core/decide.js";
import { parsePlan } from "../../../src/core/plan/parse.js";
import { taskCounts } from "../../../src/core/plan/tick.js";
import type { Plan, PlanProblem } from "../../../src/core/plan/types.js";

export function planOf(source: string, path = "PLAN.md", sections: string[] | null = null): Plan {
  const reading = parsePlan(source, { path, sections });
  if (reading.kind === "invalid") expect.fail(`invalid: ${JSON.stringify(reading.problems)}`);
  return reading.plan;
}

export function problemsOf(source: string, path = "PLAN.md"): PlanProblem[] {
  const reading = parsePlan(source, { path, sections: null });
  return reading.kind === "invalid" ? reading.problems : [];
}

/** `["open a", "done b"]`. */
export function tasksOf(source: string, path = "PLAN.md", sections: string[] | null = null): string[] {
  return planOf(source, path, sections).tasks.map((task) => `${task.state} ${task.text}`);
}

export function warningsOf(source: string, path = "PLAN.md", sections: string[] | null = null): string[] {
  return planOf(source, path, sections).warnings.map((warning) => `${warning.line}: ${warning.message}`);
}

/** As the driver asks before it proves a plan. */
export function allDone(plan: Plan): boolean {
  return isComplete(taskCounts(plan, new Set()));
}
