/** The recording that the replay model plays: for each iteration, the model's answers in order. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { IN_WORDS, misfitText } from "../../core/misfit.js";
import { noList } from "../../core/no-list.js";

/** Tool calls in neutral words; each client gets them in the form of the tools it declared. `tool` is sent as it stands. */
const call = v.union(
  [
    v.strictObject({ bash: v.strictObject({ command: v.string(), timeout_s: v.optional(v.pipe(v.number(), v.finite())) }) }),
    v.strictObject({ write: v.strictObject({ path: v.string(), content: v.string() }) }),
    v.strictObject({ edit: v.strictObject({ path: v.string(), old: v.string(), new: v.string() }) }),
    v.strictObject({ read: v.strictObject({ path: v.string() }) }),
    v.strictObject({ tool: v.strictObject({ name: v.string(), input: v.unknown() }) }),
  ],
  "expected one call with its fields: bash, write, edit, read or tool",
);

const STOPS = ["end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded"] as const;

const turn = noList(
  v.strictObject({
    thinking: v.optional(v.string()),
    text: v.optional(v.string()),
    calls: v.optional(v.array(call)),
    /** Tokens to report; without it they are derived from the size of request and answer. */
    usage: v.optional(
      v.strictObject({
        input: v.pipe(v.number(), v.safeInteger()),
        output: v.pipe(v.number(), v.safeInteger()),
        cacheRead: v.optional(v.pipe(v.number(), v.safeInteger()), 0),
        cacheWrite: v.optional(v.pipe(v.number(), v.safeInteger()), 0),
      }),
    ),
    /** Without it: `tool_use` when there are calls, else `end_turn`. */
    stop: v.optional(v.picklist(STOPS)),
    /** An HTTP error instead of an answer. */
    error: v.optional(
      v.strictObject({
        status: v.pipe(v.number(), v.safeInteger(), v.minValue(400), v.maxValue(599)),
        type: v.string(),
        message: v.string(),
        headers: v.optional(noList(v.record(v.string(), v.string())), {}),
      }),
    ),
    /** Half of the answer, then an error event inside the stream. */
    midError: v.optional(v.strictObject({ type: v.string(), message: v.string() })),
    /** The stream begins and then stays silent. */
    hang: v.optional(v.boolean()),
    /** Half of the answer, then the connection is gone. */
    cut: v.optional(v.boolean()),
    /** Serves this many requests before the next turn. */
    times: v.optional(v.pipe(v.number(), v.safeInteger(), v.gtValue(0)), 1),
  }),
);

const recordingSchema = v.strictObject({
  version: v.literal(1),
  model: v.pipe(v.string(), v.nonEmpty()),
  iterations: v.array(v.strictObject({ turns: v.array(turn) })),
});

export type Recording = v.InferOutput<typeof recordingSchema>;
/** As it stands in a file, defaults left out. */
export type RecordingInput = v.InferInput<typeof recordingSchema>;
export type RecordedTurn = v.InferOutput<typeof turn>;
export type RecordedCall = v.InferOutput<typeof call>;

export type ReadRecording = { kind: "recording"; recording: Recording } | { kind: "unreadable"; message: string };

/** The message names the place in the text that is no recording. */
export function readRecording(json: string): ReadRecording {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { kind: "unreadable", message: `not a recording: ${String(error)}` };
  }
  const parsed = v.safeParse(recordingSchema, value, IN_WORDS);
  if (parsed.success) return { kind: "recording", recording: parsed.output };
  return { kind: "unreadable", message: `not a recording: ${misfitText(parsed.issues)}` };
}

export function readRecordingFile(path: string): ReadRecording {
  let json: string;
  try {
    json = readFileSync(path, "utf8");
  } catch (error) {
    return { kind: "unreadable", message: `the recording can not be read: ${String(error)}` };
  }
  const read = readRecording(json);
  return read.kind === "recording" ? read : { kind: "unreadable", message: `${path}: ${read.message}` };
}
