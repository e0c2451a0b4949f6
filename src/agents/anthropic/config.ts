/** The settings of one built-in agent process, handed over in an environment variable as JSON. */
import { z } from "zod";

export const CONFIG_ENV = "RALPHD_AGENT_CONFIG";

export const DEFAULT_MODEL = "claude-opus-5-5";

const MINUTE_MS = 60_000;

export const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

const price = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative(),
  cacheWrite: z.number().nonnegative(),
});

const retry = z.object({
  /** First delay; doubles up to `maxMs`. */
  baseMs: z.number().nonnegative().default(1_000),
  /** Also the longest `retry-after` that is slept through; a longer one ends the process with a limit. */
  maxMs: z.number().nonnegative().default(60_000),
  tries: z.number().int().positive().default(10),
  /** A silent stream costs the whole watchdog time, so fewer of these are worth it. */
  stalls: z.number().int().positive().default(3),
});

const configSchema = z.object({
  model: z.string().min(1).default(DEFAULT_MODEL),
  effort: z.enum(EFFORTS).nullable().default(null),
  /** Model answers in one iteration. */
  maxTurns: z.number().int().positive().default(200),
  maxOutputTokens: z.number().int().positive().default(32_000),
  /** After an answer was cut off, the limit doubles up to this. */
  maxOutputCeiling: z.number().int().positive().default(64_000),
  prices: z.record(z.string(), price).default({}),
  /** Prompt tokens at which the model is told to wrap up, and at which the process ends; null for never. */
  warnTokens: z.number().int().positive().nullable().default(null),
  rotateTokens: z.number().int().positive().nullable().default(null),
  /** Offsets in the prompt before each of which iterations share it and the cache can keep it. */
  promptBreaks: z.array(z.number().int().nonnegative()).default([]),
  /** Full outputs that were too long for the model go here; must lie in the working directory to be readable. */
  spillDir: z.string().default(".ralph/state/spill"),
  /** Longest silence of the event stream. */
  idleMs: z
    .number()
    .positive()
    .default(4 * MINUTE_MS),
  /** Longest single model answer. */
  turnMs: z
    .number()
    .positive()
    .default(30 * MINUTE_MS),
  searchMs: z.number().positive().default(10_000),
  killGraceMs: z.number().nonnegative().default(2_000),
  retry: retry.prefault({}),
  /** `none`: the model can only answer. */
  tools: z.enum(["all", "none"]).default("all"),
  /** Replaces the shipped system prompt. */
  systemPromptPath: z.string().nullable().default(null),
  replay: z.object({ recording: z.string(), iteration: z.number().int().positive() }).nullable().default(null),
});

export type ChildConfig = z.infer<typeof configSchema>;
/** What the starter writes; everything left out has a default. */
export type ChildConfigInput = z.input<typeof configSchema>;
export type Effort = (typeof EFFORTS)[number];
export type RetryPolicy = ChildConfig["retry"];

/** Reads the variable's value; the error is one line that names what is wrong. */
export function readConfig(json: string | undefined): { kind: "config"; config: ChildConfig } | { kind: "invalid"; message: string } {
  let value: unknown;
  try {
    value = JSON.parse(json ?? "{}");
  } catch (error) {
    return { kind: "invalid", message: `${CONFIG_ENV} is not JSON: ${String(error)}` };
  }
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return { kind: "config", config: parsed.data };
  const what = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
  return { kind: "invalid", message: `${CONFIG_ENV}: ${what}` };
}
