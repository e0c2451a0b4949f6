/**
 * Reads one AgentEvent from a line of JSON, for `--agent-output events`. Lenient: only `type` is required, unknown
 * fields are ignored, a missing or unusable number is null, and what is no event at all becomes `unknown`.
 */
import * as v from "valibot";
import type { AgentErrorKind, AgentEvent, LimitKind } from "../core/agent-event.js";
import { parseJson } from "./json.js";
import { sanitize } from "./process/sanitize.js";
import { unknownEvent } from "./unknown-event.js";

const text = v.pipe(v.fallback(v.string(), ""), v.transform(sanitize));
const optionalText = v.fallback(v.optional(v.pipe(v.string(), v.transform(sanitize))), undefined);
const flag = v.fallback(v.optional(v.boolean()), undefined);
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const count = v.fallback(v.nullable(amount), null);
const integer = v.fallback(v.nullable(v.pipe(v.number(), v.safeInteger())), null);
/** The parser below fills it in. */
const id = v.fallback(v.optional(v.pipe(v.string(), v.nonEmpty())), undefined);

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

export const agentEventSchema = v.variant("type", [
  v.object({ type: v.literal("started"), sessionId: optionalText, model: optionalText }),
  v.object({ type: v.literal("text"), text }),
  v.object({
    type: v.literal("toolCall"),
    id,
    name: v.pipe(v.fallback(v.string(), "tool"), v.transform(sanitize)),
    input: v.pipe(
      v.optional(v.unknown(), {}),
      v.transform((input) => input ?? {}),
    ),
    command: optionalText,
    path: optionalText,
    writes: flag,
    /** Bytes of a file, so control characters belong to it. */
    content: v.fallback(v.optional(v.string()), undefined),
  }),
  v.object({
    type: v.literal("toolResult"),
    id,
    ok: flag,
    exitCode: integer,
    output: text,
    denied: flag,
  }),
  v.object({
    type: v.literal("usage"),
    scope: v.fallback(v.picklist(["delta", "total"]), "delta"),
    inputTokens: count,
    cachedInputTokens: count,
    outputTokens: count,
    costUsd: count,
    contextTokens: v.fallback(v.optional(amount), undefined),
  }),
  v.object({ type: v.literal("limit"), kind: v.fallback(v.picklist(LIMIT_KINDS), "throttle"), resumeAtMs: count, message: text }),
  v.object({ type: v.literal("error"), kind: v.fallback(v.picklist(ERROR_KINDS), "other"), fatal: v.fallback(v.boolean(), true), message: text }),
  v.object({ type: v.literal("noteTaken"), text }),
  v.object({ type: v.literal("finished"), ok: v.fallback(v.boolean(), true), text: v.fallback(v.nullable(v.pipe(v.string(), v.transform(sanitize))), null) }),
  v.object({ type: v.literal("unknown"), raw: text }),
]);

type ReadEvent = v.InferOutput<typeof agentEventSchema>;

/** A reader for one stream: calls without an id get one, and results without an id belong to the latest call. */
export function createEventReader(): (line: string) => AgentEvent {
  let calls = 0;
  let latest = "call-0";
  return (line) => {
    const read = v.safeParse(agentEventSchema, parseJson(line));
    if (!read.success) return unknownEvent(line);
    const event = read.output;
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
