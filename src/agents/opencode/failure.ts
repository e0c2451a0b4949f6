/** Turns what OpenCode says about its own failure into a limit or an error; the one place that reads its wording. */
import type { AgentErrorKind } from "../../core/agent-event.js";
import { type Failure, type Wording, apiFailure, codeOf, errorBody, fatal, wordedKind } from "../cli/api-failure.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { type JsonObject, asCount, asObject, asText } from "../json.js";
import { parseResetTime } from "../reset-time.js";

const NAMES: Readonly<Record<string, AgentErrorKind>> = {
  ProviderAuthError: "auth",
  ContextOverflowError: "context",
  MessageOutputLengthError: "other",
  MessageAbortedError: "other",
  ProviderModelNotFoundError: "model",
};

const WORDING: Wording = [[/model not found|ProviderModelNotFound/i, "model"]];

export function isOverflow(error: JsonObject): boolean {
  return error["name"] === "ContextOverflowError";
}

export function failureOf(error: JsonObject, context: TranslatorContext): Failure {
  const data = asObject(error["data"]) ?? {};
  const name = asText(error["name"]) ?? "";
  const message = asText(data["message"]) ?? (name || "the run failed");
  const own = NAMES[name];
  if (own !== undefined) return fatal(own, message);
  const status = asCount(data["statusCode"]);
  const resumeAtMs = retryAfter(asObject(data["responseHeaders"]), context.nowMs()) ?? parseResetTime(message, context.nowMs(), context.localZone);
  const failure = apiFailure({ status, code: codeOf(errorBody(asText(data["responseBody"]) ?? "")), message, resumeAtMs });
  if (failure.type === "error" && failure.kind === "other" && status === null) return { ...failure, kind: wordedKind(message, WORDING) };
  return failure;
}

/** What it says instead of the output of a tool that it was not allowed to run. */
export function isDenied(problem: string): boolean {
  return /rejected permission|user has specified a rule which prevents/i.test(problem);
}

export function crashKind(text: string): AgentErrorKind {
  if (/no (?:api )?key|unauthorized|auth login/i.test(text)) return "auth";
  return wordedKind(text, WORDING) === "model" ? "model" : "crash";
}

/** Seconds, or a date. */
function retryAfter(headers: JsonObject | null, nowMs: number): number | null {
  const value = asText(headers?.["retry-after"]);
  if (value === null) return null;
  if (/^\d+(?:\.\d+)?$/.test(value)) return nowMs + Math.round(Number(value) * 1_000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : date;
}
