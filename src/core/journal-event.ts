/** The facts of a run, in the order they became true. Public format: `state/README.md`. Readers skip unknown types. */
import type { AgentExit } from "./agent-event.js";
import type { BrakeHit, SignDraft } from "./brakes/types.js";
import type { WatchState } from "./brakes/watch.js";
import type { ContextWarning } from "./context-warning.js";
import type { GateResult } from "./gate.js";
import type { Leftovers } from "./kept-process.js";
import type { Usage } from "./usage.js";
import type { FinalStatus, IterationClass, StopReason } from "./words.js";

export const JOURNAL_VERSION = 1;

export type IterationMode = "work" | "wrapUp" | "stepBack";

/** A task as it stood at the start of the run; the identity that the agent cannot change. */
export interface TaskIdentity {
  id: string;
  text: string;
  gates: string[];
  edits: string[];
}

/** What the agent asked for with words or boxes; a claim only asks for verification. */
export interface Claims {
  complete: boolean;
  gutter: boolean;
  blocked: string | null;
  wait: string | null;
  /** A line that nearly is a marker, to be named in the next prompt. */
  nearMiss: string | null;
  /** Task ids ticked in this iteration. */
  ticked: string[];
}

export const NO_CLAIMS: Claims = {
  complete: false,
  gutter: false,
  blocked: null,
  wait: null,
  nearMiss: null,
  ticked: [],
};

/** How the agent's process and session ended, seen by the driver. */
export interface Ending {
  exit: AgentExit;
  /** The last `finished` event's word; null when there was none. */
  finishedOk: boolean | null;
  /** First fatal error that the agent reported about itself. */
  error: { kind: string; message: string } | null;
  limit: { kind: string; resumeAtMs: number | null; message: string } | null;
  toolCalls: number;
  outputBytes: number;
  durationMs: number;
}

/** Why an agent rests while others go on. */
export const REST_CLASSES = ["throttle", "overload", "account", "credit", "auth", "model", "start", "infrastructure"] as const;
export type RestClass = (typeof REST_CLASSES)[number];

export type JournalBody =
  | {
      type: "run.started";
      journalVersion: number;
      plan: string | null;
      objective: string | null;
      agent: string;
      branch: string | null;
      /** The branch that was checked out when the run branch was made, which is to take it in; absent where that is unknown. */
      from?: string | undefined;
      /** Commit and tree before the run; null on an unborn branch. */
      baseHead: string | null;
      baseTree: string;
      /** Id of the base tree without plan and `.ralph`. */
      workTree: string;
      tasks: TaskIdentity[];
      requiredGates: string[];
      level: number;
      sandbox: boolean;
      /** Hosts that agents could reach; absent where the network was open. */
      reachable?: string[] | undefined;
      /** Dirty when the run started (`--allow-dirty`): never part of a candidate. */
      untouched: string[];
      /** Agents that go on while `agent` waits, in their order. Absent in the journals of older versions. */
      fallback?: string[] | undefined;
    }
  /** The same run, continued by a new process: */
  | { type: "run.resumed"; pid: number }
  | {
      type: "iteration.started";
      mode: IterationMode;
      task: string | null;
      /** Commit and candidate tree the agent starts on. */
      head: string | null;
      tree: string;
      /** Spent iterations including this one, against the limit. */
      spent: number;
      /** Who makes it. Absent in the journals of older versions, which had one agent. */
      agent?: string | undefined;
    }
  | {
      type: "agent.ended";
      ending: Ending;
      usage: Usage;
      claims: Claims;
      watch: WatchState;
      /** Lessons that the brakes drafted; written after the agent is gone. */
      signs: SignDraft[];
      /** The last assistant message, bounded. */
      finalText: string | null;
      /** That its context filled up; absent when it did not. */
      warned?: ContextWarning | undefined;
      /** What it left running; absent where nobody could count, and in the journals of older versions. */
      leftovers?: Leftovers | undefined;
    }
  /** What the agent changed in the plan, before the driver changes anything in it. */
  | { type: "claims.taken"; ticked: string[] }
  | { type: "plan.restored"; what: string[]; frozen: boolean }
  /** What someone changed in plan and guardrails while no agent ran: taken up, or put back and kept as `keptAs` below the run's folder. */
  | { type: "plan.edited"; what: string[]; keptAs: string | null }
  | { type: "path.restored"; path: string; rule: "frozen" | "compared"; why: string; keptAs: string | null }
  | { type: "task.unticked"; task: string; gate: string; why: string }
  | { type: "task.proved"; task: string; gates: string[] }
  /** A tick that no gate could refuse; `changed`: the iteration changed files outside plan and `.ralph`. */
  | { type: "task.accepted"; task: string; changed: boolean }
  | { type: "task.added"; task: TaskIdentity }
  | { type: "task.parked"; task: string; question: string }
  /** `moment`: why the gate ran. `task`: whose tick it judges. */
  | ({ type: "gate.verdict"; moment: "baseline" | "claim" | "iteration" | "proof" | "hidden"; task: string | null } & GateResult)
  /** The durable intent behind a commit: a restart completes or recognises it. */
  | { type: "iteration.judged"; class: IterationClass; tree: string; parent: string | null; commit: boolean; betterGates?: boolean | undefined }
  | { type: "commit.created"; commit: string; tree: string; parent: string | null; files: number }
  | { type: "commit.refused"; output: string; outputPath?: string | undefined }
  /** Someone other than the driver moved HEAD or the tree between or during iterations. */
  | { type: "repo.moved"; what: string }
  | { type: "work.saved"; ref: string; commit: string; why: string }
  | { type: "tree.excluded"; paths: { path: string; reason: string }[] }
  | { type: "gate.sideEffects"; paths: string[] }
  | {
      type: "iteration.ended";
      class: IterationClass;
      usage: Usage;
      /** Tree outside plan and `.ralph` differs from every earlier one. */
      newTree: boolean;
      /** Fewer failing checks than at the last gate run. */
      betterGates: boolean;
      /** Hash of the tree without plan and `.ralph`, for the oscillation rule. */
      workTree: string;
      files: number;
      activeMs: number;
    }
  | { type: "sign.drafted"; sign: SignDraft; path: string }
  | { type: "control.requested"; request: string; by: string; detail: string | null }
  /** A request of the inbox, in one write with what it asked for: whoever finds its file again only deletes it. */
  | { type: "request.taken"; id: string }
  | { type: "brake.hit"; hit: BrakeHit }
  | { type: "wait.started"; untilMs: number; why: string }
  /** The agent is not asked before `untilMs`; null: not before a person says so. */
  | { type: "agent.rests"; agent: string; class: RestClass; untilMs: number | null; why: string }
  /** Who makes the next iterations. `class`: why the other stepped back; `reset`: its time has passed; `person`: somebody wants it tried now. */
  | { type: "agent.switched"; from: string; to: string; class: RestClass | "reset" | "person"; untilMs: number | null; why: string }
  | { type: "note.added"; text: string; by: string }
  /** The iteration that was shown the note left progress.md as it was; the note is shown once more. */
  | { type: "note.unanswered"; text: string }
  | { type: "limits.raised"; iterations: number; tokens: number; costMicroUsd: number; timeMs: number; by: string }
  | { type: "run.paused"; by: string }
  | { type: "run.unpaused"; by: string }
  | { type: "wait.ended"; waitedMs: number }
  | { type: "warning"; message: string }
  /** Every required gate passed on this commit; `clean`: in a clean worktree of it. */
  | { type: "run.proved"; commit: string | null; gates: string[]; clean: boolean; by: "tasks" | "marker" | "gates" }
  /** A run-level claim that was checked and refused. */
  | { type: "run.refused"; commit: string | null; why: string; claimed: boolean }
  | { type: "run.stopped"; status: FinalStatus; reason: StopReason; verified: boolean; summary: string; evidence: string[] };

/** One line of `journal.jsonl`. `iteration` is 0 outside iterations. */
export type JournalEvent = JournalBody & { at: string; run: string; iteration: number };
