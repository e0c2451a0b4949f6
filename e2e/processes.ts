/** Looks through the process table for what a run left behind; by its own code, so that the driver's sweep is not its own judge. */
import { readdirSync, readFileSync } from "node:fs";

export interface Found {
  pid: number;
  command: string;
}

/** Living processes in whose environment the text stands. Zombies have no environment and are not found. */
export function processesWith(text: string): Found[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      if (!read(`/proc/${name}/environ`).includes(text)) return [];
      return [{ pid: Number(name), command: read(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim() }];
    });
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // It ended while we looked, which is what is being asked.
    return "";
  }
}

export async function until(condition: () => boolean, what: string, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`gave up waiting: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
