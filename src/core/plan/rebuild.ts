/** Makes plan texts from known good ones: adds tasks, takes tasks out. Each result is read again before it counts. */
import { lineEnding } from "./front-matter.js";
import type { Piece } from "./tasks.js";
import type { Plan } from "./types.js";

interface Cut {
  start: number;
  end: number;
}

/** `source` without these tasks and all that hangs below them. */
export function withoutTasks(source: string, plan: Plan, pieces: readonly Piece[], gone: readonly Piece[]): string {
  const kept = pieces.findIndex((piece) => !gone.includes(piece));
  const cuts = gone.map((piece) => (plan.format === "prd_json" ? storyCut(pieces, piece, kept) : lineCut(source, piece)));
  let text = "";
  let at = 0;
  for (const cut of cuts.sort((a, b) => a.start - b.start)) {
    if (cut.end <= at) continue; // inside the one before
    text += source.slice(at, Math.max(at, cut.start));
    at = cut.end;
  }
  return text + source.slice(at);
}

function lineCut(source: string, piece: Piece): Cut {
  let start = piece.start;
  while (start > 0 && !/[\r\n\uFEFF]/.test(source.charAt(start - 1))) start -= 1;
  const lineEnd = /\r\n|\n|\r|$/g;
  lineEnd.lastIndex = piece.end;
  lineEnd.exec(source);
  return { start, end: lineEnd.lastIndex };
}

/** With the comma before it, or, where no story before it stays, the one behind it. `kept`: index of the first that stays, or -1. */
function storyCut(pieces: readonly Piece[], piece: Piece, kept: number): Cut {
  const index = pieces.indexOf(piece);
  const previous = pieces[index - 1];
  if (previous !== undefined && kept !== -1 && kept < index) return { start: previous.end, end: piece.end };
  return { start: piece.start, end: pieces[index + 1]?.start ?? piece.end };
}

/**
 * `source` with further tasks behind its last one. `from` is the text that `added` was read from.
 * Several candidates, best first: what follows the last task may swallow a line put there.
 */
export function withTasks(source: string, plan: Plan, pieces: readonly Piece[], added: readonly Piece[], from: string): string[] {
  const last = pieces.findLast((piece) => piece.start >= 0);
  if (last === undefined) return [];
  if (plan.format === "prd_json") return [withStories(source, last, added, from)];
  const eol = lineEnding(source);
  const lines = added.map((piece) => taskLine(piece, from));
  const behind = source.slice(0, last.blockEnd) + lines.map((line) => eol + line).join("") + source.slice(last.blockEnd);
  const gap = /[\r\n]$/.test(source) ? eol : eol + eol;
  return [behind, `${source}${gap}${lines.map((line) => line + eol).join("")}`];
}

function taskLine({ task }: Piece, from: string): string {
  const isManual = /^\]\s*\(manual\)/i.test(from.slice(task.markOffset + task.mark.length, task.markOffset + task.mark.length + 20));
  const comments = [
    task.gates.length > 0 ? ` <!-- gate: ${task.gates.join(", ")} -->` : "",
    task.edits.length > 0 ? ` <!-- edits: ${task.edits.join(", ")} -->` : "",
    task.group === null ? "" : ` <!-- group: ${task.group} -->`,
  ];
  return `- [${task.mark}] ${isManual ? "(manual) " : ""}${task.text}${comments.join("")}`;
}

function withStories(source: string, last: Piece, added: readonly Piece[], from: string): string {
  const lineStart = Math.max(source.lastIndexOf("\n", last.start), source.lastIndexOf("\r", last.start)) + 1;
  const indent = source.slice(lineStart, last.start);
  const lead = /^[ \t]*$/.test(indent) && lineStart > 0 ? lineEnding(source) + indent : " ";
  const stories = added.map((piece) => `,${lead}${from.slice(piece.start, piece.end)}`);
  return source.slice(0, last.end) + stories.join("") + source.slice(last.end);
}
