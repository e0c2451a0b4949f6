/** Processes of this machine: whether they still run, and how a test leaves none behind. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../acceptance/harness.js";

export function isAlive(pid: number): boolean {
  try {
    // A process that ended and was not waited for is no longer alive for anyone.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    // The answer itself.
    return false;
  }
}

/** Ends the run of each place, if one is still going on: neither a closed terminal nor an ended test does. */
export async function endRuns(places: readonly { root: string }[]): Promise<void> {
  await Promise.all(
    places.map(async ({ root }) => {
      const lock = join(root, ".git/ralphd/lock");
      if (!existsSync(lock)) return;
      const { pid } = JSON.parse(readFileSync(lock, "utf8")) as { pid: number };
      if (isAlive(pid)) process.kill(pid, "SIGTERM");
      await until(() => !isAlive(pid));
    }),
  );
}
