/** What is kept back for the wrap-up: how much of a limit work may use, and when the rest can't pay one. Pure. */
import { MIN_WRAP_UP_MS, WRAP_UP_LEAST_SHARE, WRAP_UP_RESERVE } from "./defaults.js";
import type { IterationMode } from "./journal-event.js";
import type { RunState } from "./run-state.js";
import type { Settings } from "./settings.js";
import { countedTokens } from "./usage.js";

/** Of tokens and cost: the wrap-up may use all, everything before it leaves the reserve. A run of one iteration has no wrap-up. */
export function usableShare(mode: IterationMode, settings: Settings): number {
  return mode === "wrapUp" || settings.once ? 1 : 1 - WRAP_UP_RESERVE;
}

/** Active time after which an iteration of this mode is ended, from the start of the run. */
export function usableMs(mode: IterationMode, settings: Settings, state: RunState): number {
  const totalMs = settings.limits.timeMs + state.granted.timeMs;
  return totalMs * WRAP_UP_RESERVE < MIN_WRAP_UP_MS ? totalMs : totalMs * usableShare(mode, settings);
}

/** Why what is left can't pay a wrap-up, in words; null when it can. */
export function unpayable({ settings, state }: { settings: Settings; state: RunState }): string | null {
  const { limits } = settings;
  const leftMs = limits.timeMs + state.granted.timeMs - state.activeMs;
  if (leftMs < MIN_WRAP_UP_MS) return `${Math.max(0, Math.round(leftMs / 1000))} s of time`;
  const tokens = cheapest(state.records.map((record) => countedTokens(record.usage)));
  const leftTokens = limits.tokens === null ? null : limits.tokens + state.granted.tokens - (countedTokens(state.usage) ?? 0);
  if (leftTokens !== null && tokens !== null && leftTokens < tokens * WRAP_UP_LEAST_SHARE) return `${leftTokens} tokens`;
  const cost = cheapest(state.records.map((record) => record.usage.costMicroUsd));
  const leftCost = limits.costMicroUsd === null ? null : limits.costMicroUsd + state.granted.costMicroUsd - (state.usage.costMicroUsd ?? 0);
  return leftCost !== null && cost !== null && leftCost < cost * WRAP_UP_LEAST_SHARE ? `$${(leftCost / 1e6).toFixed(2)}` : null;
}

/** Of what iterations used; null where none reported anything. Those that used nothing did no work. */
function cheapest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null && value > 0);
  return known.length === 0 ? null : Math.min(...known);
}
