/** Reads a plan file into tasks. A plan without a task is a plan with an empty list: the caller refuses it. */
import { type PlanOptions, readLocated } from "./located.js";
import type { PlanReading } from "./types.js";

export function parsePlan(source: string, options: PlanOptions): PlanReading {
  const reading = readLocated(source, options);
  return reading.kind === "plan" ? { kind: "plan", plan: reading.plan } : reading;
}
