/**
 * Finds an agent above a process by the marks that the driver puts into the environment of all it starts. Best effort:
 * what cleared its environment and left its parents is not recognised, and without /proc only a process itself is asked.
 */
import { readTextOrNull } from "../quiet-files.js";

/** Set by the driver in the environment of every agent, gate and hook. */
export const AGENT_MARKS = ["RALPHD_TOKEN", "RALPHD_RUN"] as const;

/** Deeper than any real chain of processes; a guard against one that changes while it is read. */
const MAX_DEPTH = 64;

/** The nearest process, beginning with this one, whose environment carries a mark; null when none is seen. */
export function markedAncestor(pid: number): { pid: number; mark: string } | null {
  let at: number | null = pid;
  for (let depth = 0; at !== null && at > 1 && depth < MAX_DEPTH; depth++) {
    const mark = markOf(at);
    if (mark !== null) return { pid: at, mark };
    at = parentOf(at);
  }
  return null;
}

function markOf(pid: number): string | null {
  const variables = readTextOrNull(`/proc/${pid}/environ`)?.split("\0") ?? [];
  return AGENT_MARKS.find((name) => variables.some((variable) => variable.startsWith(`${name}=`) && variable.length > name.length + 1)) ?? null;
}

function parentOf(pid: number): number | null {
  const stat = readTextOrNull(`/proc/${pid}/stat`);
  // The program's name may hold spaces and brackets; the parent is the second field behind the last bracket.
  const parent = Number(stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  return Number.isInteger(parent) && parent > 0 ? parent : null;
}
