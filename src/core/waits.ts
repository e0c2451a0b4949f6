/** How long the loop rests after an iteration that ended in a limit, in trouble of the world, or in a wish to wait. Pure. */
import { UNKNOWN_RESET_MAX_MS, UNKNOWN_RESET_MS } from "./defaults.js";
import { endingText } from "./ending-text.js";
import type { IterationRecord, RunState } from "./run-state.js";
import type { Settings } from "./settings.js";

export interface Wait {
  /** Epoch ms. */
  untilMs: number;
  why: string;
}

/** null when it goes on at once. What another agent ran into holds nobody back. */
export function waitAfterLast(state: RunState, settings: Settings, nowMs: number): Wait | null {
  const last = state.records.at(-1);
  if (last === undefined || state.waitedAfter === last.number) return null;
  const { firstMs, maxMs } = settings.backoff;
  if (last.class === "waiting") return { untilMs: nowMs + doubling(firstMs, maxMs, streak(state, last)), why: "the agent asked to wait" };
  if (last.agent !== state.agent) return null;
  const limit = limitWait(state, settings, nowMs);
  if (limit !== null) return limit;
  if (last.class !== "infrastructure") return null;
  return { untilMs: nowMs + doubling(firstMs, maxMs, state.brakes.infrastructure), why: endingText(last.ending) };
}

function limitWait(state: RunState, settings: Settings, nowMs: number): Wait | null {
  const last = state.records.at(-1);
  const limit = last?.ending.limit ?? null;
  if (last === undefined || limit === null || last.ending.finishedOk === true) return null;
  const { firstMs, maxMs } = settings.backoff;
  const times = Math.max(1, streak(state, { agent: last.agent, class: "limit" }));
  if (limit.kind === "throttle" || limit.kind === "overload") {
    // It passes in seconds or minutes, and a time that the API names for it needs no slack.
    return { untilMs: Math.max(limit.resumeAtMs ?? 0, nowMs + doubling(firstMs, maxMs, times)), why: limit.message };
  }
  const resetMs = limit.resumeAtMs === null ? null : limit.resumeAtMs + settings.limits.resetSlackMs;
  if (resetMs !== null && resetMs > nowMs) return { untilMs: resetMs, why: limit.message };
  // No time, or one that has passed while the limit holds: the vendor's clock is not ours.
  return { untilMs: nowMs + doubling(UNKNOWN_RESET_MS, UNKNOWN_RESET_MAX_MS, times), why: limit.message };
}

function doubling(firstMs: number, maxMs: number, times: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(20, Math.max(0, times - 1)));
}

/** Iterations of this class in a row among those of one agent. */
function streak({ records }: RunState, of: Pick<IterationRecord, "agent" | "class">): number {
  const own = records.filter((record) => record.agent === of.agent);
  const other = own.findLastIndex((record) => record.class !== of.class);
  return own.length - 1 - other;
}
