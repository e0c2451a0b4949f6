/** What can go wrong with one request, as data, and how the driver is told about it. */
import type { AgentErrorKind, AgentEvent } from "../../core/agent-event.js";

export type ApiFailure =
  /** Worth sending again; no tool has run. */
  | { kind: "transient"; cause: "overload" | "network"; message: string; retryAfterMs: number | null }
  | { kind: "throttled"; message: string; retryAfterMs: number | null }
  /** No event for too long, or one answer took too long. */
  | { kind: "stalled"; message: string }
  /** An account limit or missing money: waiting inside this process is not worth it. */
  | { kind: "limited"; limit: "account" | "credit"; resumeAtMs: number | null; message: string }
  /** Sending the same again gives the same. */
  | { kind: "rejected"; error: AgentErrorKind; message: string }
  | { kind: "aborted" };

/** The event that reports a failure that ended the process. */
export function fatalEvent(failure: ApiFailure, nowMs: number): AgentEvent {
  switch (failure.kind) {
    case "limited":
      return { type: "limit", kind: failure.limit, resumeAtMs: failure.resumeAtMs, message: failure.message };
    case "throttled":
      return { type: "limit", kind: failure.retryAfterMs === null ? "throttle" : "account", ...resume(failure, nowMs) };
    case "transient":
      if (failure.cause === "overload" && failure.retryAfterMs !== null) {
        return { type: "limit", kind: "overload", ...resume(failure, nowMs) };
      }
      return { type: "error", kind: failure.cause, fatal: true, message: failure.message };
    case "stalled":
      return { type: "error", kind: "network", fatal: true, message: failure.message };
    case "rejected":
      return { type: "error", kind: failure.error, fatal: true, message: failure.message };
    case "aborted":
      return { type: "error", kind: "other", fatal: true, message: "stopped from outside" };
  }
}

function resume(failure: { retryAfterMs: number | null; message: string }, nowMs: number) {
  const resumeAtMs = failure.retryAfterMs === null ? null : nowMs + failure.retryAfterMs;
  return { resumeAtMs, message: failure.message };
}

/** The event that reports one failed try that will be repeated. */
export function retryEvent(failure: ApiFailure, attempt: number, waitMs: number): AgentEvent {
  const kind = failure.kind === "transient" ? failure.cause : failure.kind === "throttled" ? "overload" : "network";
  const message = "message" in failure ? failure.message : failure.kind;
  return { type: "error", kind, fatal: false, message: `try ${attempt} failed, next in ${waitMs} ms: ${message}` };
}
