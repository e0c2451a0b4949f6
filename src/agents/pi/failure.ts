/** Turns what pi says about its own failure into a limit or an error; the one place that reads its wording. */
import type { AgentErrorKind } from "../../core/agent-event.js";
import { type Failure, type Wording, apiFailure, codeOf, errorBody, fatal, wordedKind } from "../cli/api-failure.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { asText } from "../json.js";
import { parseResetTime } from "../reset-time.js";

const WORDING: Wording = [
  [/prompt is too long|context (?:window|length)|maximum context/i, "context"],
  [/refus|content filter|safety/i, "refusal"],
  [/overloaded/i, "overload"],
];

/** `errorMessage` of an assistant message: the status, a colon, the API's answer. Or a sentence. */
export function failureOf(said: string, context: TranslatorContext): Failure {
  const status = /^(\d{3})\b/.exec(said)?.[1];
  const body = errorBody(said);
  const message = asText(body?.["message"]) ?? said;
  const resumeAtMs = parseResetTime(said, context.nowMs(), context.localZone);
  if (/hit your .{0,200}limit|usage limit/i.test(message)) return { type: "limit", kind: "account", resumeAtMs, message };
  const failure = apiFailure({ status: status === undefined ? null : Number(status), code: codeOf(body), message, resumeAtMs });
  return failure.type === "error" && failure.kind === "other" ? fatal(wordedKind(message, WORDING), message) : failure;
}

export function crashKind(text: string): AgentErrorKind {
  if (/no api key|not logged in|\/login|use .{0,200}auth/i.test(text)) return "auth";
  return /unknown model|model .{0,200}not found|no models/i.test(text) ? "model" : "crash";
}
