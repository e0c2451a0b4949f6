/** Turns what Cursor CLI says about its own failure into a limit or an error; the one place that reads its wording. */
import type { AgentErrorKind } from "../../core/agent-event.js";
import { type Failure, type Wording, fatal, wordedKind } from "../cli/api-failure.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { sanitize } from "../process/sanitize.js";
import { parseResetTime } from "../reset-time.js";

const WORDING: Wording = [
  [/authentication required|not logged in|unauthenticated|invalid api key|agent login/i, "auth"],
  [/cannot use this model|model .{0,200}not (?:found|available)/i, "model"],
  [/context (?:window|length)|too long/i, "context"],
  [/unavailable|connect/i, "network"],
];

/** It documents no codes: a failure is words on stderr and exit code 1. */
export function failureOf(said: string, context: TranslatorContext): Failure {
  const message = sanitize(said);
  const resumeAtMs = parseResetTime(message, context.nowMs(), context.localZone);
  if (/usage limit|hit your limit|spend limit/i.test(message)) return { type: "limit", kind: "account", resumeAtMs, message };
  if (/rate limit|too many requests|resource_exhausted/i.test(message)) return { type: "limit", kind: "throttle", resumeAtMs, message };
  return fatal(wordedKind(message, WORDING), message);
}

export function crashKind(text: string): AgentErrorKind {
  const kind = wordedKind(text, WORDING);
  return kind === "other" ? "crash" : kind;
}
