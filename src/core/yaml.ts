/** YAML of people and agents as values. The library goes down with each level, and the engine ends the process where the stack ends. Pure. */
import { parse } from "yaml";

/** Levels of brackets, and columns before a line's own words; each may be a level. The library stands ten times as much. */
const MAX_DEPTH = 1_000;
const BRACKET = /[[\]{}]/g;
const PREFIX = /^[ \t?:-]+/gm;

/** Offset at which the text is nested more deeply than is read; null for all that people write. */
export function tooDeep(text: string): number | null {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(BRACKET)) {
    depth = bracket === "[" || bracket === "{" ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return index;
  }
  for (const { 0: prefix, index } of text.matchAll(PREFIX)) if (prefix.length > MAX_DEPTH) return index;
  return null;
}

/** Throws for what is no YAML, or is nested too deeply. */
export function parseYaml(text: string): unknown {
  if (tooDeep(text) !== null) throw new Error("nested too deeply");
  // Its warnings would go to the terminal, which has one writer.
  return parse(text, { logLevel: "error" });
}
