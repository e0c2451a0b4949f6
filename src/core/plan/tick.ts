/** Counts, picks and ticks tasks. */
import type { TaskCounts } from "../words.js";
import { readPrd } from "./prd-json.js";
import { isTicked } from "./tasks.js";
import type { Plan, Task } from "./types.js";

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** `plan` must be the reading of `source`. Changes one byte in Markdown, one word in JSON, and nothing where it is so already. */
export function setTick(source: string, plan: Plan, taskId: string, done: boolean): string {
  return setTicks(source, plan, new Map([[taskId, done]]));
}

/** As `setTick`, for several tasks at once. */
export function setTicks(source: string, plan: Plan, ticks: ReadonlyMap<string, boolean>): string {
  const place = plan.format === "prd_json" ? passesEdit(source) : boxEdit(source);
  const edits: Edit[] = [];
  for (const [id, done] of ticks) {
    const task = plan.tasks.find((one) => one.id === id);
    if (task === undefined) throw new Error(`the plan has no task ${id}`);
    if (isTicked(task) !== done) edits.push(...place(task, done));
  }
  let text = source;
  // From the end, so that the offsets before each edit hold.
  for (const { start, end, text: word } of edits.sort((a, b) => b.start - a.start)) text = text.slice(0, start) + word + text.slice(end);
  return text;
}

function boxEdit(source: string): (task: Task, done: boolean) => Edit[] {
  return ({ id, mark, markOffset }, done) => {
    // A section without a box: there is nothing to write to.
    if (markOffset === -1) return [];
    const end = markOffset + mark.length;
    if (source.charAt(markOffset - 1) !== "[" || source.charAt(end) !== "]") throw new Error(`the plan is not a reading of this source: ${id}`);
    return [{ start: markOffset, end, text: done ? "x" : " " }];
  };
}

function passesEdit(source: string): (task: Task, done: boolean) => Edit[] {
  const reading = readPrd(source);
  const pieces = reading.kind === "stories" ? reading.pieces : [];
  return ({ id }, done) => {
    const story = pieces.find(({ task }) => task.id === id);
    if (story === undefined) throw new Error(`the plan is not a reading of this source: ${id}`);
    const { passes, start } = story;
    if (passes === null) return [{ start: start + 1, end: start + 1, text: ` "passes": ${done},` }];
    return [{ ...passes, text: String(done) }];
  };
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
  const open: { task: Task; group: number }[] = [];
  for (const task of plan.tasks) {
    const inherited = task.parent === null ? undefined : groups.get(task.parent);
    const group = task.group ?? inherited ?? Number.POSITIVE_INFINITY;
    groups.set(task.id, group);
    if (task.state !== "open") continue;
    open.push({ task, group });
    for (let above = task.parent; above !== null; above = byId.get(above)?.parent ?? null) waiting.add(above);
  }
  const ready = open.filter(({ task }) => !parked.has(task.id) && !waiting.has(task.id));
  const lowest = Math.min(...ready.map(({ group }) => group));
  return ready.find(({ group }) => group === lowest)?.task ?? null;
}
