/**
 * Decides what of an agent's version of the plan stands. The agent may tick, add tasks and write notes; the tasks that
 * were there stay as they were. Its whole text stands where that holds; else the text from before the iteration, with
 * the agent's ticks and new tasks carried over. Whatever is made here is read again before it counts.
 */
import { certain } from "../certain.js";
import { type Comparison, compareTasks, type Matched, tickedNow, untickedNow } from "./compare.js";
import { restoreFrozenPart } from "./frozen-part.js";
import { type LocatedReading, type PlanOptions, readLocated } from "./located.js";
import { withoutTasks, withTasks } from "./rebuild.js";
import { isTicked, type Piece } from "./tasks.js";
import { setTicks } from "./tick.js";
import type { Plan, PlanProblem, Reconciliation } from "./types.js";

export interface ReconcileOptions extends PlanOptions {
  /** The plan as it stood when the iteration began. */
  before: string;
  /** What stands there now; null when the file is gone or unreadable. */
  after: string | null;
  /** Ids of the tasks that the agent may not remove or change. */
  fixed: ReadonlySet<string>;
  maxAdded: number;
}

type Located = Extract<LocatedReading, { kind: "plan" }>;

/** One side of the comparison: a text and its reading. */
interface Side extends Located {
  source: string;
}

export function reconcilePlan(options: ReconcileOptions): Reconciliation {
  const { before, after } = options;
  const old = readSide(before, options);
  if (after === before || old === null) return standing(before, []);
  if (after === null) return standing(before, ["The plan was gone or could not be read; it was put back as it stood before this iteration."]);
  if (old.plan.format === "prompt") return standing(before, ["The prompt is the run's objective and must not change; it was put back."]);
  const frozen = old.plan.format === "prd_json" ? { source: after, restored: [], touched: false } : restoreFrozenPart(before, after);
  const reading = readLocated(frozen.source, options);
  if (reading.kind === "invalid") {
    return { ...standing(before, [...frozen.restored, invalidSentence(reading.problems)]), frozenTouched: frozen.touched };
  }
  const now: Side = { ...reading, source: frozen.source };
  const result = settle(old, now, options);
  return {
    ...result,
    restored: [...frozen.restored, ...result.restored],
    frozenTouched: frozen.touched || result.frozenTouched,
  };
}

function readSide(source: string, options: PlanOptions): Side | null {
  const reading = readLocated(source, options);
  return reading.kind === "plan" ? { ...reading, source } : null;
}

function standing(source: string, restored: string[]): Reconciliation {
  return { source, restored, frozenTouched: false, ticked: [], unticked: [], added: [] };
}

function invalidSentence(problems: readonly PlanProblem[]): string {
  const places = problems.map(({ line, column, message }) => `line ${line}, column ${column}: ${message}`);
  return `The plan could not be read (${places.join("; ")}); it was put back as it stood before this iteration.`;
}

function settle(old: Side, now: Side, options: ReconcileOptions): Reconciliation {
  const comparison = compareTasks(old.pieces, now.pieces, options.fixed);
  const frozen = JSON.stringify(old.plan.impliedGates) !== JSON.stringify(now.plan.impliedGates);
  const faults = frozen ? ["The plan's own gates had been changed and were put back.", ...comparison.faults] : comparison.faults;
  const stands = faults.length === 0 ? keepAgentText(old, now, comparison, options) : null;
  if (stands === null && faults.length === 0) faults.push("Too many new tasks could not be cut out alone; the text of the plan was put back, with its ticks.");
  const kept = stands ?? carryOver(old, now, comparison, options);
  return { ...outcome(old, kept.side), restored: [...faults, ...kept.restored], frozenTouched: frozen };
}

interface Kept {
  side: Side;
  restored: string[];
}

/** The agent's text, less what is too much in it; null when that cannot be cut out cleanly. */
function keepAgentText(old: Side, now: Side, { added }: Comparison, options: ReconcileOptions): Kept | null {
  let side = now;
  const restored: string[] = [];
  const extra = added.slice(options.maxAdded);
  if (extra.length > 0) {
    const cut = readSide(withoutTasks(now.source, now.plan, now.pieces, extra), options);
    if (cut === null || !holdsAll(old, cut, added.slice(0, options.maxAdded), options)) return null;
    side = cut;
    restored.push(tooMany(extra, options.maxAdded));
  }
  const taken = manualTicks(old, side);
  if (taken.length > 0) side = withTicks(side, new Map(taken.map(({ before }) => [before.task.id, false])), options);
  return { side, restored: [...restored, ...taken.map(({ before }) => manualSentence(before))] };
}

/** The text from before, with the agent's ticks and as many of its new tasks as are allowed. */
function carryOver(old: Side, now: Side, { matched, added }: Comparison, options: ReconcileOptions): Kept {
  const changed = matched.filter((match) => tickedNow(match) || untickedNow(match));
  const isManual = ({ before }: Matched) => before.task.state === "manual";
  const restored = changed.filter(isManual).map(({ before }) => manualSentence(before));
  const free = changed.filter((match) => !isManual(match));
  const side = withTicks(old, new Map(free.map((match) => [match.before.task.id, tickedNow(match)])), options);
  const wanted = added.filter((piece) => piece.start >= 0).slice(0, options.maxAdded);
  const extra = added.filter((piece) => !wanted.includes(piece));
  if (extra.length > 0) restored.push(tooMany(extra, options.maxAdded));
  if (wanted.length === 0) return { side, restored };
  for (const candidate of withTasks(side.source, side.plan, side.pieces, wanted, now.source)) {
    const grown = readSide(candidate, options);
    if (grown !== null && holdsAll(side, grown, wanted, options)) return { side: grown, restored };
  }
  return { side, restored: [...restored, `New tasks could not be carried over: ${names(wanted)}.`] };
}

/** Whether `side` has all tasks of `old` untouched and exactly these beside them. */
function holdsAll(old: Side, side: Side, added: readonly Piece[], options: ReconcileOptions): boolean {
  const comparison = compareTasks(old.pieces, side.pieces, options.fixed);
  const words = (pieces: readonly Piece[]) => JSON.stringify(pieces.map(({ task }) => task.text));
  const sameGates = JSON.stringify(old.plan.impliedGates) === JSON.stringify(side.plan.impliedGates);
  return sameGates && comparison.faults.length === 0 && words(comparison.added) === words(added);
}

function withTicks(side: Side, ticks: ReadonlyMap<string, boolean>, options: PlanOptions): Side {
  return certain(readSide(setTicks(side.source, side.plan, ticks), options), "a plan with other marks cannot be read");
}

/** A box that only a person may tick. One that ticks while the agent works is taken for the agent. */
function manualTicks(old: Side, now: Side) {
  return compareTasks(old.pieces, now.pieces, new Set()).matched.filter((match) => match.before.task.state === "manual" && tickedNow(match));
}

function manualSentence({ task }: Piece): string {
  return `Task "${task.text}" is for a person; its tick was taken back.`;
}

function tooMany(extra: readonly Piece[], maxAdded: number): string {
  return `At most ${maxAdded} tasks may be added in one iteration; left out: ${names(extra)}.`;
}

function names(pieces: readonly Piece[]): string {
  return pieces.map(({ task }) => `"${task.text}"`).join(", ");
}

function outcome(old: Side, kept: Side): Omit<Reconciliation, "restored" | "frozenTouched"> {
  const was = new Map(old.plan.tasks.map((task) => [task.id, isTicked(task)]));
  const known: Plan["tasks"] = kept.plan.tasks.filter(({ id }) => was.has(id));
  return {
    source: kept.source,
    ticked: known.filter((task) => isTicked(task) && was.get(task.id) === false).map(({ id }) => id),
    unticked: known.filter((task) => !isTicked(task) && was.get(task.id) === true).map(({ id }) => id),
    added: kept.plan.tasks.filter(({ id }) => !was.has(id)).map(({ id }) => id),
  };
}
