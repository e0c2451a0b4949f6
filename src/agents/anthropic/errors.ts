/** Turns what the SDK throws into an ApiFailure. The only file that reads the vendor's error types and texts. */
import { APIConnectionError, APIError, APIUserAbortError } from "@anthropic-ai/sdk";
import type { ApiFailure } from "./failure.js";

/** Kinds of money trouble that come as 400 with nothing but prose to tell them apart. */
const CREDIT_TEXT = /credit balance is too low|specified API usage limits/i;
/** The wording for a prompt over the window differs between API versions. */
const TOO_LONG_TEXT = /prompt is too long|input length and `?max_tokens`? exceed|context window/i;
/** Thrown by the SDK itself before anything is sent; it has no type of its own. */
const NO_KEY_TEXT = /could not resolve authentication/i;
const REGAIN_DATE = /regain access on (\d{4}-\d{2}-\d{2})(?:\s+at\s+(\d{2}:\d{2}))?/i;

export function classify(thrown: unknown, nowMs: number): ApiFailure {
  if (thrown instanceof APIUserAbortError) return { kind: "aborted" };
  if (thrown instanceof APIConnectionError) return network(describe(thrown));
  if (thrown instanceof APIError) return classifyApiError(thrown, nowMs);
  if (NO_KEY_TEXT.test(describe(thrown))) return { kind: "rejected", error: "auth", message: describe(thrown) };
  // Cut sockets, streams that end early and unparsable events come as plain errors; no tool has run yet,
  // so sending again is safe for all of them.
  return network(describe(thrown));
}

function classifyApiError(error: APIError, nowMs: number): ApiFailure {
  const message = apiMessage(error);
  const status = error.status ?? null;
  // The SDK types `type` as a closed union; the wire is not closed.
  const type: string | null = error.type;
  if (status === 402 || type === "billing_error" || isSpendLimit(error) || (status === 400 && CREDIT_TEXT.test(message))) {
    return { kind: "limited", limit: "credit", resumeAtMs: regainMs(message), message };
  }
  if (status === 429 || type === "rate_limit_error") return throttledOrLimited(error, message, nowMs);
  if (status === 401 || status === 403 || type === "authentication_error" || type === "permission_error") {
    return { kind: "rejected", error: "auth", message };
  }
  if (status === 413 || type === "request_too_large" || (status === 400 && TOO_LONG_TEXT.test(message))) {
    return { kind: "rejected", error: "context", message };
  }
  if (status === 529 || type === "overloaded_error") return transient("overload", message, retryAfterMs(error, nowMs));
  if (isServerSide(status, type)) return transient("network", message, retryAfterMs(error, nowMs));
  if (status === 404) return { kind: "rejected", error: "model", message };
  return { kind: "rejected", error: "other", message };
}

/** Timeouts (408) and conflicts (409) pass by themselves like server errors do; a status of null is an error event inside a stream. */
function isServerSide(status: number | null, type: string | null): boolean {
  if (status === null) return type === null || type === "api_error" || type === "timeout_error";
  return status >= 500 || status === 408 || status === 409;
}

function throttledOrLimited(error: APIError, message: string, nowMs: number): ApiFailure {
  const waitMs = retryAfterMs(error, nowMs) ?? unifiedResetMs(error, nowMs);
  if (error.headers?.get("x-should-retry") === "false") {
    return { kind: "limited", limit: "account", resumeAtMs: waitMs === null ? null : nowMs + waitMs, message };
  }
  return { kind: "throttled", message, retryAfterMs: waitMs };
}

function isSpendLimit(error: APIError): boolean {
  return error.errorCode?.endsWith("_spend_limit_reached") ?? false;
}

/** Seconds or an HTTP date; the millisecond form wins. */
function retryAfterMs(error: APIError, nowMs: number): number | null {
  const exact = Number.parseFloat(error.headers?.get("retry-after-ms") ?? "");
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const header = error.headers?.get("retry-after");
  if (header === null || header === undefined || header === "") return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** Plan limits name their reset as epoch seconds. */
function unifiedResetMs(error: APIError, nowMs: number): number | null {
  const seconds = Number(error.headers?.get("anthropic-ratelimit-unified-reset") ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000 - nowMs) : null;
}

/** "You will regain access on 2026-12-01 at 00:00 UTC." */
function regainMs(message: string): number | null {
  const found = REGAIN_DATE.exec(message);
  if (found === null) return null;
  const at = Date.parse(`${found[1]}T${found[2] ?? "00:00"}:00Z`);
  return Number.isNaN(at) ? null : at;
}

function apiMessage(error: APIError): string {
  const text = error.apiMessage ?? error.message;
  const status = error.status === undefined ? "" : `${error.status} `;
  const id = error.requestID ? ` (request ${error.requestID})` : "";
  return `${status}${text}${id}`;
}

function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause instanceof Error ? `: ${thrown.cause.message}` : "";
  return `${thrown.message}${cause}`;
}

function network(message: string): ApiFailure {
  return transient("network", message, null);
}

function transient(cause: "overload" | "network", message: string, retryAfter: number | null): ApiFailure {
  return { kind: "transient", cause, message, retryAfterMs: retryAfter };
}
