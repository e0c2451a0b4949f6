/** The settings of one built-in agent process, handed over in an environment variable as JSON. */
import * as v from "valibot";
import { IN_WORDS, misfitText } from "../../core/misfit.js";
import { noList } from "../../core/no-list.js";

export const CONFIG_ENV = "RALPHD_AGENT_CONFIG";

export const DEFAULT_MODEL = "claude-opus-5-5";

const MINUTE_MS = 60_000;

export const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
const positiveCount = v.pipe(v.number(), v.safeInteger(), v.gtValue(0));

const price = v.object({
  input: amount,
  output: amount,
  cacheRead: amount,
  cacheWrite: amount,
});

const retry = noList(
  v.object({
    /** First delay; doubles up to `maxMs`. */
    baseMs: v.optional(amount, 1_000),
    /** Also the longest `retry-after` that is slept through; a longer one ends the process with a limit. */
    maxMs: v.optional(amount, 60_000),
    tries: v.optional(positiveCount, 10),
    /** A silent stream costs the whole watchdog time, so fewer of these are worth it. */
    stalls: v.optional(positiveCount, 3),
  }),
);

const configSchema = noList(
  v.object({
    model: v.optional(v.pipe(v.string(), v.nonEmpty()), DEFAULT_MODEL),
    effort: v.optional(v.nullable(v.picklist(EFFORTS)), null),
    /** Model answers in one iteration. */
    maxTurns: v.optional(positiveCount, 200),
    maxOutputTokens: v.optional(positiveCount, 32_000),
    /** After an answer was cut off, the limit doubles up to this. */
    maxOutputCeiling: v.optional(positiveCount, 64_000),
    prices: v.optional(noList(v.record(v.string(), price)), {}),
    /** Prompt tokens at which the model is told to wrap up, and at which the process ends; null for never. */
    warnTokens: v.optional(v.nullable(positiveCount), null),
    rotateTokens: v.optional(v.nullable(positiveCount), null),
    /** Offsets in the prompt before each of which iterations share it and the cache can keep it. */
    promptBreaks: v.optional(v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(0))), []),
    /** Full outputs that were too long for the model go here; must lie in the working directory to be readable. */
    spillDir: v.optional(v.string(), ".ralph/state/spill"),
    /** Longest silence of the event stream. */
    idleMs: v.optional(positive, 4 * MINUTE_MS),
    /** Longest single model answer. */
    turnMs: v.optional(positive, 30 * MINUTE_MS),
    searchMs: v.optional(positive, 10_000),
    killGraceMs: v.optional(amount, 2_000),
    retry: v.optional(retry, {}),
    /** `none`: the model can only answer. */
    tools: v.optional(v.picklist(["all", "none"]), "all"),
    /** Replaces the shipped system prompt. */
    systemPromptPath: v.optional(v.nullable(v.string()), null),
    replay: v.optional(v.nullable(v.object({ recording: v.string(), iteration: positiveCount })), null),
  }),
);

export type ChildConfig = v.InferOutput<typeof configSchema>;
/** What the starter writes; everything left out has a default. */
export type ChildConfigInput = v.InferInput<typeof configSchema>;
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
  const parsed = v.safeParse(configSchema, value, IN_WORDS);
  if (parsed.success) return { kind: "config", config: parsed.output };
  return { kind: "invalid", message: `${CONFIG_ENV}: ${misfitText(parsed.issues)}` };
}
