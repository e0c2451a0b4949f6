/** Repeats a request while its failure is one that passes by itself. */
import type { RetryPolicy } from "./config.js";
import type { ApiFailure } from "./failure.js";

export type Attempt<T> = { kind: "ok"; value: T } | { kind: "failed"; failure: ApiFailure };

export interface RetryDeps {
  /** Resolves after the time, or early when the run is aborted; never rejects. */
  sleep(ms: number): Promise<void>;
  /** In [0, 1). */
  random(): number;
  onRetry(failure: ApiFailure, attempt: number, waitMs: number): void;
}

export async function withRetry<T>(attempt: () => Promise<Attempt<T>>, policy: RetryPolicy, deps: RetryDeps): Promise<Attempt<T>> {
  let stalls = 0;
  for (let tried = 1; ; tried++) {
    const outcome = await attempt();
    if (outcome.kind === "ok") return outcome;
    if (outcome.failure.kind === "stalled") stalls++;
    if (tried >= policy.tries || stalls >= policy.stalls) return outcome;
    const waitMs = retryWait(outcome.failure, tried, policy, deps.random());
    if (waitMs === null) return outcome;
    deps.onRetry(outcome.failure, tried, waitMs);
    await deps.sleep(waitMs);
  }
}

/** How long to wait before the next try; null when another try is not worth it. `tried` counts from 1. */
export function retryWait(failure: ApiFailure, tried: number, policy: RetryPolicy, random: number): number | null {
  if (failure.kind !== "transient" && failure.kind !== "throttled" && failure.kind !== "stalled") return null;
  // A stall has waited long enough already.
  if (failure.kind === "stalled") return policy.baseMs;
  if (failure.retryAfterMs !== null) return failure.retryAfterMs <= policy.maxMs ? failure.retryAfterMs : null;
  // Jitter takes up to a quarter off, so that parallel runs do not come back together.
  return Math.round(Math.min(policy.maxMs, policy.baseMs * 2 ** (tried - 1)) * (1 - random / 4));
}
