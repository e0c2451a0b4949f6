/** How full a context may get before a fresh agent goes on: absolute numbers, or a share of the model's window where that is less. Pure. */

export interface ContextSettings {
  warnTokens: number;
  rotateTokens: number;
  /** Percent of the model's window at which an iteration is ended at the latest; null for absolute numbers alone. */
  sharePercent: number | null;
  /** Tokens by model id; overrides the shipped table. */
  windows: Readonly<Record<string, number>>;
}

const MILLION = 1_000_000;

/**
 * Context windows in tokens by model id. Source: the vendor's model pages (platform.claude.com), as of 2026-11-30. A model
 * that is not listed has an unknown window, until `context.windows` says it.
 */
const MODEL_WINDOWS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    "claude-opus-5-5": MILLION,
    "claude-sonnet-5-5": MILLION,
    "claude-haiku-5-5": MILLION,
    "claude-fable-5-2": MILLION,
    "claude-opus-5": MILLION,
    "claude-sonnet-5": MILLION,
    "claude-opus-4-8": MILLION,
    "claude-sonnet-4-6": MILLION,
    "claude-opus-4-5": 200_000,
    "claude-sonnet-4-5": 200_000,
    "claude-haiku-4-5": 200_000,
  }),
);

/** In tokens; null for a model that nobody knows, or whose name the agent did not tell. */
export function windowOf(model: string | null, windows: ContextSettings["windows"]): number | null {
  if (model === null) return null;
  // As agents name them: `anthropic/claude-opus-4-8` behind a provider, `claude-opus-4-8[1m]` with its window.
  const bare = model.slice(model.lastIndexOf("/") + 1).replace(/\[[^\]]*\]$/, "");
  const told = new Map(Object.entries(windows));
  return told.get(model) ?? told.get(bare) ?? (/\[1m\]$/i.test(model) ? MILLION : (MODEL_WINDOWS.get(bare) ?? null));
}

/** The numbers that hold for this model; the warning keeps its proportion to the end. */
export function contextLimits(context: ContextSettings, model: string | null): { warnTokens: number; rotateTokens: number } {
  const { warnTokens, rotateTokens, sharePercent, windows } = context;
  const window = windowOf(model, windows);
  const share = window === null || sharePercent === null ? rotateTokens : Math.floor((window * sharePercent) / 100);
  if (share >= rotateTokens) return { warnTokens, rotateTokens };
  return { warnTokens: Math.floor((share * warnTokens) / rotateTokens), rotateTokens: share };
}
