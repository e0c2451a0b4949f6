/** The plan's tasks as they stand in the working tree, with parked ones as blocked. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parsePlan } from "../core/plan/parse.js";
import { systemCode } from "../core/disk-error.js";
import type { PlanTask } from "./context.js";

export interface PlanPlace {
  root: string;
  /** Relative to the root; null for a run without a plan. */
  path: string | null;
  /** Headings whose tasks count; null means all. */
  sections: string[] | null;
  parked: ReadonlySet<string>;
}

/** Null when there is no plan, or it can not be read at the moment. */
export function readPlanTasks(place: PlanPlace): PlanTask[] | null {
  if (place.path === null) return null;
  const source = readOrNull(join(place.root, place.path));
  if (source === null) return null;
  const reading = parsePlan(source, { path: place.path, sections: place.sections });
  if (reading.kind === "invalid") return null;
  return reading.plan.tasks.map(({ id, text, state }) => ({ id, text, state: state === "open" && place.parked.has(id) ? "blocked" : state }));
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemCode(error) !== null) return null;
    throw error;
  }
}
