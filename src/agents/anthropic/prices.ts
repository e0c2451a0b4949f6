/** Computes what a request cost, because the API reports tokens but no money. */
import { type ModelPrice, PRICE_TABLE } from "./price-table.js";

export interface TokenCounts {
  /** Neither read from nor written to the cache. */
  input: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  /** Thinking included. */
  output: number;
}

/** USD per million tokens by model id, from the user's configuration. */
export type PriceOverrides = Readonly<Record<string, { input: number; output: number; cacheRead: number; cacheWrite: number }>>;

/** Integer micro-dollars; null for a model whose price is not known. */
export function costMicroUsd(model: string, tokens: TokenCounts, overrides: PriceOverrides = {}): number | null {
  const listed = priceOf(model, overrides);
  if (listed === null) return null;
  const promptTokens = tokens.input + tokens.cacheRead + tokens.cacheWrite5m + tokens.cacheWrite1h;
  const price = listed.above !== undefined && promptTokens > listed.above.promptTokens ? listed.above.price : listed;
  // USD per million tokens is micro-dollars per token.
  return Math.round(
    tokens.input * price.input +
      tokens.cacheRead * price.cacheRead +
      tokens.cacheWrite5m * price.cacheWrite +
      tokens.cacheWrite1h * price.cacheWrite1h +
      tokens.output * price.output,
  );
}

function priceOf(model: string, overrides: PriceOverrides): ModelPrice | null {
  // Own keys only: a model id is outside text and could name something every object inherits.
  if (Object.hasOwn(overrides, model)) {
    const own = overrides[model];
    // The configuration has one write price, for the short entry; 2 to 1.25 is the vendor's fixed ratio between the two.
    if (own !== undefined) return { ...own, cacheWrite1h: own.cacheWrite * 1.6 };
  }
  return Object.hasOwn(PRICE_TABLE, model) ? (PRICE_TABLE[model] ?? null) : null;
}
