/** Splits a plan into byte-order mark, YAML front matter and body, with the offsets that lead back into the file. */
import { parseYaml } from "../yaml.js";
import type { PlanProblem } from "./types.js";

export interface SplitSource {
  /** `\uFEFF` or empty. */
  bom: string;
  /** Byte-order mark and the whole front matter block with both fence lines; the part that is frozen. */
  prefix: string;
  /** Between the two `---` lines, last line ending included; null without front matter. */
  frontMatter: string | null;
  body: string;
  /** Number of line endings in `prefix`. */
  bodyLine: number;
  /** Set where front matter begins and never ends, so that its gates would be lost without a word. */
  unclosed: PlanProblem | null;
}

const LINE_END = /\r\n|\n|\r/g;
const OPENING = /^---[ \t]*(?:\r\n|\n|\r)/;
const CLOSING = /(?<=^|\r\n|\n|\r(?!\n))(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|$)/;
/** A first line that only YAML would have; a lone `---` is else a thematic break. */
const YAML_KEY = /^\s*[A-Za-z_][\w-]*:(?:\s|$)/;

function countLineEnds(text: string): number {
  return [...text.matchAll(LINE_END)].length;
}

/** The line ending for new lines: the first one that the text uses. */
export function lineEnding(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
}

export function splitSource(source: string): SplitSource {
  const bom = source.startsWith("\uFEFF") ? "\uFEFF" : "";
  const text = source.slice(bom.length);
  const plain = { bom, prefix: bom, frontMatter: null, body: text, bodyLine: 0, unclosed: null };
  const opening = OPENING.exec(text)?.[0];
  if (opening === undefined) return plain;
  const rest = text.slice(opening.length);
  const closing = CLOSING.exec(rest);
  if (closing === null) {
    if (!YAML_KEY.test(rest)) return plain;
    return { ...plain, unclosed: { line: 1, column: 1, message: "the front matter is never closed by a `---` line" } };
  }
  const prefix = source.slice(0, bom.length + opening.length + closing.index + closing[0].length);
  return {
    bom,
    prefix,
    frontMatter: rest.slice(0, closing.index),
    body: source.slice(prefix.length),
    bodyLine: countLineEnds(prefix),
    unclosed: null,
  };
}

/** The front matter as a mapping; null when it is none or cannot be read, which is the configuration's business to refuse. */
export function frontMatterKeys(frontMatter: string | null): Record<string, unknown> | null {
  if (frontMatter === null) return null;
  try {
    const value = parseYaml(frontMatter);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    return value as Record<string, unknown>; // a mapping: YAML gives string keys for every plain key
  } catch {
    // The settings reader parses the same text and reports it with its position.
    return null;
  }
}
