/** The effective configuration of a run, resolved and validated. Durations in ms, money in micro-dollars. */
import type { AuditRatios } from "./audit.js";
import type { GateSpec } from "./gate.js";
import type { ContextSettings } from "./model-windows.js";
import type { HookName, HookSpec, NotifySpec } from "./notice.js";

/** null means: no such limit. A wall-clock limit always exists. */
export interface Limits {
  iterations: number | null;
  tokens: number | null;
  costMicroUsd: number | null;
  /** Active time: without pauses and waits for limits. */
  timeMs: number;
  iterationMs: number;
  /** Silence: no output, no file activity, no CPU use of the tree. */
  idleMs: number;
  /** For agents that stream. */
  firstOutputMs: number;
  /** Total leash on waiting for account limits. */
  limitWaitMs: number;
  /** A shorter wait is waited out, although others could go on. */
  fallbackAfterMs: number;
  /** Added to a vendor's reset time, since clocks differ and resets come late. */
  resetSlackMs: number;
}

export interface BrakeSettings {
  onStuck: "stop" | "park";
  gutterCommand: { count: number; match: "outcome" | "command" };
  gutterThrash: { count: number; windowMs: number; match: "content" | "any" };
  /** Repeats of one action signature after the first, with no change in between. */
  repeats: number;
  /** Iterations without progress after a baseline. */
  noProgress: number;
  /** Returns to an earlier tree. */
  oscillation: number;
  disagreement: number;
  /** Attempts on one task without progress in a row before it is parked; twice as many when they change files but prove nothing. */
  attempts: number;
  /** Spend one iteration on a diagnosis before `no_progress` ends the run. */
  stepBack: boolean;
}

export interface AgentSettings {
  /** What people call it: the kind, or the name of their own definition. */
  name: string;
  kind: string;
  /** For `command`: the program and its arguments. For CLIs: replaces the found executable when set. */
  argv: string[];
  /** Extra arguments for a CLI agent. */
  args: string[];
  output: "text" | "events";
  model: string | null;
  effort: string | null;
  env: "inherit" | "minimal";
  envPass: string[];
  envDeny: string[];
  /** Set for this agent and its gates, whatever else is. */
  envSet: Record<string, string>;
  /** USD per million tokens by model id; overrides the shipped table. */
  prices: Record<string, { input: number; output: number; cacheRead: number; cacheWrite: number }>;
}

export interface Settings {
  /** Plan path relative to the root; null when the run has only an objective. */
  plan: string | null;
  objective: string | null;
  agent: AgentSettings;
  /** Who goes on while `agent` waits, in this order. */
  fallback: AgentSettings[];
  /** What people have defined by name, or said of a kind. */
  agents: AgentSettings[];
  limits: Limits;
  brakes: BrakeSettings;
  context: ContextSettings;
  /** Waits after infrastructure failures and after `WAIT` double from `firstMs` up to `maxMs`. */
  backoff: { firstMs: number; maxMs: number };
  gates: GateSpec[];
  /** From the user's own file: run at the end, told to the person alone, and never written where an agent works. */
  hiddenGates: GateSpec[];
  setup: string | null;
  requireGate: boolean;
  /** Globs of files that may grow but not lose lines. */
  protect: string[];
  /** Extra frozen globs beside the built-in ones. */
  freeze: string[];
  branch: string | null;
  branchMode: "run" | "current";
  worktree: boolean;
  allowDirty: boolean;
  level: 1 | 2 | 3;
  sandbox: "auto" | "on" | "off";
  /** `off`: inside the sandbox nothing but the model's hosts and `hosts` can be reached, and by the agent alone. */
  network: { access: "open" | "off"; hosts: string[] };
  /** Sign driver commits as the user's git config says. */
  signCommits: boolean;
  marker: string;
  /** Headings whose tasks count; null means all. */
  taskSections: string[] | null;
  progressBytes: number;
  maxFileBytes: number;
  retention: { days: number; megabytes: number };
  /** A finished agent gets this long to exit by itself. */
  settleGraceMs: number;
  /** Command lines whose processes stay when an agent has ended. */
  keep: string[];
  /** Between SIGTERM and SIGKILL. */
  killGraceMs: number;
  once: boolean;
  /** Percent of the commits that `ralphd audit` draws, by risk of the paths they touch. */
  audit: AuditRatios;
  notify: NotifySpec[];
  /** Shorter waits for limits are told to nobody. */
  notifyWaitMs: number;
  heartbeat: { url: string | null; everyMs: number };
  hooks: Partial<Record<HookName, HookSpec>>;
}
