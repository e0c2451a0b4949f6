/** What a model API's status and error code mean; the typed fields that most products hand on. */
import type { AgentErrorKind, AgentEvent, LimitKind } from "../../core/agent-event.js";
import { type JsonObject, asObject, asText, parseJson } from "../json.js";
import { sanitize } from "../process/sanitize.js";

export type Failure = Extract<AgentEvent, { type: "limit" | "error" }>;

export interface ApiFacts {
  /** HTTP status; null when none is known. */
  status: number | null;
  /** `error.code` or `error.type` of the API's answer. */
  code: string | null;
  message: string;
  /** Epoch ms. */
  resumeAtMs: number | null;
}

const LIMIT_CODES: Readonly<Record<string, LimitKind>> = {
  insufficient_quota: "credit",
  billing_hard_limit_reached: "credit",
  billing_error: "credit",
  usage_limit_reached: "account",
  usage_not_included: "account",
  rate_limit_exceeded: "throttle",
  rate_limit_error: "throttle",
};

const ERROR_CODES: Readonly<Record<string, AgentErrorKind>> = {
  invalid_api_key: "auth",
  authentication_error: "auth",
  permission_error: "auth",
  UNAUTHENTICATED: "auth",
  PERMISSION_DENIED: "auth",
  model_not_found: "model",
  not_found_error: "model",
  context_length_exceeded: "context",
  overloaded_error: "overload",
  server_is_overloaded: "overload",
  slow_down: "overload",
  UNAVAILABLE: "overload",
  content_filter: "refusal",
  content_policy_violation: "refusal",
};

/** The code is the narrower word and goes before the status: a spent quota and a throttle are both 429. */
export function apiFailure(facts: ApiFacts): Failure {
  const { status, code, resumeAtMs } = facts;
  const message = sanitize(facts.message);
  const limit = own(LIMIT_CODES, code) ?? (status === 429 ? "throttle" : status === 402 ? "credit" : null);
  if (limit !== null) return { type: "limit", kind: limit, resumeAtMs, message };
  return fatal(own(ERROR_CODES, code) ?? statusKind(status), message);
}

export function fatal(kind: AgentErrorKind, message: string): Failure {
  return { type: "error", kind, fatal: true, message: sanitize(message) };
}

/** Words that tell the kind of a failure where no code does. */
export type Wording = readonly (readonly [RegExp, AgentErrorKind])[];

/** What programs say of a connection that broke, whoever wrote them. */
const NETWORK = /fetch failed|ECONN|socket|timed? ?out|terminated|network|connection|unable to connect|stream (?:ended|disconnected)/i;

/** First rule that fits; a product's own before what they all say. */
export function wordedKind(message: string, wording: Wording): AgentErrorKind {
  return wording.find(([pattern]) => pattern.test(message))?.[1] ?? (NETWORK.test(message) ? "network" : "other");
}

export function cutAnswer(): Failure {
  return fatal("other", "the answer was cut at the model's output limit");
}

/** A try inside the agent that failed and will be repeated. */
export function warning(failure: Failure): Failure {
  const kind = failure.type === "limit" ? "overload" : failure.kind;
  return { type: "error", kind: kind === "other" ? "network" : kind, fatal: false, message: failure.message };
}

/** `error` of an API's answer, wherever it stands in the text; null when there is none. */
export function errorBody(text: string): JsonObject | null {
  const from = text.indexOf("{");
  const to = text.lastIndexOf("}");
  if (from === -1 || to < from) return null;
  const body = asObject(parseJson(text.slice(from, to + 1)));
  return asObject(body?.["error"]) ?? body;
}

/** OpenAI and its likes say `code`, Anthropic says `type`, Google says `status`. */
export function codeOf(body: JsonObject | null): string | null {
  return asText(body?.["code"]) ?? asText(body?.["type"]) ?? asText(body?.["status"]);
}

function statusKind(status: number | null): AgentErrorKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 404) return "model";
  if (status === 413) return "context";
  if (status === 529 || status === 503) return "overload";
  return status === 408 || (status !== null && status >= 500) ? "network" : "other";
}

function own<T>(table: Readonly<Record<string, T>>, key: string | null): T | null {
  return key !== null && Object.hasOwn(table, key) ? (table[key] ?? null) : null;
}
