/** Turns what Claude Code says about its own failure into a limit or an error; the one place that reads its wording. */
import type { AgentErrorKind } from "../../core/agent-event.js";
import { type Failure, fatal } from "../cli/api-failure.js";
import { type JsonObject, asCount, asList, asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";
import { parseResetTime } from "../reset-time.js";

export interface FailureFacts {
  /** The failed `result` event. */
  result: JsonObject;
  /** `error` of the last synthetic assistant message. */
  apiError: string | null;
  /** Epoch ms of a rejected account limit, from the vendor's headers. */
  limitResetMs: number | null;
  /** A limit was rejected, with or without a time. */
  limitRejected: boolean;
  nowMs: number;
  localZone: string;
}

const ACCOUNT_LIMIT = /hit your .{0,200}limit|limit reached|out of extra usage|usage limit/i;

/** First rule that fits. Order: what the CLI decided itself, then money and limits, then the API's status. */
export function failureOf(facts: FailureFacts): Failure {
  const { result } = facts;
  const message = messageOf(result);
  const own = ownDecision(result, message);
  if (own !== null) return fatal(own, message);
  const status = asCount(result["api_error_status"]);
  if (facts.apiError === "billing_error" || /credit balance is too low/i.test(message)) {
    return { type: "limit", kind: "credit", resumeAtMs: null, message };
  }
  const limited = status === 429 || facts.apiError === "rate_limit";
  if (limited || (status === null && ACCOUNT_LIMIT.test(message))) return limit(facts, message);
  return fatal(apiErrorKind(status, facts.apiError, message), message);
}

/** A process that ended without a `result`: only its stderr and stray lines can tell why. */
export function crashOf(output: string, how: string): Failure {
  const message = output.trim() === "" ? `Claude Code ${how} without a result` : output.trim();
  const kind = /invalid api key|not logged in|please run \/login|oauth token .{0,200}expired/i.test(output) ? "auth" : "crash";
  return fatal(kind, message);
}

/** A try inside the CLI that failed and will be repeated. */
export function retryOf(event: JsonObject): Failure {
  const status = asCount(event["error_status"]);
  const code = asText(event["error"]);
  const attempt = `${asCount(event["attempt"]) ?? "?"} of ${asCount(event["max_retries"]) ?? "?"}`;
  const waitMs = Math.round(asCount(event["retry_delay_ms"]) ?? 0);
  const message = `try ${attempt} in ${waitMs} ms: ${code ?? "unknown"}${status === null ? "" : ` (${status})`}`;
  const kind = status === 429 ? "overload" : apiErrorKind(status, code, "");
  return { type: "error", kind: kind === "other" ? "network" : kind, fatal: false, message };
}

function ownDecision(result: JsonObject, message: string): AgentErrorKind | null {
  const reason = asText(result["terminal_reason"]);
  const subtype = asText(result["subtype"]);
  if (subtype === "error_max_turns" || reason === "max_turns") return "turn_cap";
  if (subtype === "error_max_budget_usd" || reason === "budget_exhausted") return "budget";
  if (reason === "prompt_too_long" || /^prompt is too long/i.test(message)) return "context";
  if (result["stop_reason"] === "refusal") return "refusal";
  return null;
}

function limit(facts: FailureFacts, message: string): Failure {
  const account = facts.limitRejected || facts.result["api_error"] === "usage_limit_reached" || ACCOUNT_LIMIT.test(message);
  const resumeAtMs = facts.limitResetMs ?? parseResetTime(message, facts.nowMs, facts.localZone);
  // A throttle has no reset time of its own; one with a time is worth the same wait as an account limit.
  return { type: "limit", kind: account || resumeAtMs !== null ? "account" : "throttle", resumeAtMs, message };
}

function apiErrorKind(status: number | null, code: string | null, message: string): AgentErrorKind {
  if (status === 401 || status === 403 || code === "authentication_failed" || /invalid api key|please run \/login/i.test(message)) return "auth";
  if (status === 404 || code === "model_not_found") return "model";
  if (status === 529 || code === "overloaded") return "overload";
  if ((status !== null && status >= 500) || code === "server_error") return "network";
  return "other";
}

function messageOf(result: JsonObject): string {
  const errors = asList(result["errors"]).filter((error) => typeof error === "string");
  const text = asText(result["result"]) ?? errors.join("\n");
  return sanitize(text) || `ended with ${asText(result["subtype"]) ?? "an error"}`;
}
