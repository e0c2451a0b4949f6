/** Tokens and money out of Claude Code's events. */
import type { AgentEvent } from "../../core/agent-event.js";
import type { AgentSettings } from "../../core/settings.js";
import { type JsonObject, asCount, asObject } from "../json.js";

type UsageEvent = Extract<AgentEvent, { type: "usage" }>;
type Prices = AgentSettings["prices"];

/**
 * What one API message cost, from its first `assistant` event. These carry the counts of the start of the
 * message: right for the prompt, meaningless for the output unless the message is already complete.
 */
export function messageUsage(message: JsonObject, ofSubagent: boolean): UsageEvent | null {
  const usage = asObject(message["usage"]);
  if (usage === null) return null;
  const fresh = count(usage, "input_tokens") + count(usage, "cache_creation_input_tokens");
  const cached = count(usage, "cache_read_input_tokens");
  if (fresh + cached === 0) return null;
  return {
    type: "usage",
    scope: "delta",
    inputTokens: fresh,
    cachedInputTokens: cached,
    outputTokens: message["stop_reason"] == null ? null : asCount(usage["output_tokens"]),
    costUsd: null,
    // A subagent has a context of its own, which says nothing about this one.
    ...(ofSubagent ? {} : { contextTokens: fresh + cached }),
  };
}

/** The output of a message, once it is complete; only with partial messages switched on. */
export function outputUsage(streamEvent: JsonObject): UsageEvent | null {
  const outputTokens = asCount(asObject(streamEvent["usage"])?.["output_tokens"]);
  if (streamEvent["type"] !== "message_delta" || outputTokens === null) return null;
  return { type: "usage", scope: "delta", inputTokens: null, cachedInputTokens: null, outputTokens, costUsd: null };
}

/**
 * The totals of a `result`. `modelUsage` is the truth: `usage` is zero after a budget stop and after a request
 * that was silently repeated. null when the result reports nothing although something was used.
 */
export function resultUsage(result: JsonObject, prices: Prices, usedBefore: boolean): UsageEvent | null {
  const costUsd = asCount(result["total_cost_usd"]);
  const models = Object.entries(asObject(result["modelUsage"]) ?? {}).flatMap(([model, value]) => {
    const usage = asObject(value);
    return usage === null ? [] : [{ model, usage }];
  });
  if (models.length === 0) return bareUsage(result, costUsd, usedBefore);
  const sum = (name: string): number => models.reduce((total, { usage }) => total + count(usage, name), 0);
  const guessed = models.some(({ usage }) => usage["costBasis"] === "unknown");
  return {
    type: "usage",
    scope: "total",
    inputTokens: sum("inputTokens") + sum("cacheCreationInputTokens"),
    cachedInputTokens: sum("cacheReadInputTokens"),
    outputTokens: sum("outputTokens"),
    // For a model that it does not know the CLI makes up a price; that is as good as none.
    costUsd: ownPrice(models, prices) ?? (guessed ? null : costUsd),
  };
}

function bareUsage(result: JsonObject, costUsd: number | null, usedBefore: boolean): UsageEvent | null {
  const usage = asObject(result["usage"]);
  const fresh = usage === null ? 0 : count(usage, "input_tokens") + count(usage, "cache_creation_input_tokens");
  // Zeros are believed only when no message was seen: a request that was refused has cost nothing.
  if (usage === null || (fresh === 0 && usedBefore)) return null;
  return {
    type: "usage",
    scope: "total",
    inputTokens: fresh,
    cachedInputTokens: count(usage, "cache_read_input_tokens"),
    outputTokens: count(usage, "output_tokens"),
    costUsd,
  };
}

/** null unless the user priced every model that was used. `name[1m]` is the model `name`. */
function ownPrice(models: { model: string; usage: JsonObject }[], prices: Prices): number | null {
  let usd = 0;
  for (const { model, usage } of models) {
    const bare = model.replace(/\[.*\]$/, "");
    const price = Object.hasOwn(prices, model) ? prices[model] : Object.hasOwn(prices, bare) ? prices[bare] : undefined;
    if (price === undefined) return null;
    usd +=
      (count(usage, "inputTokens") * price.input +
        count(usage, "cacheReadInputTokens") * price.cacheRead +
        count(usage, "cacheCreationInputTokens") * price.cacheWrite +
        count(usage, "outputTokens") * price.output) /
      1_000_000;
  }
  return usd;
}

function count(from: JsonObject, name: string): number {
  return asCount(from[name]) ?? 0;
}
