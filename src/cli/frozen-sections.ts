/** The plan's headings whose tasks count, as they were fixed when the newest run began. */
import { latestRun } from "../journal/run-store.js";
import { readFrozen } from "../run/run-record.js";
import { Refusal } from "../run/refusal.js";

/** Null means all headings; also when the pinned configuration was lost, because reading commands live on the journal alone. */
export function frozenSections(truthDir: string): string[] | null {
  const store = latestRun(truthDir);
  if (store === null) return null;
  try {
    return readFrozen(store).settings.taskSections ?? null;
  } catch (error) {
    // Damage of this file is named by `run`, which needs it; here it only costs a filter.
    if (error instanceof Refusal || error instanceof SyntaxError) return null;
    throw error;
  }
}
