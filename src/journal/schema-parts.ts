/** Pieces of journal lines that several events share: usage, claims, endings, gate results, brake evidence. */
import * as v from "valibot";
import type { WatchState } from "../core/brakes/watch.js";
import { REST_CLASSES } from "../core/journal-event.js";
import type { GateResult } from "../core/gate.js";
import { ITERATION_CLASSES, STOP_REASONS, type FinalStatus, type StopReason } from "../core/words.js";

/** JSON has numbers that become infinite. */
export const count = v.pipe(v.number(), v.finite());
export const optionalText = v.nullable(v.string());
export const texts = v.array(v.string());
export const countOrUnknown = v.nullable(count);

const statuses = Object.keys(STOP_REASONS) as FinalStatus[];
const reasons: StopReason[] = Object.values(STOP_REASONS).flat();

export const usage = v.object({
  inputTokens: countOrUnknown,
  cachedInputTokens: countOrUnknown,
  outputTokens: countOrUnknown,
  costMicroUsd: countOrUnknown,
});

export const task = v.object({ id: v.string(), text: v.string(), gates: texts, edits: texts });

export const claims = v.object({
  complete: v.boolean(),
  gutter: v.boolean(),
  blocked: optionalText,
  wait: optionalText,
  nearMiss: optionalText,
  ticked: texts,
});

const exit = v.variant("kind", [
  v.object({ kind: v.literal("exited"), code: count }),
  v.object({ kind: v.literal("signalled"), signal: v.string() }),
  v.object({ kind: v.literal("stopped"), cause: v.picklist(["iteration_timeout", "idle", "first_output", "settled", "rotate", "brake", "budget", "human"]) }),
  v.object({ kind: v.literal("cannotStart"), message: v.string() }),
]);

export const ending = v.object({
  exit,
  finishedOk: v.nullable(v.boolean()),
  error: v.nullable(v.object({ kind: v.string(), message: v.string() })),
  limit: v.nullable(v.object({ kind: v.string(), resumeAtMs: countOrUnknown, message: v.string() })),
  toolCalls: count,
  outputBytes: count,
  durationMs: count,
});

export const hit = v.object({ reason: v.picklist(reasons), summary: v.string(), signature: v.string(), lastActions: texts, advice: v.string() });

const commandRecord = v.object({
  signature: v.string(),
  outcome: v.string(),
  count,
  commandFailures: count,
  view: texts,
  partial: v.boolean(),
});
const writeRecord = v.object({
  atMs: count,
  before: optionalText,
  after: optionalText,
  returned: v.boolean(),
  formatted: v.boolean(),
  ranges: v.array(v.strictTuple([count, count])),
});
export const watch = v.object({
  commands: v.array(commandRecord),
  writes: v.array(v.object({ path: v.string(), hits: v.array(writeRecord) })),
  repeat: v.nullable(v.object({ signature: v.string(), count })),
  last: texts,
  hit: v.nullable(hit),
}) satisfies v.GenericSchema<WatchState>;

export const gateResult = v.object({
  name: v.string(),
  verdict: v.picklist(["pass", "fail"]),
  reason: v.string(),
  required: v.boolean(),
  failing: texts,
  fingerprint: v.string(),
  testsRun: countOrUnknown,
  exitCode: countOrUnknown,
  durationMs: count,
  flaky: v.boolean(),
  outputPath: optionalText,
  detail: optionalText,
  confidence: v.optional(countOrUnknown),
  usage: v.optional(v.nullable(usage)),
}) satisfies v.GenericSchema<GateResult>;

export const warned = v.object({ tokens: count, estimated: v.boolean(), channel: v.picklist(["message", "file", "none"]), delivered: v.nullable(v.boolean()) });

export const leftovers = v.object({ ended: count, kept: count });

export const sign = v.object({ trigger: v.string(), instruction: v.string(), signature: v.string() });
export const iterationClass = v.picklist(ITERATION_CLASSES);
export const restClass = v.picklist(REST_CLASSES);
export const switchClass = v.picklist([...REST_CLASSES, "reset", "person"]);
export const mode = v.picklist(["work", "wrapUp", "stepBack"]);
export const finalStatus = v.picklist(statuses);
export const stopReason = v.picklist(reasons);
