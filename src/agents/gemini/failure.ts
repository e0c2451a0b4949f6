/** Turns what Gemini CLI says about its own failure into a limit or an error; the one place that reads its wording. */
import type { AgentErrorKind } from "../../core/agent-event.js";
import { type Failure, apiFailure, codeOf, errorBody, fatal, wordedKind } from "../cli/api-failure.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { type JsonObject, asCount, asText } from "../json.js";
import { parseResetTime } from "../reset-time.js";

/** Its own exit codes; the rest are HTTP statuses cut to eight bits. */
const EXIT_AUTH = 41;
const EXIT_TURN_LIMIT = 53;

const TYPES: Readonly<Record<string, AgentErrorKind>> = {
  FatalTurnLimitedError: "turn_cap",
  FatalAuthenticationError: "auth",
  FatalCancellationError: "other",
};

/** `exitCode` is null while the process still runs. */
export function failureOf(error: JsonObject, exitCode: number | null, context: TranslatorContext): Failure {
  const message = asText(error["message"]) ?? "the run failed";
  const own = TYPES[asText(error["type"]) ?? ""];
  if (own !== undefined) return fatal(own, message);
  const body = errorBody(message);
  const said = body === null ? message : (asText(body["message"]) ?? message);
  const status = asCount(body?.["code"]) ?? statusOf(exitCode) ?? wordedStatus(message);
  const resumeAtMs = parseResetTime(message, context.nowMs(), context.localZone);
  const kind = kindOf(said, status);
  if (kind !== null) return fatal(kind, said);
  const failure = apiFailure({ status, code: codeOf(body), message: said, resumeAtMs });
  // Spent for a minute and spent for the day read the same; only the second one comes without a time.
  const spent = failure.type === "limit" && resumeAtMs === null && /exceeded your (?:current )?quota|quota exceeded|daily/i.test(said);
  return spent ? { ...failure, kind: "account" } : failure;
}

/** A failure without `error`: the last `error` event of the stream tells why. */
export function blocked(message: string): Failure {
  return fatal(/safety|blocked|prohibited|recitation/i.test(message) ? "refusal" : "other", message);
}

export function crashOf(exitCode: number, stderr: string, context: TranslatorContext): Failure {
  if (exitCode === EXIT_AUTH) return fatal("auth", stderr || "Gemini CLI has no usable login");
  if (exitCode === EXIT_TURN_LIMIT) return fatal("turn_cap", stderr || "Gemini CLI reached its own limit of turns");
  const status = statusOf(exitCode);
  return status === null
    ? fatal("crash", stderr || `Gemini CLI ended with code ${exitCode}`)
    : failureOf({ message: stderr || `HTTP ${status}` }, exitCode, context);
}

function kindOf(message: string, status: number | null): AgentErrorKind | null {
  if (status === 400 && /input token count .* exceeds|exceeds the maximum number of tokens/i.test(message)) return "context";
  if (status === 400 && /api key (?:not valid|expired)/i.test(message)) return "auth";
  return status === null && wordedKind(message, []) === "network" ? "network" : null;
}

/** The status is lost in the text of a 429, so its one sentence has to do. */
function wordedStatus(message: string): number | null {
  return /please wait and try again later\. to increase your limits/i.test(message) ? 429 : null;
}

/** 400 to 599 leave 144 to 255 and 0 to 87; only those that errors of an API are known by are read back. */
const STATUSES: readonly number[] = [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 504];

function statusOf(exitCode: number | null): number | null {
  return exitCode === null || exitCode < 128 ? null : (STATUSES.find((status) => (status & 255) === exitCode) ?? null);
}
