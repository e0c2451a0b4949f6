/** Reads what may not be there, for callers to whom absent and unreadable are the same. */
import { readdirSync, readFileSync } from "node:fs";

export function readTextOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Absent, a folder, gone meanwhile, or not ours to read: there is no text to go by.
    return null;
  }
}

/** Sorted; empty when there is no such folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // No such folder, or not ours to read: nothing in it counts.
    return [];
  }
}
