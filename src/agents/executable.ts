/** Finds a program the way that starting it will. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

export type FoundExecutable = { kind: "found"; path: string } | { kind: "missing"; message: string };

/** A name with a slash is relative to `cwd`, any other is looked for on PATH. */
export function findExecutable(name: string, where: { cwd: string; path: string | undefined }): FoundExecutable {
  if (name.includes("/")) {
    const path = resolve(where.cwd, name);
    const problem = problemOf(path);
    return problem === null ? { kind: "found", path } : { kind: "missing", message: `${path} ${problem}` };
  }
  let near: string | null = null;
  for (const folder of (where.path ?? "").split(delimiter)) {
    const path = join(isAbsolute(folder) ? folder : resolve(where.cwd, folder), name);
    const problem = problemOf(path);
    if (problem === null) return { kind: "found", path };
    if (problem !== ABSENT) near ??= `${path} ${problem}`;
  }
  return { kind: "missing", message: near ?? `${name} was not found on PATH` };
}

const ABSENT = "does not exist";

function problemOf(path: string): string | null {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return ABSENT;
    if (!stats.isFile()) return "is not a file";
    accessSync(path, constants.X_OK);
    return null;
  } catch {
    // EACCES is the question that was asked, whether for the file or for a folder above it.
    return "is not executable for this user (chmod +x)";
  }
}
