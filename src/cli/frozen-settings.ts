/** The settings that the newest run was started with, as reading commands need them. */
import type { Settings } from "../core/settings.js";
import { latestRun, type RunStore } from "../journal/run-store.js";
import { type Frozen, readFrozen } from "../run/run-record.js";
import { Refusal } from "../run/refusal.js";

/** Null when nothing has run, or when the pinned configuration was lost, because reading commands live on the journal alone. */
export function frozenRecord(truthDir: string): Frozen | null {
  const store = latestRun(truthDir);
  return store === null ? null : recordOf(store);
}

export function recordOf(store: RunStore): Frozen | null {
  try {
    return readFrozen(store);
  } catch (error) {
    // Damage of this file is named by `run`, which needs it; here it only costs a detail.
    if (error instanceof Refusal || error instanceof SyntaxError) return null;
    throw error;
  }
}

export function frozenSettings(truthDir: string): Settings | null {
  return frozenRecord(truthDir)?.settings ?? null;
}
