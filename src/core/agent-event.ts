/**
 * What an agent is seen to do, in one vocabulary for all agents. Public: `--agent-output events`
 * reads one such JSON object a line, and `state/README.md` documents it. Readers ignore unknown fields.
 */

/** What an account limit, a throttle or a broken login looks like from outside. */
export type LimitKind = "throttle" | "account" | "credit" | "overload";

/** Kinds of failure that an agent or its API reports about itself, never about the work. */
export type AgentErrorKind = "auth" | "model" | "context" | "refusal" | "network" | "overload" | "turn_cap" | "budget" | "crash" | "other";

export type AgentEvent =
  /** The agent is up. `model` as the agent names it. */
  | { type: "started"; sessionId?: string; model?: string }
  /** One whole assistant message (never a delta). Markers count only in the last one. */
  | { type: "text"; text: string }
  /** `command` is set for shell tools, `path` for tools that write or read one file; `writes` marks a file write with its new `content` where known. */
  | {
      type: "toolCall";
      id: string;
      name: string;
      input: unknown;
      command?: string;
      path?: string;
      writes?: boolean;
      content?: string;
    }
  /** `exitCode` is null when the agent does not report one; `ok` is the agent's own word for success. */
  | { type: "toolResult"; id: string; ok: boolean; exitCode: number | null; output: string; denied?: boolean }
  /**
   * Tokens and money. `scope: delta` adds to what came before, `total` replaces it.
   * `contextTokens` is the size of the latest prompt, for the health light.
   */
  | {
      type: "usage";
      scope: "delta" | "total";
      inputTokens: number | null;
      cachedInputTokens: number | null;
      outputTokens: number | null;
      costUsd: number | null;
      contextTokens?: number;
    }
  /** `resumeAtMs` (epoch milliseconds) is null when the vendor named no time. */
  | { type: "limit"; kind: LimitKind; resumeAtMs: number | null; message: string }
  /** `fatal: false` is a warning or a retry inside the agent. */
  | { type: "error"; kind: AgentErrorKind; fatal: boolean; message: string }
  /** A note of the driver that was taken into the agent's conversation while it worked. */
  | { type: "noteTaken"; text: string }
  /** The agent's own last word. `ok: true` is only a good ending together with exit code 0. */
  | { type: "finished"; ok: boolean; text: string | null }
  /** A line that no rule of the adapter knows; kept and counted. */
  | { type: "unknown"; raw: string };

/** Why and how the agent's process ended; the first cause wins. */
export type AgentExit =
  | { kind: "exited"; code: number }
  | { kind: "signalled"; signal: string }
  /** The driver ended it. */
  | { kind: "stopped"; cause: StopCause }
  /** It never ran: not found, not executable, bad argument. */
  | { kind: "cannotStart"; message: string };

export type StopCause =
  | "iteration_timeout"
  | "idle"
  | "first_output"
  | "settled" // result seen, grace passed, process stayed
  | "rotate"
  | "brake"
  | "budget"
  | "human";
