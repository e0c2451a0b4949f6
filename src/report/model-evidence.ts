/** The evidence in the report's data: what proves each task, what the gates said, what each iteration did and cost. */
import type { GateResult } from "../core/gate.js";
import type { IterationRecord, RunState } from "../core/run-state.js";
import { countedTokens, microToUsd, mergeUsage, UNKNOWN_USAGE } from "../core/usage.js";
import { line } from "./clean-text.js";
import type { FileChange, PlanTask, ReportContext } from "./context.js";
import type { ReportGate, ReportIteration, ReportTask } from "./model-schema.js";

export function taskText(state: RunState, id: string): string {
  return line(state.tasks.find((task) => task.id === id)?.text ?? id);
}

/** Without a readable plan the journal still knows what was proved and what was parked. */
function tasksOf(state: RunState, context: ReportContext): readonly PlanTask[] {
  return (
    context.tasks ??
    state.tasks.map(({ id, text }) => ({ id, text, state: state.proved[id] !== undefined ? "done" : state.parked[id] !== undefined ? "blocked" : "open" }))
  );
}

export function taskModels(state: RunState, context: ReportContext): ReportTask[] {
  return tasksOf(state, context).map(({ id, text, state: word }) => {
    const records = state.records.filter((record) => record.task === id);
    return { id, text: line(text), state: word, proof: proofOf(state, context, id), attempts: records.length, spent: spentOn(records) };
  });
}

function proofOf(state: RunState, context: ReportContext, id: string): ReportTask["proof"] {
  const proof = state.proved[id];
  if (proof === undefined) return null;
  const record = state.records.find(({ number }) => number === proof.iteration);
  const files = context.diffs?.[proof.iteration];
  return {
    iteration: proof.iteration,
    gates: proof.gates.map(line),
    changed: proof.changed,
    commit: proof.commit,
    fileCount: files?.length ?? record?.files ?? null,
    files: files?.map((file) => ({ ...file, path: line(file.path) })) ?? null,
  };
}

function spentOn(records: readonly IterationRecord[]): ReportTask["spent"] {
  if (records.length === 0) return null;
  const usage = records.map((record) => record.usage).reduce(mergeUsage, UNKNOWN_USAGE);
  // One iteration of unknown cost makes the sum unknown: a part would pass for the whole.
  const costs = records.every((record) => record.usage.costMicroUsd !== null);
  const tokens = records.every((record) => countedTokens(record.usage) !== null);
  return {
    countedTokens: tokens ? countedTokens(usage) : null,
    costUsd: costs ? microToUsd(usage.costMicroUsd) : null,
    activeMs: records.reduce((sum, record) => sum + record.activeMs, 0),
  };
}

export function gateModels(state: RunState): ReportGate[] {
  const names = [...new Set([...state.started.requiredGates, ...Object.keys(state.baseline), ...Object.keys(state.gates)])];
  return names.map((name) => {
    const latest = state.gates[name];
    const baseline = state.baseline[name];
    return {
      name: line(name),
      required: latest?.required ?? state.started.requiredGates.includes(name),
      verdict: word(latest),
      flaky: latest?.flaky ?? false,
      reason: line(latest?.reason ?? ""),
      testsRun: latest?.testsRun ?? null,
      baseline: word(baseline),
      baselineFlaky: baseline?.flaky ?? false,
    };
  });
}

function word(result: GateResult | undefined): ReportGate["verdict"] {
  return result?.verdict ?? "not run";
}

export function iterationModels(state: RunState, context: ReportContext): ReportIteration[] {
  const open = openAfter(state, context);
  return state.records.map((record) => ({
    number: record.number,
    agent: line(record.agent),
    mode: record.mode,
    task: record.task === null ? null : taskText(state, record.task),
    class: record.class,
    commit: record.commit,
    fileCount: record.files,
    ...sizes(context.diffs?.[record.number]),
    countedTokens: countedTokens(record.usage),
    costUsd: microToUsd(record.usage.costMicroUsd),
    activeMs: record.activeMs,
    endedAt: record.endedAt,
    warned: record.warned,
    leftovers: record.leftovers,
    openTasks: open(record.number),
  }));
}

function sizes(files: readonly FileChange[] | undefined): { added: number | null; removed: number | null } {
  // Binary files have no lines: nothing but those is no zero.
  if (files === undefined || (files.length > 0 && files.every((file) => file.added === null))) return { added: null, removed: null };
  const sum = (key: "added" | "removed"): number => files.reduce((total, file) => total + (file[key] ?? 0), 0);
  return { added: sum("added"), removed: sum("removed") };
}

/** Tasks that were not done after an iteration, parked and manual ones included: the work that is left. */
function openAfter(state: RunState, context: ReportContext): (iteration: number) => number | null {
  const tasks = tasksOf(state, context);
  if (tasks.length === 0) return () => null;
  const todo = tasks.filter((task) => task.state !== "done" || state.proved[task.id] !== undefined);
  return (iteration) => todo.filter((task) => !(task.state === "done" && (state.proved[task.id]?.iteration ?? Infinity) <= iteration)).length;
}
