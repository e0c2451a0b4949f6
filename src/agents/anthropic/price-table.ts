/**
 * List prices in USD per million tokens, by model id.
 * Source: platform.claude.com model and pricing pages and the public price catalogues that agree with them,
 * as of 2026-11-30. Writing an hour-long cache entry costs twice the input price everywhere.
 */
export interface ModelPrice {
  input: number;
  output: number;
  cacheRead: number;
  /** Five-minute cache entry. */
  cacheWrite: number;
  /** One-hour cache entry. */
  cacheWrite1h: number;
  /** A dearer price for the whole request once its prompt is larger than this. */
  above?: { promptTokens: number; price: ModelPrice };
}

/** `cacheWrite` is 1.25 and `cacheWrite1h` 2 times the input price for every listed model. */
function price(input: number, output: number, cacheRead: number): ModelPrice {
  return { input, output, cacheRead, cacheWrite: input * 1.25, cacheWrite1h: input * 2 };
}

const FABLE_5 = price(10, 50, 1);
const FABLE_5_1 = price(10, 50, 0.25);
const OPUS = price(5, 25, 0.5);
const SONNET_4 = price(3, 15, 0.3);
const HAIKU_4_5 = price(1, 5, 0.1);

export const PRICE_TABLE: Readonly<Record<string, ModelPrice>> = {
  "claude-opus-5-5": price(4, 20, 0.2),
  "claude-sonnet-5-5": price(2, 10, 0.1),
  "claude-haiku-5-5": { ...price(0.1, 0.5, 0.01), above: { promptTokens: 100_000, price: price(0.5, 2.5, 0.05) } },
  "claude-fable-5-2": price(8, 40, 0.2),
  "claude-fable-5-1": FABLE_5_1,
  "claude-mythos-5-1": FABLE_5_1,
  "claude-fable-5": FABLE_5,
  "claude-mythos-5": FABLE_5,
  "claude-opus-5": OPUS,
  "claude-sonnet-5": price(2, 10, 0.2),
  "claude-opus-4-8": OPUS,
  "claude-opus-4-7": OPUS,
  "claude-opus-4-6": OPUS,
  "claude-opus-4-5": OPUS,
  "claude-opus-4-5-20251101": OPUS,
  "claude-sonnet-4-6": SONNET_4,
  "claude-sonnet-4-5": SONNET_4,
  "claude-sonnet-4-5-20250929": SONNET_4,
  "claude-haiku-4-5": HAIKU_4_5,
  "claude-haiku-4-5-20251001": HAIKU_4_5,
};
