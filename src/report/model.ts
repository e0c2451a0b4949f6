/** From the folded journal to the report as data. Pure; every form of the report is made of this and of nothing else. */
import { provedTasks } from "../core/proved-tasks.js";
import type { RunState } from "../core/run-state.js";
import { countedTokens, microToUsd } from "../core/usage.js";
import { ADVICE, nextSteps } from "./advice.js";
import type { ReportContext } from "./context.js";
import { block, line } from "./clean-text.js";
import { gateModels, iterationModels, taskModels, taskText } from "./model-evidence.js";
import type { ReportModel } from "./model-schema.js";

export function reportModel(state: RunState, context: ReportContext): ReportModel {
  return {
    version: 1,
    run: state.run,
    verdict: verdict(state),
    next: nextSteps(state, context.branch).map(line),
    questions: questions(state, context),
    facts: facts(state, context),
    usage: {
      inputTokens: state.usage.inputTokens,
      cachedInputTokens: state.usage.cachedInputTokens,
      outputTokens: state.usage.outputTokens,
      countedTokens: countedTokens(state.usage),
      costUsd: microToUsd(state.usage.costMicroUsd),
      unknownTokens: state.unknownTokens,
      unknownCost: state.unknownCost,
    },
    perFinishedTask: perFinishedTask(state),
    tasks: taskModels(state, context),
    gates: gateModels(state),
    iterations: iterationModels(state, context),
    earlierIterations: Math.max(0, finished(state) - state.records.length),
    openIteration: state.open === null ? null : { number: state.open.number, phase: state.open.phase },
    ...changes(state),
    runFolder: context.runFolder ?? null,
    lastWords: context.finalText ? block(context.finalText) : null,
  };
}

function verdict(state: RunState): ReportModel["verdict"] {
  const { stopped, proof, waiting } = state;
  const wait = waiting === null || stopped !== null ? null : { until: new Date(waiting.untilMs).toISOString(), why: line(waiting.why) };
  if (stopped === null) {
    const status = state.paused ? "paused" : waiting === null ? "running" : "waiting";
    return {
      status,
      headline: status === "running" ? "not finished" : status,
      reason: null,
      meaning: null,
      verified: null,
      summary: "",
      proved: null,
      waiting: wait,
      evidence: [],
    };
  }
  const { status, reason, verified } = stopped;
  return {
    status,
    headline: status !== "done" ? status : verified ? "done, verified" : "done, NOT verified",
    reason,
    meaning: ADVICE[reason].meaning,
    verified,
    summary: line(stopped.summary),
    proved: verified && proof !== null ? { commit: proof.commit, clean: proof.clean } : null,
    waiting: wait,
    evidence: status === "done" ? [] : stopEvidence(state, stopped),
  };
}

function stopEvidence({ hit }: RunState, stopped: NonNullable<RunState["stopped"]>): string[] {
  if (hit === null) return stopped.evidence.map(line);
  const told = new Set([...stopped.evidence, stopped.summary]);
  const more = [hit.summary, `signature: ${hit.signature}`, ...hit.lastActions.map((action) => `last action: ${action}`), hit.advice];
  return [...stopped.evidence, ...more.filter((text) => !told.has(text))].map(line);
}

function questions(state: RunState, context: ReportContext): ReportModel["questions"] {
  const parked = Object.entries(state.parked).map(([id, question]) => ({ kind: "parked" as const, task: taskText(state, id), question: line(question) }));
  const manual = (context.tasks ?? []).filter((task) => task.state === "manual");
  return [...parked, ...manual.map((task) => ({ kind: "manual" as const, task: line(task.text), question: "only a person can do this." }))];
}

function finished(state: RunState): number {
  return state.iteration - (state.open === null ? 0 : 1);
}

function facts(state: RunState, context: ReportContext): ReportModel["facts"] {
  const { started, stopped } = state;
  return {
    startedAt: state.startedAt,
    endedAt: stopped?.at ?? null,
    reportedAt: new Date(context.nowMs).toISOString(),
    activeMs: state.activeMs,
    waitedMs: state.waitedMs,
    iterations: state.iteration,
    finished: finished(state),
    counted: state.spent,
    commits: state.commits,
    branch: context.branch,
    lastCommit: state.lastCommit,
    agent: line(started.agent),
    fallback: (started.fallback ?? []).map(line),
    plan: started.plan,
    objective: started.objective === null ? null : line(started.objective),
    protection: context.isolation,
    reachable: started.reachable ?? null,
    leftovers: state.leftovers,
    root: context.root,
  };
}

/** Waste counts: what failed on the way was paid for the tasks that came out. A box that nothing proved is not finished. */
function perFinishedTask(state: RunState): ReportModel["perFinishedTask"] {
  const tasks = provedTasks(state);
  if (tasks === 0) return null;
  const total = state.usage.costMicroUsd;
  return { tasks, costUsd: microToUsd(total === null ? null : Math.round(total / tasks)), activeMs: Math.round(state.activeMs / tasks) };
}

const RULES = { frozen: "frozen", compared: "protected", plan: "plan" } as const;

function changes(state: RunState): Pick<ReportModel, "switches" | "restored" | "excluded" | "leftBehind" | "saved" | "signs" | "warnings"> {
  return {
    switches: state.switches.map(({ at, iteration, from, to, class: kind, untilMs, why }) => ({
      at,
      iteration,
      from: line(from),
      to: line(to),
      class: kind,
      until: untilMs === null ? null : new Date(untilMs).toISOString(),
      why: line(why),
    })),
    restored: state.restored.map(({ iteration, path, rule, why, keptAs }) => ({ iteration, path: line(path), rule: RULES[rule], why: line(why), keptAs })),
    excluded: state.excluded.map(({ path, reason }) => ({ path: line(path), reason: line(reason) })),
    leftBehind: state.untouched.map(line),
    saved: state.saved.map(({ ref, commit, why }) => ({ ref, commit, why: line(why) })),
    signs: state.signs.map(({ path, iteration, trigger }) => ({ path, iteration, trigger: line(trigger) })),
    warnings: state.warnings.map(line),
  };
}
