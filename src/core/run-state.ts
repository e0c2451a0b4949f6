/** The run as the journal tells it: the one input of decisions, status and report. Built by fold.ts alone. */
import type { Counters } from "./brakes/counters.js";
import type { BrakeHit, SignDraft } from "./brakes/types.js";
import type { WatchState } from "./brakes/watch.js";
import type { ContextWarning } from "./context-warning.js";
import type { GateResult } from "./gate.js";
import type { Claims, Ending, IterationMode, JournalBody, RestClass, TaskIdentity } from "./journal-event.js";
import type { Leftovers } from "./kept-process.js";
import type { Usage } from "./usage.js";
import type { FinalStatus, IterationClass, StopReason } from "./words.js";

/** How far the current iteration got; decides where a restart enters. */
export type IterationPhase = "started" | "ended" | "judged" | "committed";

export interface OpenIteration {
  number: number;
  /** Who makes it. */
  agent: string;
  mode: IterationMode;
  task: string | null;
  head: string | null;
  tree: string;
  startedAtMs: number;
  phase: IterationPhase;
  ending: Ending | null;
  usage: Usage | null;
  claims: Claims;
  finalText: string | null;
  signs: SignDraft[];
  warned: ContextWarning | null;
  leftovers: Leftovers | null;
  judged: Extract<JournalBody, { type: "iteration.judged" }> | null;
  commit: string | null;
  /** Ticks of the agent; null until they were taken from the plan. */
  ticked: string[] | null;
  unticked: string[];
  /** Facts of this iteration for the next prompt and the brakes. */
  restoredFrozen: number;
  restoredCompared: number;
  proved: string[];
  /** Ticks that no gate could refuse. */
  accepted: string[];
  /** Its claim that the whole run is finished was checked and refused; once, however often it was checked. */
  refused: boolean;
  /** Feedback that this iteration was given. */
  carried: Feedback[];
}

/** One finished iteration, for brakes, status and report. */
export interface IterationRecord {
  number: number;
  agent: string;
  mode: IterationMode;
  task: string | null;
  class: IterationClass;
  ending: Ending;
  /** What its agent was told of its filling context, and how. */
  warned: ContextWarning | null;
  /** What its agent left running; null where nobody could count. */
  leftovers: Leftovers | null;
  usage: Usage;
  files: number;
  commit: string | null;
  proved: string[];
  activeMs: number;
  endedAt: string;
}

/** What the next prompt must tell the agent. */
export type Feedback =
  | { kind: "gate"; name: string; reason: string; detail: string | null; outputPath: string | null }
  | { kind: "unticked"; task: string; why: string }
  | { kind: "restored"; path: string; why: string }
  | { kind: "plan"; what: string }
  | { kind: "hook"; output: string; outputPath: string | null }
  | { kind: "nearMiss"; line: string }
  /** `again`: shown for the second and last time. */
  | { kind: "note"; text: string; again?: true }
  | { kind: "excluded"; path: string; reason: string }
  | { kind: "ending"; text: string };

export interface RestoredPath {
  iteration: number;
  path: string;
  rule: "frozen" | "compared" | "plan";
  why: string;
  keptAs: string | null;
}

/** Why an agent is not asked, and until when; null: until a person says so. */
export interface Rest {
  class: RestClass;
  untilMs: number | null;
  why: string;
}

export interface RunState {
  run: string;
  startedAt: string;
  started: Extract<JournalBody, { type: "run.started" }>;
  /** Null while the run goes on. */
  stopped: { status: FinalStatus; reason: StopReason; verified: boolean; summary: string; evidence: string[]; at: string } | null;
  /** Last iteration number that was started. */
  iteration: number;
  /** Iterations that count against the limit: not those that ended in a limit, a broken login or infrastructure. */
  spent: number;
  open: OpenIteration | null;
  /** Newest last; bounded to the last 200, totals are kept apart. */
  records: IterationRecord[];
  usage: Usage;
  /** Finished iterations and reviews whose tokens or cost nobody reported. */
  unknownTokens: number;
  unknownCost: number;
  /** Sum over the iterations; `uncounted` of them nobody could look at. */
  leftovers: Leftovers & { uncounted: number };
  activeMs: number;
  waitedMs: number;
  /** Extra allowance granted by people. */
  granted: { iterations: number; tokens: number; costMicroUsd: number; timeMs: number };
  tasks: TaskIdentity[];
  proved: Record<string, { iteration: number; gates: string[]; changed: boolean; commit: string | null }>;
  parked: Record<string, string>;
  /** Latest verdict by gate name, and the baseline's. */
  gates: Record<string, GateResult & { moment: string }>;
  baseline: Record<string, GateResult>;
  watch: WatchState;
  brakes: Counters;
  hit: BrakeHit | null;
  /** `plannedMs`: how long it was meant to be when it began. */
  waiting: { untilMs: number; plannedMs: number; why: string } | null;
  /** Who makes the next iteration; the label of one of the configured agents. */
  agent: string;
  /** By agent. What lies in the past is over. */
  resting: Record<string, Rest>;
  switches: (Omit<Extract<JournalBody, { type: "agent.switched" }>, "type"> & { iteration: number; at: string })[];
  paused: boolean;
  /** Ids of the requests of the inbox that were taken, the newest last; bounded like records. */
  requests: string[];
  stopRequested: { by: string; now: boolean } | null;
  feedback: Feedback[];
  restored: RestoredPath[];
  lastCommit: string | null;
  /** Tree of `lastCommit`; what the next iteration starts on unless someone moved it. */
  lastTree: string;
  commits: number;
  signs: { trigger: string; path: string; iteration: number }[];
  /** Never part of a candidate: dirty at the start, or left behind by gates. */
  untouched: string[];
  excluded: { path: string; reason: string }[];
  saved: { ref: string; commit: string; why: string }[];
  warnings: string[];
  proof: { commit: string | null; by: "tasks" | "marker" | "gates"; gates: string[]; clean: boolean } | null;
  /** Commit on which the last run-level claim was refused. */
  refusedCommit: string | null | undefined;
  /** Iteration after which the wait was already served. */
  waitedAfter: number;
  stepBackUsed: boolean;
}

/** The same command goes on with the run: it has no final status, a person stopped it, or the disk did, which says nothing about the work. */
export function canContinue({ stopped }: Pick<RunState, "stopped">): boolean {
  return stopped === null || stopped.status === "stopped" || stopped.reason === "disk";
}
