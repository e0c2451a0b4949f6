/** Tokens and money. Money is an integer number of micro-dollars; what nobody reported is null, never zero. */
import type { AgentEvent } from "./agent-event.js";

/**
 * What one iteration (or a whole run) used.
 * `inputTokens` counts uncached input including cache writes; `cachedInputTokens` counts cache reads.
 */
export interface Usage {
  inputTokens: number | null;
  cachedInputTokens: number | null;
  outputTokens: number | null;
  costMicroUsd: number | null;
}

export const UNKNOWN_USAGE: Usage = {
  inputTokens: null,
  cachedInputTokens: null,
  outputTokens: null,
  costMicroUsd: null,
};

export const ZERO_USAGE: Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costMicroUsd: 0 };

/** Adds what is known of two reports about one iteration: unknown plus known is known, since a later event may add what an earlier one lacked. */
export function mergeUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: addKnown(a.inputTokens, b.inputTokens),
    cachedInputTokens: addKnown(a.cachedInputTokens, b.cachedInputTokens),
    outputTokens: addKnown(a.outputTokens, b.outputTokens),
    costMicroUsd: addKnown(a.costMicroUsd, b.costMicroUsd),
  };
}

/** Of two separate pieces of work: what one of them did not report makes the sum unknown. */
export function sumUsage(a: Usage, b: Usage): Usage {
  const sum = (x: number | null, y: number | null): number | null => (x === null || y === null ? null : x + y);
  return {
    inputTokens: sum(a.inputTokens, b.inputTokens),
    cachedInputTokens: sum(a.cachedInputTokens, b.cachedInputTokens),
    outputTokens: sum(a.outputTokens, b.outputTokens),
    costMicroUsd: sum(a.costMicroUsd, b.costMicroUsd),
  };
}

function addKnown(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : a + b;
}

/** What an iteration used after one more report of its agent. */
export function applyUsage(old: Usage, report: Extract<AgentEvent, { type: "usage" }>): Usage {
  const usage: Usage = {
    inputTokens: report.inputTokens,
    cachedInputTokens: report.cachedInputTokens,
    outputTokens: report.outputTokens,
    costMicroUsd: report.costUsd === null ? null : usdToMicro(report.costUsd),
  };
  return report.scope === "delta" ? mergeUsage(old, usage) : replaceKnown(old, usage);
}

/** A total replaces what it knows and leaves what it does not know. */
function replaceKnown(old: Usage, total: Usage): Usage {
  return {
    inputTokens: total.inputTokens ?? old.inputTokens,
    cachedInputTokens: total.cachedInputTokens ?? old.cachedInputTokens,
    outputTokens: total.outputTokens ?? old.outputTokens,
    costMicroUsd: total.costMicroUsd ?? old.costMicroUsd,
  };
}

/** The tokens that limits count: uncached input plus output; null when neither was reported. */
export function countedTokens(usage: Usage): number | null {
  return addKnown(usage.inputTokens, usage.outputTokens);
}

export function usdToMicro(usd: number): number {
  return Math.round(usd * 1_000_000);
}

export function microToUsd(micro: number | null): number | null {
  return micro === null ? null : micro / 1_000_000;
}
