/** Turns boxes into tasks: names, nesting, and the states that nesting implies. */
import type { Box } from "./boxes.js";
import { slugOf, taskNamer } from "./task-id.js";
import type { PlanProblem, Task } from "./types.js";

/** A task with what the file knows about it beyond the public shape. */
export interface Piece {
  task: Task;
  /** Everything about the task that is not its mark; equal definitions are the same task. */
  definition: string;
  start: number;
  end: number;
  blockEnd: number;
}

export function isTicked(task: Task): boolean {
  return task.mark === "x" || task.mark === "X";
}

/** `boxes` in file order; a parent that is not among them is no parent. */
export function piecesOf(boxes: readonly Box[]): Piece[] {
  const name = taskNamer();
  const made = new Map<Box, Task>();
  return boxes.map((box) => {
    const parent = box.parent === null ? undefined : made.get(box.parent);
    const task: Task = {
      id: name(slugOf(box.text)),
      text: box.text,
      state: ownState(box),
      mark: box.mark,
      markOffset: box.markOffset,
      line: box.line,
      depth: parent === undefined ? 0 : parent.depth + 1,
      parent: parent?.id ?? null,
      gates: box.gates,
      edits: box.edits,
      group: box.group,
    };
    made.set(box, task);
    const definition = JSON.stringify([task.text, box.manual, task.gates, task.edits, task.group, task.parent]);
    return { task, definition, start: box.start, end: box.end, blockEnd: box.blockEnd };
  });
}

function ownState(box: Box): Task["state"] {
  if (box.mark === "x" || box.mark === "X") return "done";
  if (box.mark !== " ") return "other";
  return box.manual ? "manual" : "open";
}

/**
 * A ticked parent whose descendants are not all done takes over what keeps them: open before manual before other.
 * So the last child that is done finishes its parent, and nobody waits for an agent where a person is needed.
 */
export function settleParents(tasks: readonly Task[], warnings: PlanProblem[]): void {
  const undone = new Map<string, Task["state"]>();
  // Children stand after their parents, so backwards every child is settled first.
  for (const task of [...tasks].reverse()) {
    const below = undone.get(task.id);
    if (task.state === "done" && below !== undefined) {
      task.state = below;
      warnings.push({ line: task.line, column: 1, message: `"${task.text}" is ticked, but not all tasks below it are done` });
    }
    if (task.parent === null) continue;
    const worst = moreUrgent(undone.get(task.parent), task.state === "done" ? undefined : task.state, below);
    if (worst !== undefined) undone.set(task.parent, worst);
  }
}

function moreUrgent(...states: (Task["state"] | undefined)[]): Task["state"] | undefined {
  return (["open", "manual", "other"] as const).find((state) => states.includes(state));
}
