/** Which lines of a file are still there: the old lines must be found again, in order, among the new ones. */
import type { CodeLine, Family } from "./code-lines.js";
import { textAt } from "../text-at.js";

export interface Alignment {
  /** The first old line that is gone, with its index; null when all survive. */
  lost: { at: number; line: CodeLine } | null;
  /** For each new line, whether it is an old one. Meaningless when something is lost. */
  old: boolean[];
}

/**
 * Taking each old line at its earliest possible place is exact: if any order-keeping match exists, this one does.
 * Blank old lines may go, since no language of tests gives them meaning outside a string.
 */
export function align(before: readonly CodeLine[], after: readonly CodeLine[], family: Family): Alignment {
  const old = after.map(() => false);
  let from = 0;
  for (const [index, line] of before.entries()) {
    if (line.text === "" && line.inside === "") {
      if (after[from]?.text === "") old[from++] = true;
      continue;
    }
    const at = placeOf(line, after, from, family);
    if (at === null) return { lost: { at: index, line }, old };
    old[at] = true;
    from = at + 1;
  }
  return { lost: null, old };
}

function placeOf(line: CodeLine, after: readonly CodeLine[], from: number, family: Family): number | null {
  for (let at = from; at < after.length; at += 1) {
    const candidate = after[at];
    if (candidate !== undefined && survivesAs(line, candidate, family)) return at;
  }
  return null;
}

/**
 * The same text in the same surroundings. Two changes count as additions, because without them nothing can be
 * added at all: a comma behind what was the last entry, and further names on an import.
 */
function survivesAs(before: CodeLine, after: CodeLine, family: Family): boolean {
  if (before.inside !== after.inside) return false;
  if (before.text === after.text) return true;
  if (before.inside !== "") return false;
  if ((family === "c" || family === "data") && `${before.text},` === after.text) return true;
  return importWidened(before.text, after.text);
}

interface ImportLine {
  /** Everything but the list. */
  frame: string;
  names: string[];
}

function importWidened(before: string, after: string): boolean {
  const old = importLine(before);
  const now = old === null ? null : importLine(after);
  if (old === null || now === null || old.frame !== now.frame) return false;
  return old.names.every((name) => now.names.includes(name));
}

/** `import { a, b } from "m"`, `const { a } = require("m")`, `from m import a, b`, `use m::{a, b};`. */
function importLine(text: string): ImportLine | null {
  const braces = /^(\s*(?:import|export|use|pub use|const|let|var)\b[^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(text);
  if (braces !== null) {
    const [, head = "", list = "", tail = ""] = braces;
    const isImport = /^\s*(?:import|export|use|pub use)\b/.test(head) || /^\s*=\s*(?:await\s+import|require)\(/.test(tail);
    return isImport ? { frame: `${head}{}${tail}`, names: split(list) } : null;
  }
  const python = /^(\s*from\s+\S+\s+import\s+)\(?([\w\s,]+)\)?$/.exec(text);
  return python === null ? null : { frame: textAt(python, 1), names: split(textAt(python, 2)) };
}

function split(list: string): string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
