/** Turns what Codex says about its own failure into a limit or an error; the one place that reads its wording. */
import { type Failure, type Wording, apiFailure, codeOf, errorBody, fatal, wordedKind } from "../cli/api-failure.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";
import { parseResetTime } from "../reset-time.js";
import type { AgentErrorKind, LimitKind } from "../../core/agent-event.js";

/** Its JSON has no code, so the words decide. The apostrophes in them are typographic. */
const LIMITS: readonly (readonly [RegExp, LimitKind])[] = [
  [/^you.ve hit your usage limit|^usage limit reached|^to use codex with your .* plan/i, "account"],
  [/^quota exceeded|insufficient[_ ]quota|out of credits/i, "credit"],
  [/^rate limit exceeded|last status: 429|unexpected status 429/i, "throttle"],
];

const ERRORS: Wording = [
  [/unexpected status 40[13]|last status: 40[13]|not logged in|refresh token|access token could not be refreshed/i, "auth"],
  [/unexpected status 404.{0,200}model|model .{0,200}(?:not found|does not exist|is not supported)/i, "model"],
  [/ran out of room in the model.s context window|context[_ ]length[_ ]exceeded/i, "context"],
  [/high demand|at capacity|overloaded|unexpected status (?:503|529)|last status: (?:503|529)/i, "overload"],
  [/cyber|flagged|content[_ ]policy|invalid_prompt/i, "refusal"],
  [/unexpected status 5\d\d|last status: 5\d\d|error sending request/i, "network"],
];

/** A try that failed inside Codex; it goes on by itself. */
const RETRY = /^Reconnecting\.\.\. \d+\/\d+(?: \((.*)\))?$/s;

export function isRetry(message: string): boolean {
  return RETRY.test(message);
}

/** First rule that fits. */
export function failureOf(said: string, { nowMs, localZone }: TranslatorContext): Failure {
  const message = RETRY.exec(said)?.[1] ?? said;
  const resumeAtMs = parseResetTime(message, nowMs(), localZone);
  const limit = LIMITS.find(([pattern]) => pattern.test(message))?.[1];
  if (limit !== undefined) return { type: "limit", kind: limit, resumeAtMs, message: sanitize(message) };
  // A refused request (400) arrives as the API's whole answer.
  const body = message.trimStart().startsWith("{") ? errorBody(message) : null;
  if (body !== null) return apiFailure({ status: null, code: codeOf(body), message: asText(body["message"]) ?? message, resumeAtMs });
  return fatal(wordedKind(message, ERRORS), message);
}

/** What stderr means for a process that ended without a word. */
export function crashKind(text: string): AgentErrorKind {
  return /not logged in|codex login|missing environment variable/i.test(text) ? "auth" : "crash";
}
