/** Counts, picks and ticks tasks. */
import type { TaskCounts } from "../words.js";
import { passesOf, readPrd } from "./prd-json.js";
import { isTicked } from "./tasks.js";
import type { Plan, Task } from "./types.js";

/** `plan` must be the reading of `source`. Changes one byte in Markdown, one word in JSON, and nothing where it is so already. */
export function setTick(source: string, plan: Plan, taskId: string, done: boolean): string {
  const task = plan.tasks.find(({ id }) => id === taskId);
  if (task === undefined) throw new Error(`the plan has no task ${taskId}`);
  if (plan.format === "prd_json") return setPasses(source, taskId, done);
  // A section without a box: there is nothing to write to.
  if (task.markOffset === -1 || isTicked(task) === done) return source;
  const end = task.markOffset + task.mark.length;
  if (source.charAt(task.markOffset - 1) !== "[" || source.charAt(end) !== "]") throw new Error(`the plan is not a reading of this source: ${taskId}`);
  return source.slice(0, task.markOffset) + (done ? "x" : " ") + source.slice(end);
}

function setPasses(source: string, taskId: string, done: boolean): string {
  const reading = readPrd(source);
  const piece = reading.kind === "stories" ? reading.pieces.find(({ task }) => task.id === taskId) : undefined;
  if (piece === undefined) throw new Error(`the plan is not a reading of this source: ${taskId}`);
  if (isTicked(piece.task) === done) return source;
  const at = passesOf(source, piece);
  if ("insertAt" in at) return `${source.slice(0, at.insertAt)} "passes": ${done},${source.slice(at.insertAt)}`;
  return source.slice(0, at.start) + String(done) + source.slice(at.end);
}

/** `parked`: ids that the driver keeps as blocked. */
export function taskCounts(plan: Plan, parked: ReadonlySet<string>): TaskCounts {
  const counts: TaskCounts = { open: 0, done: 0, manual: 0, blocked: 0, other: 0 };
  for (const task of plan.tasks) counts[task.state === "open" && parked.has(task.id) ? "blocked" : task.state] += 1;
  return counts;
}

/**
 * The first open task by group, then by place. A child without a group is in its parent's.
 * A parent waits until nothing below it is open, even what is parked: only then can it be done.
 */
export function pickTask(plan: Plan, parked: ReadonlySet<string>): Task | null {
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  const waiting = new Set<string>();
  const groups = new Map<string, number>();
  for (const task of plan.tasks) {
    const inherited = task.parent === null ? undefined : groups.get(task.parent);
    groups.set(task.id, task.group ?? inherited ?? Number.POSITIVE_INFINITY);
    if (task.state !== "open") continue;
    for (let above = task.parent; above !== null; above = byId.get(above)?.parent ?? null) waiting.add(above);
  }
  let best: Task | null = null;
  for (const task of plan.tasks) {
    if (task.state !== "open" || parked.has(task.id) || waiting.has(task.id)) continue;
    if (best === null || (groups.get(task.id) ?? 0) < (groups.get(best.id) ?? 0)) best = task;
  }
  return best;
}

/** Manual, other and parked tasks are not done; neither is a plan without tasks. */
export function allDone(plan: Plan): boolean {
  return plan.tasks.length > 0 && plan.tasks.every((task) => task.state === "done");
}
