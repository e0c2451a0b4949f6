/** Whether a process of this machine still runs. */
import { readFileSync } from "node:fs";

export function isAlive(pid: number): boolean {
  try {
    // A process that ended and was not waited for is no longer alive for anyone.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    // The answer itself.
    return false;
  }
}
