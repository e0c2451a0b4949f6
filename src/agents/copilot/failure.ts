/** Turns what Copilot CLI says about its own failure into a limit or an error; the one place that reads its wording. */
import type { AgentErrorKind } from "../../core/agent-event.js";
import { type Failure, type Wording, apiFailure, codeOf, errorBody, fatal, warning, wordedKind } from "../cli/api-failure.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { type JsonObject, asCount, asText } from "../json.js";
import { parseResetTime } from "../reset-time.js";

const WORDING: Wording = [
  [/context (?:window|length)|too many tokens|prompt token count/i, "context"],
  [/model .{0,200}(?:not available|not supported|not found)/i, "model"],
];

/** `data` of a `session.error`. */
export function failureOf(data: JsonObject, context: TranslatorContext): Failure {
  const message = asText(data["message"]) ?? "the session failed";
  const type = asText(data["errorType"]);
  const resumeAtMs = parseResetTime(message, context.nowMs(), context.localZone);
  if (type === "quota") return { type: "limit", kind: "credit", resumeAtMs, message };
  if (type === "authentication" || type === "authorization") return fatal("auth", message);
  if (type === "context_limit") return fatal("context", message);
  const failure = apiFailure({ status: asCount(data["statusCode"]) ?? (type === "rate_limit" ? 429 : null), code: null, message, resumeAtMs });
  if (failure.type === "limit") return /premium request|monthly|quota/i.test(message) ? { ...failure, kind: "credit" } : failure;
  return failure.kind === "other" ? { ...failure, kind: wordedKind(message, WORDING) } : failure;
}

/** `data` of a `model.call_failure`: a try that may be repeated. */
export function retryOf(data: JsonObject): Failure {
  const said = asText(data["errorMessage"]) ?? "";
  const body = errorBody(said);
  const message = `try ${asCount(data["retryAttempt"]) ?? "?"}: ${asText(body?.["message"]) ?? said}`;
  return warning(apiFailure({ status: asCount(data["statusCode"]), code: codeOf(body), message, resumeAtMs: null }));
}

export function crashKind(text: string): AgentErrorKind {
  return /no authentication information|not logged in|\/login|authentication failed/i.test(text) ? "auth" : "crash";
}
