/** Pieces of journal lines that several events share: usage, claims, endings, gate results, brake evidence. */
import { z } from "zod";
import type { WatchState } from "../core/brakes/watch.js";
import { REST_CLASSES } from "../core/journal-event.js";
import type { GateResult } from "../core/gate.js";
import { ITERATION_CLASSES, STOP_REASONS, type FinalStatus, type StopReason } from "../core/words.js";

export const text = z.string();
export const optionalText = z.string().nullable();
export const texts = z.array(z.string());
export const count = z.number();
export const countOrUnknown = z.number().nullable();

const statuses = Object.keys(STOP_REASONS) as FinalStatus[];
const reasons: StopReason[] = Object.values(STOP_REASONS).flat();

export const usage = z.object({
  inputTokens: countOrUnknown,
  cachedInputTokens: countOrUnknown,
  outputTokens: countOrUnknown,
  costMicroUsd: countOrUnknown,
});

export const task = z.object({ id: text, text, gates: texts, edits: texts });

export const claims = z.object({
  complete: z.boolean(),
  gutter: z.boolean(),
  blocked: optionalText,
  wait: optionalText,
  nearMiss: optionalText,
  ticked: texts,
});

const exit = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), code: count }),
  z.object({ kind: z.literal("signalled"), signal: text }),
  z.object({
    kind: z.literal("stopped"),
    cause: z.enum(["iteration_timeout", "idle", "first_output", "settled", "rotate", "brake", "budget", "human"]),
  }),
  z.object({ kind: z.literal("cannotStart"), message: text }),
]);

export const ending = z.object({
  exit,
  finishedOk: z.boolean().nullable(),
  error: z.object({ kind: text, message: text }).nullable(),
  limit: z.object({ kind: text, resumeAtMs: countOrUnknown, message: text }).nullable(),
  toolCalls: count,
  outputBytes: count,
  durationMs: count,
});

export const hit = z.object({ reason: z.enum(reasons), summary: text, signature: text, lastActions: texts, advice: text });

const commandRecord = z.object({
  signature: text,
  outcome: text,
  count,
  commandFailures: count,
  view: texts,
  partial: z.boolean(),
});
const writeRecord = z.object({
  atMs: count,
  before: optionalText,
  after: optionalText,
  returned: z.boolean(),
  formatted: z.boolean(),
  ranges: z.array(z.tuple([count, count])),
});
export const watch = z.object({
  commands: z.array(commandRecord),
  writes: z.array(z.object({ path: text, hits: z.array(writeRecord) })),
  repeat: z.object({ signature: text, count }).nullable(),
  last: texts,
  hit: hit.nullable(),
}) satisfies z.ZodType<WatchState>;

export const gateResult = z.object({
  name: text,
  verdict: z.enum(["pass", "fail"]),
  reason: text,
  required: z.boolean(),
  failing: texts,
  fingerprint: text,
  testsRun: countOrUnknown,
  exitCode: countOrUnknown,
  durationMs: count,
  flaky: z.boolean(),
  outputPath: optionalText,
  detail: optionalText,
  confidence: countOrUnknown.optional(),
  usage: usage.nullable().optional(),
}) satisfies z.ZodType<GateResult>;

export const warned = z.object({ tokens: count, estimated: z.boolean(), channel: z.enum(["message", "file", "none"]), delivered: z.boolean().nullable() });

export const leftovers = z.object({ ended: count, kept: count });

export const sign = z.object({ trigger: text, instruction: text, signature: text });
export const iterationClass = z.enum(ITERATION_CLASSES);
export const restClass = z.enum(REST_CLASSES);
export const switchClass = z.union([restClass, z.enum(["reset", "person"])]);
export const mode = z.enum(["work", "wrapUp", "stepBack"]);
export const finalStatus = z.enum(statuses);
export const stopReason = z.enum(reasons);
