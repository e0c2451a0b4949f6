/** Checks that tasks name gates that exist; a task with an unknown gate could never be refused by it. */
import type { GateSpec } from "../core/gate.js";
import type { Task } from "../core/plan/types.js";
import { nearest } from "./nearest.js";
import type { ConfigProblem } from "./raw-layer.js";

export function checkTaskGates(tasks: readonly Pick<Task, "text" | "line" | "gates">[], gates: readonly GateSpec[], planPath: string): ConfigProblem[] {
  const known = gates.map((gate) => gate.name);
  return tasks.flatMap((task) =>
    task.gates
      .filter((name) => !known.includes(name))
      .map((name) => ({ file: planPath, line: task.line, column: null, message: unknownGate(name, task.text, known) })),
  );
}

function unknownGate(name: string, task: string, known: string[]): string {
  const close = nearest(name, known);
  const way =
    close !== null
      ? `did you mean ${close}?`
      : known.length > 0
        ? `known are ${known.join(", ")}`
        : "no gate is configured; name it under `gates:` in the front matter";
  return `task "${task}" names the unknown gate ${name}; ${way}`;
}
