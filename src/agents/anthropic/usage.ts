/** Turns the token counts of one answer into a usage event. */
import type Anthropic from "@anthropic-ai/sdk";
import type { AgentEvent } from "../../core/agent-event.js";
import { microToUsd } from "../../core/usage.js";
import { costMicroUsd, type PriceOverrides, type TokenCounts } from "./prices.js";

export type UsageEvent = Extract<AgentEvent, { type: "usage" }>;

export function usageEvent(model: string, usage: Anthropic.Usage, overrides: PriceOverrides): UsageEvent {
  const tokens = tokenCounts(usage);
  const written = tokens.cacheWrite5m + tokens.cacheWrite1h;
  return {
    type: "usage",
    scope: "delta",
    inputTokens: tokens.input + written,
    cachedInputTokens: tokens.cacheRead,
    outputTokens: tokens.output,
    costUsd: microToUsd(costMicroUsd(model, tokens, overrides)),
    contextTokens: tokens.input + written + tokens.cacheRead,
  };
}

function tokenCounts(usage: Anthropic.Usage): TokenCounts {
  const written = usage.cache_creation_input_tokens ?? 0;
  // Without the breakdown by lifetime, everything written counts as the short one.
  const written1h = Math.min(written, usage.cache_creation?.ephemeral_1h_input_tokens ?? 0);
  return {
    input: usage.input_tokens,
    cacheRead: usage.cache_read_input_tokens ?? 0,
    cacheWrite5m: written - written1h,
    cacheWrite1h: written1h,
    output: usage.output_tokens,
  };
}
