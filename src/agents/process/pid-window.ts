/**
 * Which process ids the descendants of a process can have. After a short agent this spares looking at every process
 * of the machine, of which there may be hundreds.
 */
import { readProcFile } from "./proc-file.js";

/** Processes and threads made since the machine started; null where the system does not tell. */
export function forkCount(): number | null {
  if (process.platform !== "linux") return null;
  const count = /^processes (\d+)$/m.exec(readProcFile("/proc/stat") ?? "")?.[1];
  return count === undefined ? null : Number(count);
}

/**
 * Ids are given out upwards and begin again at the bottom, so that as long as they can not have reached the top,
 * descendants have higher ones. null when it can be any. `forksBefore` is the count before the process was made.
 */
export function descendantIds(pid: number | null, forksBefore: number | null): ((pid: number) => boolean) | null {
  const forks = forkCount();
  if (pid === null || forks === null || forksBefore === null) return null;
  // A quarter of all ids for those that were skipped because they were in use, or given to a process that failed to start.
  const highest = pid + (forks - forksBefore) + idCount() / 4;
  return highest < idCount() ? (other) => other >= pid : null;
}

let counted: number | null = null;

function idCount(): number {
  counted ??= Number(readProcFile("/proc/sys/kernel/pid_max") ?? 0);
  return counted;
}
