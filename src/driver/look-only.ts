/** Level 1: the agent reads and reports. What else it changed is kept under a ref and put back. */
import type { OpenIteration } from "../core/run-state.js";
import type { Driver } from "./driver.js";
import type { Candidate } from "./ports.js";

/** Ticks in the plan and the loop's own folder carry the report, so they stay. */
export async function undoWork(driver: Driver, open: OpenIteration, candidate: Candidate): Promise<Candidate> {
  if (driver.settings.level !== 1) return candidate;
  const own = driver.ownPaths();
  const paths = candidate.changes.map((change) => change.path).filter((path) => !own.some((mine) => path === mine || path.startsWith(`${mine}/`)));
  if (paths.length === 0) return candidate;
  const { repo } = driver.world;
  const name = `${driver.state.run}/${open.number}-changes`;
  const message = `Changes of iteration ${open.number} of run ${driver.state.run}, which only reports\n`;
  // Kept before they are put back: a crash in between loses nothing.
  const commit = await repo.saveRef(name, { tree: candidate.tree, parent: candidate.head, message });
  driver.record({ type: "work.saved", ref: `refs/ralphd/${name}`, commit, why: `level 1 only reports; put back: ${paths.slice(0, 10).join(", ")}` });
  await repo.restore(open.tree, paths);
  return repo.capture({ against: open.tree, exclude: driver.state.untouched });
}
