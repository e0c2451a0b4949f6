/** The status of a working tree's newest run; what reads a plan is loaded where the run has one. */
import { statusOf, type StatusReading } from "../report/status.js";

export function statusAt(where: { root: string; truthDir: string }): Promise<StatusReading> {
  return statusOf({ truthDir: where.truthDir, planTasks: async (path, parked) => (await import("./plan-now.js")).planNow(where, path, parked) });
}
