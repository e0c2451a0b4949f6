/** Where the newest run stands, from its journal alone: also with a dead driver, and without disturbing a live one. */
import { z } from "zod";
import { restingNow } from "../core/fallback.js";
import { foldAll } from "../core/fold.js";
import type { RunState } from "../core/run-state.js";
import { microToUsd } from "../core/usage.js";
import { STOP_REASONS, type FinalStatus, type RunStatus } from "../core/words.js";
import { type JournalProblem, readJournal } from "../journal/read.js";
import { latestRun } from "../journal/run-store.js";
import { restClass, stopReason } from "../journal/schema-parts.js";
import { readLock } from "../workspace/lock.js";
import { countTasks, readPlanTasks } from "./plan-tasks.js";

const unknownCount = z.number().nullable();
const RUN_STATUSES: RunStatus[] = [...(Object.keys(STOP_REASONS) as FinalStatus[]), "running", "waiting", "interrupted"];

/** What `ralphd status --json` prints; what is unknown is null. */
export const statusSchema = z.object({
  run: z.string().nullable(),
  status: z.enum(RUN_STATUSES).nullable(),
  /** Why it stopped; `paused` while a person holds it. */
  reason: z.union([stopReason, z.literal("paused")]).nullable(),
  verified: z.boolean().nullable(),
  iteration: unknownCount,
  tasks: z.object({ open: unknownCount, done: unknownCount, manual: unknownCount, blocked: unknownCount, other: unknownCount }),
  usage: z.object({ inputTokens: unknownCount, cachedInputTokens: unknownCount, outputTokens: unknownCount, costUsd: unknownCount }),
  activeMs: unknownCount,
  branch: z.string().nullable(),
  lastCommit: z.string().nullable(),
  gates: z.array(z.object({ name: z.string(), verdict: z.enum(["pass", "fail"]).nullable(), reason: z.string().nullable() })),
  pid: unknownCount,
  /** Who makes the open or the next iteration. */
  agent: z.string().nullable(),
  /** Who is not asked at present; `until` is null where only a person can help. */
  resting: z.array(z.object({ agent: z.string(), class: restClass, until: z.string().nullable(), why: z.string() })),
});
export type StatusJson = z.infer<typeof statusSchema>;

export interface StatusQuery {
  /** Of the working tree. */
  root: string;
  truthDir: string;
  /** Headings of the plan whose tasks count; null means all. */
  sections?: string[] | null;
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

export function statusOf(query: StatusQuery): StatusReading {
  const store = latestRun(query.truthDir);
  if (store === null) return { kind: "status", status: NO_RUN, state: null };
  const { events, problem } = readJournal(store.journalPath, store.run);
  if (problem !== null) return { kind: "damaged", run: store.run, problem };
  const state = foldAll(events);
  if (state === null) return { kind: "status", status: { ...NO_RUN, run: store.run, pid: livePid(query.truthDir) }, state };
  return { kind: "status", status: statusJson(state, query), state };
}

/** Process id of the driver that works in this working tree now; null when there is none. A driver works on the newest run. */
export function livePid(truthDir: string): number | null {
  const lock = readLock(truthDir);
  return lock.kind === "held" ? lock.owner.pid : null;
}

function statusJson(state: RunState, query: StatusQuery): StatusJson {
  const { started, stopped, usage } = state;
  const pid = livePid(query.truthDir);
  const parked = new Set(Object.keys(state.parked));
  const tasks = readPlanTasks({ root: query.root, path: started.plan, sections: query.sections ?? null, parked });
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
