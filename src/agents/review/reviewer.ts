/** Asks an independent model one question and returns its words: a fresh process, no tools, nothing of the maker's session. */
import type { Reviewer } from "../../core/gate.js";
import { UNKNOWN_USAGE, type Usage, ZERO_USAGE } from "../../core/usage.js";
import type { AgentSettings } from "../../core/settings.js";
import type { Wrap } from "../../driver/ports.js";

export interface ReviewRequest {
  prompt: string;
  /** Where a `command` reviewer runs; models with a CLI of their own run in an empty folder. */
  root: string;
  env: Record<string, string>;
  timeoutMs: number;
  signal: AbortSignal;
  token: string;
  killGraceMs: number;
  prices: AgentSettings["prices"];
  /** For `command` alone: it may be a script of the repository. */
  wrap?: Wrap | undefined;
}

/** `usage` counts also when it failed: a broken answer is billed all the same. */
export type Review = { kind: "answered"; text: string; usage: Usage } | { kind: "failed"; why: string; usage: Usage };

export async function askReviewer(reviewer: Reviewer, request: ReviewRequest): Promise<Review> {
  switch (reviewer.agent) {
    case "command":
      return (await import("./command.js")).askCommand(reviewer, request);
    case "claude":
      return (await import("./claude.js")).askClaude(reviewer, request);
    case "anthropic":
      return (await import("./anthropic.js")).askAnthropic(reviewer, request);
  }
}

export function failedReview(why: string, usage: Usage = UNKNOWN_USAGE): Review {
  return { kind: "failed", why, usage };
}

/** Nothing was started, so nothing was used. */
export function notAsked(why: string): Review {
  return { kind: "failed", why, usage: ZERO_USAGE };
}
