/** The simple commands of a line: their words without redirections to nowhere, environment and wrappers. */
import type { Piece } from "./shell-words.js";
import { replaceVolatile } from "./volatile.js";
import { textAt } from "../text-at.js";

export interface Simple {
  words: string[];
  /** What stands before it: `&&`, `||`, `|`, `&`, `;`; empty for the first. */
  joint: string;
}

/** `writesFile`: output goes to a file that is not temporary. */
export function simpleCommands(pieces: readonly Piece[]): { simples: Simple[]; writesFile: boolean } {
  const simples: Simple[] = [];
  let writesFile = false;
  let current: Simple = { words: [], joint: "" };
  const rest = [...pieces];
  for (let piece = rest.shift(); piece !== undefined; piece = rest.shift()) {
    if (piece.kind === "operator") {
      if (current.words.length > 0) simples.push(current);
      else if (simples.length > 0) continue;
      current = { words: [], joint: SEQUENCE.has(piece.text) ? ";" : piece.text };
    } else if (piece.bare && isRedirection(piece.text)) {
      const target = redirectionTarget(piece.text, rest[0]);
      if (target === null) continue;
      rest.shift();
      if (piece.text.includes(">") && isDiscarded(target)) continue;
      writesFile ||= piece.text.includes(">");
      current.words.push(`${piece.text}${target}`);
    } else current.words.push(piece.text);
  }
  if (current.words.length > 0) simples.push(current);
  return { simples: simples.map((simple) => ({ ...simple, words: unwrap(simple.words) })), writesFile };
}

const SEQUENCE = new Set(["\n", "(", ")", ";;"]);

function isRedirection(text: string): boolean {
  return /^(?:\d*|&)[<>]/.test(text);
}

/** The file of a redirection; null for `2>&1` and the like, which name none. */
function redirectionTarget(text: string, next: Piece | undefined): string | null {
  if (/[<>]&?[\d-]$/.test(text)) return null;
  return next?.kind === "word" ? next.text : null;
}

function isDiscarded(target: string): boolean {
  return target === "/dev/null" || target === "/dev/stderr" || target === "/dev/stdout" || replaceVolatile(target).startsWith("{tmp}");
}

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
/** Wrappers that run the rest of their words; the number says how many words of their own follow at least. */
const WRAPPERS: Readonly<Record<string, number>> = {
  env: 0,
  time: 0,
  nohup: 0,
  command: 0,
  exec: 0,
  nice: 0,
  stdbuf: 0,
  unbuffer: 0,
  timeout: 1,
  gtimeout: 1,
};
const KEYWORDS = new Set(["if", "then", "do", "while", "until", "!", "{", "else", "elif"]);

/** Takes off environment assignments, shell keywords and wrappers such as `timeout 60`. */
function unwrap(words: readonly string[]): string[] {
  let rest = [...words];
  for (;;) {
    const first = rest[0];
    if (first === undefined) return [];
    const own = Object.hasOwn(WRAPPERS, first) ? WRAPPERS[first] : undefined;
    if (ASSIGNMENT.test(first) || KEYWORDS.has(first)) rest = rest.slice(1);
    else if (first === "command" && rest[1]?.startsWith("-")) return rest;
    else if (own !== undefined && rest.length > own + 1) rest = afterWrapper(rest, own);
    else return rest;
  }
}

function afterWrapper(words: readonly string[], own: number): string[] {
  let at = 1;
  while (words[at]?.startsWith("-")) at += /^-[nsku]$/.test(textAt(words, at)) ? 2 : 1;
  return words.slice(at + own);
}

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "/bin/sh", "/bin/bash", "/bin/zsh", "/usr/bin/bash"]);

/** The script of `bash -lc '…'`; null when it is something else. */
export function shellScript(words: readonly string[]): string | null {
  if (!SHELLS.has(textAt(words, 0)) || words.length < 3) return null;
  const flag = words.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
  return flag === -1 ? null : (words[flag + 1] ?? null);
}
