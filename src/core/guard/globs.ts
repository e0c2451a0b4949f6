/** Globs over paths of the tree: relative to the root, `/` as separator, dot files included. */
import picomatch from "picomatch/posix.js";

type Matcher = (path: string) => boolean;

/** Compiling costs more than matching, and the same few globs meet every changed path. */
const compiled = new Map<string, Matcher>();

/**
 * True when the path is selected. Read like an ignore file: the last glob that matches wins, `!glob` takes out,
 * and a plain folder name selects everything below it.
 */
export function matchAny(globs: readonly string[], path: string): boolean {
  let selected = false;
  for (const glob of globs) {
    const negated = glob.startsWith("!");
    if (selected === negated && matcher(negated ? glob.slice(1) : glob)(path)) selected = !negated;
  }
  return selected;
}

/** Files that may grow but not lose lines; see compared.ts. */
export function isProtected(path: string, protect: readonly string[]): boolean {
  return matchAny(protect, path);
}

/** True when the task's `edits:` opens the path. */
export function allowedEdits(path: string, edits: readonly string[]): boolean {
  return matchAny(edits, path);
}

function matcher(glob: string): Matcher {
  const known = compiled.get(glob);
  if (known !== undefined) return known;
  const plain = glob.replace(/^(\.?\/)+/, "").replace(/\/+$/, "");
  const patterns = plain === "" ? ["**"] : [plain, `${plain}/**`];
  const made = picomatch(patterns, { dot: true, nonegate: true });
  compiled.set(glob, made);
  return made;
}
