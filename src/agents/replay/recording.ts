/** The recording that the replay model plays: for each iteration, the model's answers in order. */
import { readFileSync } from "node:fs";
import { z } from "zod";

/** Tool calls in neutral words; each client gets them in the form of the tools it declared. `tool` is sent as it stands. */
const call = z.union([
  z.strictObject({ bash: z.strictObject({ command: z.string(), timeout_s: z.number().optional() }) }),
  z.strictObject({ write: z.strictObject({ path: z.string(), content: z.string() }) }),
  z.strictObject({ edit: z.strictObject({ path: z.string(), old: z.string(), new: z.string() }) }),
  z.strictObject({ read: z.strictObject({ path: z.string() }) }),
  z.strictObject({ tool: z.strictObject({ name: z.string(), input: z.unknown() }) }),
]);

const STOPS = ["end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded"] as const;

const turn = z.strictObject({
  thinking: z.string().optional(),
  text: z.string().optional(),
  calls: z.array(call).optional(),
  /** Tokens to report; without it they are derived from the size of request and answer. */
  usage: z
    .strictObject({
      input: z.number().int(),
      output: z.number().int(),
      cacheRead: z.number().int().default(0),
      cacheWrite: z.number().int().default(0),
    })
    .optional(),
  /** Without it: `tool_use` when there are calls, else `end_turn`. */
  stop: z.enum(STOPS).optional(),
  /** An HTTP error instead of an answer. */
  error: z
    .strictObject({
      status: z.number().int().min(400).max(599),
      type: z.string(),
      message: z.string(),
      headers: z.record(z.string(), z.string()).default({}),
    })
    .optional(),
  /** Half of the answer, then an error event inside the stream. */
  midError: z.strictObject({ type: z.string(), message: z.string() }).optional(),
  /** The stream begins and then stays silent. */
  hang: z.boolean().optional(),
  /** Half of the answer, then the connection is gone. */
  cut: z.boolean().optional(),
  /** Serves this many requests before the next turn. */
  times: z.number().int().positive().default(1),
});

const recordingSchema = z.strictObject({
  version: z.literal(1),
  model: z.string().min(1),
  iterations: z.array(z.strictObject({ turns: z.array(turn) })),
});

export type Recording = z.infer<typeof recordingSchema>;
/** As it stands in a file, defaults left out. */
export type RecordingInput = z.input<typeof recordingSchema>;
export type RecordedTurn = z.infer<typeof turn>;
export type RecordedCall = z.infer<typeof call>;

export type ReadRecording = { kind: "recording"; recording: Recording } | { kind: "unreadable"; message: string };

/** The message names the place in the text that is no recording. */
export function readRecording(json: string): ReadRecording {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { kind: "unreadable", message: `not a recording: ${String(error)}` };
  }
  const parsed = recordingSchema.safeParse(value);
  if (parsed.success) return { kind: "recording", recording: parsed.data };
  return { kind: "unreadable", message: `not a recording: ${z.prettifyError(parsed.error)}` };
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
