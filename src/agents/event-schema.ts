/**
 * Reads one AgentEvent from a line of JSON, for `--agent-output events`. Lenient: only `type` is required, unknown
 * fields are ignored, a missing or unusable number is null, and what is no event at all becomes `unknown`.
 */
import { z } from "zod";
import type { AgentErrorKind, AgentEvent, LimitKind } from "../core/agent-event.js";
import { parseJson } from "./json.js";
import { sanitize } from "./process/sanitize.js";
import { unknownEvent } from "./unknown-event.js";

const text = z.string().catch("").transform(sanitize);
const optionalText = z.string().transform(sanitize).optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const count = z.number().nonnegative().nullable().catch(null);
const integer = z.number().int().nullable().catch(null);
/** The parser below fills it in. */
const id = z.string().min(1).optional().catch(undefined);

const LIMIT_KINDS = ["throttle", "account", "credit", "overload"] as const satisfies readonly LimitKind[];
const ERROR_KINDS = [
  "auth",
  "model",
  "context",
  "refusal",
  "network",
  "overload",
  "turn_cap",
  "budget",
  "crash",
  "other",
] as const satisfies readonly AgentErrorKind[];

export const agentEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), sessionId: optionalText, model: optionalText }),
  z.object({ type: z.literal("text"), text }),
  z.object({
    type: z.literal("toolCall"),
    id,
    name: z.string().catch("tool").transform(sanitize),
    input: z
      .unknown()
      .optional()
      .transform((input) => input ?? {}),
    command: optionalText,
    path: optionalText,
    writes: flag,
    /** Bytes of a file, so control characters belong to it. */
    content: z.string().optional().catch(undefined),
  }),
  z.object({
    type: z.literal("toolResult"),
    id,
    ok: flag,
    exitCode: integer,
    output: text,
    denied: flag,
  }),
  z.object({
    type: z.literal("usage"),
    scope: z.enum(["delta", "total"]).catch("delta"),
    inputTokens: count,
    cachedInputTokens: count,
    outputTokens: count,
    costUsd: count,
    contextTokens: z.number().nonnegative().optional().catch(undefined),
  }),
  z.object({ type: z.literal("limit"), kind: z.enum(LIMIT_KINDS).catch("throttle"), resumeAtMs: count, message: text }),
  z.object({ type: z.literal("error"), kind: z.enum(ERROR_KINDS).catch("other"), fatal: z.boolean().catch(true), message: text }),
  z.object({ type: z.literal("noteTaken"), text }),
  z.object({ type: z.literal("finished"), ok: z.boolean().catch(true), text: z.string().transform(sanitize).nullable().catch(null) }),
  z.object({ type: z.literal("unknown"), raw: text }),
]);

type ReadEvent = z.infer<typeof agentEventSchema>;

/** A reader for one stream: calls without an id get one, and results without an id belong to the latest call. */
export function createEventReader(): (line: string) => AgentEvent {
  let calls = 0;
  let latest = "call-0";
  return (line) => {
    const read = agentEventSchema.safeParse(parseJson(line));
    if (!read.success) return unknownEvent(line);
    const event = read.data;
    if (event.type === "toolCall") {
      calls += 1;
      latest = event.id ?? `call-${calls}`;
      return compact({ ...event, id: latest });
    }
    if (event.type !== "toolResult") return compact(event);
    // Without the agent's own word an exit code decides, and without either nothing failed.
    const ok = event.ok ?? (event.exitCode ?? 0) === 0;
    return compact({ ...event, id: event.id ?? latest, ok });
  };
}

type WithId<T> = T extends { type: "toolCall" } ? T & { id: string } : T extends { type: "toolResult" } ? T & { id: string; ok: boolean } : T;

/** Optional fields are absent, not undefined. */
function compact(event: WithId<ReadEvent>): AgentEvent {
  // The schema has AgentEvent's fields; only `undefined` is left to be removed, which no type can follow.
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined)) as AgentEvent;
}
