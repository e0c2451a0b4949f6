/** The product's closed vocabularies: statuses, stop reasons, exit codes, iteration classes, task states. */

/** Final statuses with every reason that may stand beside them. */
export const STOP_REASONS = {
  done: ["all_tasks_checked", "marker"],
  capped: ["iterations", "tokens", "cost", "time"],
  escalated: [
    "gutter_command",
    "gutter_thrash",
    "gutter_signal",
    "no_progress",
    "oscillation",
    "disagreement",
    "tampering",
    "needs_human",
    "low_confidence",
    "plan_lost",
    "unverified",
    "hidden_gate",
  ],
  stopped: ["human"],
  failed: ["cannot_start_agent", "auth", "config", "disk", "internal"],
} as const;

export type FinalStatus = keyof typeof STOP_REASONS;
export type StopReason = (typeof STOP_REASONS)[FinalStatus][number];

/** Process exit codes of `ralphd run`; `refused` means that nothing was started. */
export const EXIT_CODES: Readonly<Record<FinalStatus | "refused", number>> = {
  done: 0,
  failed: 1,
  refused: 2,
  capped: 3,
  escalated: 4,
  stopped: 130,
};

/** Status of a run as people see it; the last three are not final. */
export type RunStatus = FinalStatus | "running" | "waiting" | "interrupted";

/** The status a reason belongs to. */
export function statusOf(reason: StopReason): FinalStatus {
  for (const status of Object.keys(STOP_REASONS) as FinalStatus[]) {
    if ((STOP_REASONS[status] as readonly string[]).includes(reason)) return status;
  }
  throw new Error(`unknown stop reason ${reason}`);
}

/** How an iteration ended. Only `no_op`, `blocked` and repeated failure count against the agent. */
export const ITERATION_CLASSES = ["progress", "no_op", "blocked", "waiting", "limit", "auth", "infrastructure", "timeout", "killed"] as const;
export type IterationClass = (typeof ITERATION_CLASSES)[number];

/** `open` and `done` are GitHub boxes; `manual` needs a person; `blocked` is parked by the driver; `other` is `[~]` and the like. */
export type TaskState = "open" | "done" | "manual" | "blocked" | "other";
export type TaskCounts = Record<TaskState, number>;

/** A gate's result: anything that could not be read is `fail`. */
export type Verdict = "pass" | "fail";
