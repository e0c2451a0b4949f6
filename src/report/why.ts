/** Why a run stopped: the rule, what it saw, its thresholds, and what would have let the run go on. From journal and settings alone. */
import { plainDuration } from "../config/show.js";
import { MAX_COMPARED_STREAK, MAX_FROZEN_TOUCHES, MAX_INFRASTRUCTURE, MAX_QUICK_EXITS } from "../core/defaults.js";
import type { BrakeHit } from "../core/brakes/types.js";
import type { RunState } from "../core/run-state.js";
import type { Settings } from "../core/settings.js";
import { countedTokens } from "../core/usage.js";
import type { FinalStatus, StopReason } from "../core/words.js";
import { ADVICE, nextSteps } from "./advice.js";
import { count, duration, money } from "./format.js";

export interface Explanation {
  run: string;
  status: FinalStatus;
  reason: StopReason;
  /** What the rule means. */
  rule: string;
  summary: string;
  evidence: string[];
  /** Empty when the settings of the run are lost. */
  thresholds: string[];
  /** What would have changed it. */
  otherwise: string[];
  next: string[];
}

/** null while the run has no final status. */
export function explain(state: RunState, settings: Settings | null): Explanation | null {
  const { stopped } = state;
  if (stopped === null) return null;
  const rule = RULES[stopped.reason];
  return {
    run: state.run,
    status: stopped.status,
    reason: stopped.reason,
    rule: ADVICE[stopped.reason].meaning,
    summary: stopped.summary,
    evidence: [...stopped.evidence, ...lastActions(state.hit, stopped.evidence)],
    thresholds: settings === null ? [] : (rule.thresholds?.(settings, state) ?? []),
    otherwise: rule.otherwise,
    next: nextSteps(state, state.started.branch),
  };
}

function lastActions(hit: BrakeHit | null, evidence: readonly string[]): string[] {
  if (hit === null) return [];
  return hit.lastActions.map((action) => `last action: ${action}`).filter((line) => !evidence.includes(line));
}

interface Rule {
  thresholds?(settings: Settings, state: RunState): string[];
  otherwise: string[];
}

const used = (what: string, now: string, limit: string): string => `${what}: ${now} of ${limit}`;
const spentIn = (key: "inputTokens" | "costMicroUsd", state: RunState): string =>
  key === "costMicroUsd" ? money(state.usage.costMicroUsd) : count(countedTokens(state.usage));

const RULES: Readonly<Record<StopReason, Rule>> = {
  all_tasks_checked: { otherwise: ["An open task in the plan, or a required gate that fails on the final commit."] },
  marker: { otherwise: ["A required gate that fails on the final commit, or an open task in the plan."] },
  iterations: {
    thresholds: ({ limits }, state) => [
      used("iterations", count(state.spent), limits.iterations === null ? "unlimited" : count(limits.iterations + state.granted.iterations)),
    ],
    otherwise: [
      "A higher --max-iterations, or `ralphd budget --add-iterations N` while it ran. Iterations that ended in a limit, a broken login or trouble outside the work do not count.",
    ],
  },
  tokens: {
    thresholds: ({ limits }, state) => [
      used(
        "tokens (uncached input plus output)",
        spentIn("inputTokens", state),
        limits.tokens === null ? "unlimited" : count(limits.tokens + state.granted.tokens),
      ),
    ],
    otherwise: ["A higher --max-tokens, or `ralphd budget --add-tokens N` while it ran. A tenth is kept for the wrap-up."],
  },
  cost: {
    thresholds: ({ limits }, state) => [
      used("cost", spentIn("costMicroUsd", state), limits.costMicroUsd === null ? "unlimited" : money(limits.costMicroUsd + state.granted.costMicroUsd)),
    ],
    otherwise: ["A higher --max-cost, or `ralphd budget --add-cost USD` while it ran. A tenth is kept for the wrap-up."],
  },
  time: {
    thresholds: ({ limits }, state) => [
      used("active time", duration(state.activeMs), duration(limits.timeMs + state.granted.timeMs)),
      used("waiting for limits", duration(state.waitedMs), duration(limits.limitWaitMs)),
    ],
    otherwise: [
      "A higher --max-time, `ralphd budget --add-time 2h` while it ran, or limits.limitWait for long waits. Pauses and waits do not count as active.",
    ],
  },
  gutter_command: {
    thresholds: ({ brakes }) => [`brakes.gutterCommand: ${brakes.gutterCommand.count} failures, counted by ${brakes.gutterCommand.match}`],
    otherwise: [
      "A success of the command, another outcome, or a finished task in between.",
      "`onStuck: park` would have parked the task and gone on with the next.",
    ],
  },
  gutter_thrash: {
    thresholds: ({ brakes: { gutterThrash } }) => [
      `brakes.gutterThrash: ${gutterThrash.count} writes within ${plainDuration(gutterThrash.windowMs)}, counted by ${gutterThrash.match}`,
    ],
    otherwise: ["Writes to other lines or with new content.", "`onStuck: park` would have parked the task and gone on with the next."],
  },
  gutter_signal: {
    otherwise: [
      "The agent asked for a person by itself; a clearer task or an answer in the plan.",
      "`onStuck: park` would have parked the task and gone on with the next.",
    ],
  },
  no_progress: {
    thresholds: ({ brakes }) => [`brakes.noProgress: ${brakes.noProgress} iterations`, `brakes.repeats: ${brakes.repeats} repeats of one action`],
    otherwise: [
      "A new tree outside of plan and .ralph, a proved task, or fewer failing checks in one of these iterations.",
      "`stepBack: true` would have spent one iteration on a diagnosis first.",
    ],
  },
  oscillation: {
    thresholds: ({ brakes }) => [`brakes.oscillation: ${brakes.oscillation} returns to an earlier tree`],
    otherwise: ["A tree that had not been there before."],
  },
  disagreement: {
    thresholds: ({ brakes }) => [`brakes.disagreement: ${brakes.disagreement} refused claims`],
    otherwise: ["Gates that pass when the agent claims the end, or no claim before they do."],
  },
  tampering: {
    thresholds: () => [`frozen paths: touched ${MAX_FROZEN_TOUCHES} times`, `compared paths: in ${MAX_COMPARED_STREAK} iterations in a row`],
    otherwise: ["Leaving those paths alone, or a task that declares them with `<!-- edits: glob -->` when the run starts."],
  },
  needs_human: { otherwise: ["An open task that an agent may do: answered questions, ticked manual tasks."] },
  low_confidence: { otherwise: ["Votes that agree more, or a rubric whose questions can be answered from what the judge is shown."] },
  plan_lost: { otherwise: ["A plan that is there and can be read."] },
  unverified: { otherwise: ["A gate that could have refused the claim, or a run without --require-gate."] },
  hidden_gate: { otherwise: ["Work that passes what the agent could not see."] },
  human: { otherwise: ["Nobody asking for the end. `ralphd run` goes on with the same run."] },
  cannot_start_agent: {
    thresholds: () => [`ended at once: ${MAX_QUICK_EXITS} times in a row`, `failed outside the work: ${MAX_INFRASTRUCTURE} times in a row`],
    otherwise: ["One iteration in which the agent came to work."],
  },
  auth: { otherwise: ["A valid login of the agent; it is not tried again, since that locks accounts."] },
  config: { otherwise: ["Settings that can be used."] },
  disk: { otherwise: ["A disk that takes the journal's writes: what can't be journaled is not done."] },
  internal: { otherwise: ["A ralphd without this fault; its stack trace was printed when it ended."] },
};
