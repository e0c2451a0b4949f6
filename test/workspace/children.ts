/** Finds child processes by a word of their command line. */
import { readdirSync, readFileSync } from "node:fs";

export function findChildren(parent: number, word: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const ppid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      return ppid === parent && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word);
    } catch {
      // It ended while the list was read.
      return false;
    }
  });
}
