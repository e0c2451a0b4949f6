/** Pieces of journal lines that several events share: usage, claims, endings, gate results, brake evidence. */
import type { WatchState } from "../core/brakes/watch.js";
import { REST_CLASSES } from "../core/journal-event.js";
import type { GateResult } from "../core/gate.js";
import { count, flag, list, nullable, object, oneOf, optional, pair, type Shape, taggedBy, text } from "../core/shape.js";
import { ITERATION_CLASSES, STOP_REASONS, type FinalStatus, type StopReason } from "../core/words.js";

export const optionalText = nullable(text);
export const texts = list(text);
export const countOrUnknown = nullable(count);

const statuses = Object.keys(STOP_REASONS) as FinalStatus[];
const reasons: StopReason[] = Object.values(STOP_REASONS).flat();

export const usage = object({
  inputTokens: countOrUnknown,
  cachedInputTokens: countOrUnknown,
  outputTokens: countOrUnknown,
  costMicroUsd: countOrUnknown,
});

export const task = object({ id: text, text, gates: texts, edits: texts });

export const claims = object({
  complete: flag,
  gutter: flag,
  blocked: optionalText,
  wait: optionalText,
  nearMiss: optionalText,
  ticked: texts,
});

const exit = taggedBy("kind", {
  exited: { code: count },
  signalled: { signal: text },
  stopped: { cause: oneOf(["iteration_timeout", "idle", "first_output", "settled", "rotate", "brake", "budget", "human"]) },
  cannotStart: { message: text },
});

export const ending = object({
  exit,
  finishedOk: nullable(flag),
  error: nullable(object({ kind: text, message: text })),
  limit: nullable(object({ kind: text, resumeAtMs: countOrUnknown, message: text })),
  toolCalls: count,
  outputBytes: count,
  durationMs: count,
});

export const hit = object({ reason: oneOf(reasons), summary: text, signature: text, lastActions: texts, advice: text });

const commandRecord = object({
  signature: text,
  outcome: text,
  count,
  commandFailures: count,
  view: texts,
  partial: flag,
});
const writeRecord = object({
  atMs: count,
  before: optionalText,
  after: optionalText,
  returned: flag,
  formatted: flag,
  ranges: list(pair(count)),
});
export const watch = object({
  commands: list(commandRecord),
  writes: list(object({ path: text, hits: list(writeRecord) })),
  repeat: nullable(object({ signature: text, count })),
  last: texts,
  hit: nullable(hit),
}) satisfies Shape<WatchState>;

export const gateResult = object({
  name: text,
  verdict: oneOf(["pass", "fail"]),
  reason: text,
  required: flag,
  failing: texts,
  fingerprint: text,
  testsRun: countOrUnknown,
  exitCode: countOrUnknown,
  durationMs: count,
  flaky: flag,
  outputPath: optionalText,
  detail: optionalText,
  confidence: optional(countOrUnknown),
  usage: optional(nullable(usage)),
}) satisfies Shape<GateResult>;

export const warned = object({ tokens: count, estimated: flag, channel: oneOf(["message", "file", "none"]), delivered: nullable(flag) });

export const leftovers = object({ ended: count, kept: count });

export const sign = object({ trigger: text, instruction: text, signature: text });
export const iterationClass = oneOf(ITERATION_CLASSES);
export const restClass = oneOf(REST_CLASSES);
export const switchClass = oneOf([...REST_CLASSES, "reset", "person"]);
export const mode = oneOf(["work", "wrapUp", "stepBack"]);
export const finalStatus = oneOf(statuses);
export const stopReason = oneOf(reasons);
