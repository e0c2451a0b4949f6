/** Which journal events are failures, and what a person needs to judge each. Pure; for errors.jsonl and `logs --errors`. */
import type { AgentEvent } from "../core/agent-event.js";
import type { JournalEvent } from "../core/journal-event.js";
import type { StopReason } from "../core/words.js";
import { ADVICE } from "./advice.js";
import { oneLine } from "./markdown-text.js";

export interface Failure {
  /** What kind of failure: the event's type, or `agent.error`, `agent.limit`, `tool.failed`. */
  kind: string;
  message: string;
  /** The brake or stop reason. */
  trigger?: StopReason;
  signature?: string;
  /** Newest last. */
  lastActions?: string[];
  evidence?: string[];
  /** What a person can do. */
  advice?: string[];
}

const MAX_EVIDENCE = 2_000;

/** Null for what is no failure. */
export function failureOf(event: JournalEvent): Failure | null {
  switch (event.type) {
    case "brake.hit": {
      const { reason, summary, signature, lastActions, advice } = event.hit;
      return { kind: event.type, message: summary, trigger: reason, signature, lastActions: lastActions.slice(-3), advice: [advice, ...ADVICE[reason].steps] };
    }
    case "run.stopped":
      if (event.status === "done" || event.status === "stopped") return null;
      return { kind: event.type, message: event.summary, trigger: event.reason, evidence: event.evidence, advice: [...ADVICE[event.reason].steps] };
    case "gate.verdict": {
      const { name, verdict, reason, detail, failing } = event;
      if (verdict === "pass") return null;
      const evidence = [...failing, ...(detail === null ? [] : [detail.slice(-MAX_EVIDENCE)])];
      // This list outlives the run, and the next agent can read it.
      if (event.moment === "hidden") return null;
      return { kind: event.type, message: `gate ${name} failed (${event.moment}): ${reason}`, evidence };
    }
    case "agent.ended": {
      const { error, limit, exit } = event.ending;
      if (error !== null) return { kind: event.type, message: `the agent reports ${error.kind}: ${error.message}` };
      if (limit !== null) return { kind: event.type, message: `limit (${limit.kind}): ${limit.message}` };
      if (exit.kind === "cannotStart") return { kind: event.type, message: `the agent can not be started: ${exit.message}` };
      if (exit.kind === "signalled") return { kind: event.type, message: `the agent was killed by ${exit.signal}` };
      if (exit.kind === "stopped" && exit.cause !== "settled") return { kind: event.type, message: `the agent was ended: ${exit.cause}` };
      return null;
    }
    default:
      return workFailure(event);
  }
}

function workFailure(event: JournalEvent): Failure | null {
  switch (event.type) {
    case "path.restored":
      return {
        kind: event.type,
        message: `${event.path} was restored (${event.rule}): ${event.why}`,
        evidence: event.keptAs === null ? [] : [`kept as ${event.keptAs}`],
      };
    case "plan.restored":
      return { kind: event.type, message: "the plan was restored", evidence: event.what };
    case "task.unticked":
      return { kind: event.type, message: `${event.task} was unticked by gate ${event.gate}: ${event.why}` };
    case "task.parked":
      return { kind: event.type, message: `${event.task} was parked: ${event.question}`, advice: ["Answer the question in the plan."] };
    case "commit.refused":
      return { kind: event.type, message: "the commit was refused by a hook, a signing program or git itself", evidence: [event.output.slice(-MAX_EVIDENCE)] };
    case "run.refused":
      return { kind: event.type, message: `the end of the run was refused: ${event.why}` };
    case "repo.moved":
      return { kind: event.type, message: event.what };
    case "warning":
      return { kind: event.type, message: event.message };
    default:
      return null;
  }
}

/** Failures that the agent itself meets; they matter when a brake counts them later. */
export function agentFailureOf(event: AgentEvent): Failure | null {
  switch (event.type) {
    case "error":
      return { kind: "agent.error", message: `${event.kind}${event.fatal ? "" : " (not fatal)"}: ${oneLine(event.message)}` };
    case "limit":
      return { kind: "agent.limit", message: `${event.kind}: ${oneLine(event.message)}` };
    case "toolResult":
      if (event.ok && (event.exitCode ?? 0) === 0) return null;
      return {
        kind: "tool.failed",
        message: event.denied === true ? "denied" : event.exitCode === null ? "failed" : `exit code ${event.exitCode}`,
        evidence: [oneLine(event.output.slice(-MAX_EVIDENCE), MAX_EVIDENCE)],
      };
    default:
      return null;
  }
}
