/** Replaces a file in one step, so that a killed process leaves the old or the new content, never half of it. */
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Makes missing folders and keeps the mode of an existing file. Throws the file system's error. */
export function atomicWrite(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content);
    // The mode that the file system gives new files is right for new files.
    if (mode !== undefined) chmodSync(temporary, mode & 0o7777);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
