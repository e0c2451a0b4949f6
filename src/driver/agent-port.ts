/** The port to agents: what one is asked, what it tells while it works, and what it can report. The rules of `ports.ts` hold. */
import type { AgentEvent, AgentExit, StopCause } from "../core/agent-event.js";
import type { Leftovers } from "../core/kept-process.js";

/** Turns a command line into one that runs inside the sandbox; unchanged where there is none. */
export type Wrap = (
  argv: readonly string[],
  /** `writable`: folders of the driver that this one process has to write into. */
  place: { cwd: string; env: Readonly<Record<string, string | undefined>>; writable?: readonly string[] },
) => string[];

export interface AgentRequest {
  prompt: string;
  /** UTF-16 offsets of the prompt, ascending, before each of which iterations share it; absent where nobody knows. */
  promptBreaks?: readonly number[];
  cwd: string;
  run: string;
  iteration: number;
  /** Sweep token: in the agent's environment as RALPHD_TOKEN. */
  token: string;
  /** Raw output goes here as it comes. */
  streamPath: string;
  env: Record<string, string>;
  /** Absent without a sandbox. */
  wrap?: Wrap;
  /** Command lines whose processes outlive the agent; absent for none. */
  keep?: readonly string[];
}

/** A started agent. `next` yields events in order and null at the end; it never throws. */
export interface AgentRun {
  next(): Promise<AgentEvent | null>;
  /** Says something to the agent while it works; absent where its process takes nothing. Whether it was taken in shows as `noteTaken`. */
  tell?(note: string): void;
  /** Ends the whole tree: TERM, grace, KILL, sweep. The first cause wins. */
  stop(cause: StopCause): void;
  /** Resolves once nothing of the tree is left that could be found. */
  readonly exit: Promise<AgentExit>;
  /** Liveness beyond output: CPU ms used by the tree so far; null where unknown. */
  cpuMs(): number | null;
  /** Bytes of output so far. */
  outputBytes(): number;
  /** What was left running, once `exit` has resolved; null where nobody could count: the driver ended the agent, or the sandbox everything at once. */
  leftovers(): Leftovers | null;
}

export interface AgentReach {
  /** Streams events while it works, so that silence means something. */
  streams: boolean;
  reportsUsage: boolean;
  reportsCost: boolean;
  /** Exit codes of the agent's shell commands are known. */
  reportsCommands: boolean;
}

export type AgentCheck =
  | { kind: "ready"; version: string; billing: string | null }
  | { kind: "missing"; message: string }
  | { kind: "notLoggedIn"; message: string }
  /** Not started to look, because nobody has confirmed its program yet. */
  | { kind: "unconfirmed"; message: string };

/** One agent product; one file each. */
export interface Agent {
  readonly kind: string;
  readonly reach: AgentReach;
  check(): Promise<AgentCheck>;
  /** Must not throw; failure to start is an exit. */
  start(request: AgentRequest): AgentRun;
  /** Translates recorded raw output of an iteration that nobody settled (after a crash). */
  replayStream(raw: string): AgentEvent[];
  /** Ends what a dead driver left running with this token, but for what `keep` names. Returns the number of processes. */
  reap(token: string, keep?: readonly string[]): Promise<number>;
}
