/** Says how an iteration ended. What changed in the world comes first, the exit code last. */
import type { Claims, Ending } from "./journal-event.js";
import type { IterationClass } from "./words.js";

/** Classes that do not use up an iteration of the limit. */
export const UNSPENT_CLASSES: ReadonlySet<IterationClass> = new Set(["limit", "auth", "infrastructure"]);
/** Classes that count as standing still when nothing progressed. */
export const NO_PROGRESS_CLASSES: ReadonlySet<IterationClass> = new Set(["no_op", "blocked", "timeout"]);

export interface IterationFacts {
  ending: Ending;
  claims: Claims;
  /** A new tree, a proved task, or fewer failing checks. */
  progressed: boolean;
}

export function classify({ ending, claims, progressed }: IterationFacts): IterationClass {
  if (progressed) return "progress";
  if (ending.error?.kind === "auth") return "auth";
  if (ending.limit !== null && ending.finishedOk !== true) return "limit";
  if (claims.wait !== null) return "waiting";
  if (claims.blocked !== null || claims.gutter) return "blocked";
  return classifyExit(ending);
}

function classifyExit(ending: Ending): IterationClass {
  const { exit } = ending;
  switch (exit.kind) {
    case "cannotStart":
      return "infrastructure";
    case "signalled":
      return "killed";
    case "stopped":
      // It had said how it ended and then stayed: its own word counts, as if it had exited.
      if (exit.cause === "settled" && ending.error !== null) return errorClass(ending.error.kind);
      return stoppedClass(exit.cause);
    case "exited":
      if (ending.error !== null) return errorClass(ending.error.kind);
      return exit.code === 0 ? "no_op" : "infrastructure";
  }
}

function stoppedClass(cause: Extract<Ending["exit"], { kind: "stopped" }>["cause"]): IterationClass {
  switch (cause) {
    case "iteration_timeout":
      return "timeout";
    case "idle":
    case "first_output":
      return "infrastructure";
    case "human":
      return "killed";
    case "settled":
    case "rotate":
    case "brake":
    case "budget":
      return "no_op";
  }
}

/** A refusal, a turn cap or an own budget is the agent's affair; the rest is the world's. */
function errorClass(kind: string): IterationClass {
  return kind === "refusal" || kind === "turn_cap" || kind === "budget" ? "no_op" : "infrastructure";
}
