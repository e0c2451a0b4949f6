/** Where the newest run stands, from its journal and its plan: also with a dead driver, and without disturbing a live one. */
import { restingNow } from "../core/resting.js";
import type { RunState } from "../core/run-state.js";
import { microToUsd } from "../core/usage.js";
import type { RunStatus, TaskCounts } from "../core/words.js";
import type { JournalProblem } from "../journal/read.js";
import type { PlanTask } from "./context.js";
import { livePid, newestRun } from "./newest-run.js";
import type { StatusJson } from "./status-schema.js";

export interface StatusQuery {
  truthDir: string;
  /** The plan's tasks as they stand now; null when it can't be read. Asked only for a run with a plan. */
  planTasks(path: string, parked: ReadonlySet<string>): Promise<PlanTask[] | null>;
}

/** `state` is null when nothing has run here yet. */
export type StatusReading = { kind: "status"; status: StatusJson; state: RunState | null } | { kind: "damaged"; run: string; problem: JournalProblem };

const NO_RUN: StatusJson = {
  run: null,
  status: null,
  reason: null,
  verified: null,
  iteration: null,
  tasks: { open: null, done: null, manual: null, blocked: null, other: null },
  usage: { inputTokens: null, cachedInputTokens: null, outputTokens: null, costUsd: null },
  activeMs: null,
  branch: null,
  lastCommit: null,
  gates: [],
  pid: null,
  agent: null,
  resting: [],
};

export async function statusOf({ truthDir, planTasks }: StatusQuery): Promise<StatusReading> {
  const newest = newestRun(truthDir);
  if (newest.kind === "damaged") return newest;
  if (newest.kind === "none") return { kind: "status", status: NO_RUN, state: null };
  const { run, state } = newest;
  const pid = livePid(truthDir);
  if (state === null) return { kind: "status", status: { ...NO_RUN, run, pid }, state };
  const { plan } = state.started;
  const tasks = plan === null ? null : await planTasks(plan, new Set(Object.keys(state.parked)));
  return { kind: "status", status: statusJson(state, pid, tasks), state };
}

function statusJson(state: RunState, pid: number | null, tasks: PlanTask[] | null): StatusJson {
  const { started, stopped, usage } = state;
  return {
    run: state.run,
    status: stopped?.status ?? goingOn(state, pid),
    reason: stopped?.reason ?? (isPaused(state) ? "paused" : null),
    verified: stopped?.verified ?? null,
    iteration: state.iteration,
    tasks: tasks === null ? NO_RUN.tasks : countTasks(tasks),
    usage: {
      inputTokens: usage.inputTokens,
      cachedInputTokens: usage.cachedInputTokens,
      outputTokens: usage.outputTokens,
      costUsd: microToUsd(usage.costMicroUsd),
    },
    activeMs: state.activeMs,
    branch: started.branch,
    lastCommit: state.lastCommit,
    gates: gates(state),
    pid,
    agent: state.open?.agent ?? state.agent,
    resting: restingNow(state, Date.now()).map(([agent, { class: kind, untilMs, why }]) => ({
      agent,
      class: kind,
      until: untilMs === null ? null : new Date(untilMs).toISOString(),
      why,
    })),
  };
}

/** A record without an end is only believed to go on while its owner lives. */
function goingOn(state: RunState, pid: number | null): RunStatus {
  if (pid === null) return "interrupted";
  return state.waiting !== null || isPaused(state) ? "waiting" : "running";
}

/** A pause begins when the running iteration is over. */
function isPaused({ paused, open, stopped }: RunState): boolean {
  return paused && open === null && stopped === null;
}

/** Required gates that have not run yet are named as well: a missing verdict is not a pass. */
function gates(state: RunState): StatusJson["gates"] {
  const names = [...new Set([...state.started.requiredGates, ...Object.keys(state.gates)])];
  return names.map((name) => ({ name, verdict: state.gates[name]?.verdict ?? null, reason: state.gates[name]?.reason ?? null }));
}

function countTasks(tasks: readonly PlanTask[]): TaskCounts {
  const counts: TaskCounts = { open: 0, done: 0, manual: 0, blocked: 0, other: 0 };
  for (const task of tasks) counts[task.state] += 1;
  return counts;
}
