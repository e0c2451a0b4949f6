/** Shortens a failing gate's output to what the next agent needs: the first error, the failing names, the end. */
import { plainLines } from "./reading.js";
import { readOutput } from "./read.js";
import { textAt } from "../text-at.js";

const DEFAULT_CHARS = 4_000;
const CONTEXT_BEFORE = 2;
const CONTEXT_AFTER = 14;
const LISTED_NAMES = 30;
const SUMMARY_CHARS = 500;
const GAP = "[…]";

/** At most `maxChars` characters, without control sequences. */
export function compressOutput(text: string, maxChars = DEFAULT_CHARS): string {
  const lines = squeeze(plainLines(text));
  const whole = lines.join("\n");
  if (whole.length <= maxChars) return whole;
  const reading = readOutput(text);
  const error = cut(errorContext(lines, reading.firstError), Math.floor(maxChars * 0.5));
  const names = cut(nameList(reading.failing), Math.floor(maxChars * 0.25));
  const parts = [error, names].filter((part) => part !== "");
  const used = parts.reduce((sum, part) => sum + part.length + 1, 0);
  // Beside both, the end says nothing but a summary: runners go on with what passed.
  const room = parts.length === 2 ? Math.min(SUMMARY_CHARS, maxChars - used) : maxChars - used;
  const tail = lastLines(lines, room - GAP.length - 1);
  return cut([...parts, GAP, tail].filter((part) => part !== "").join("\n"), maxChars);
}

function squeeze(lines: readonly string[]): string[] {
  const kept = lines.filter((line, index) => line !== "" || (index > 0 && lines[index - 1] !== ""));
  return kept.at(-1) === "" ? kept.slice(0, -1) : kept;
}

function errorContext(lines: readonly string[], firstError: string | null): string {
  if (firstError === null) return "";
  const at = lines.findIndex((line) => line.includes(firstError));
  if (at === -1) return firstError;
  return lines.slice(Math.max(0, at - CONTEXT_BEFORE), at + 1 + CONTEXT_AFTER).join("\n");
}

function nameList(failing: readonly string[]): string {
  if (failing.length === 0) return "";
  const more = failing.length > LISTED_NAMES ? [`- and ${failing.length - LISTED_NAMES} more`] : [];
  return [`${failing.length} failing:`, ...failing.slice(0, LISTED_NAMES).map((name) => `- ${name}`), ...more].join("\n");
}

function lastLines(lines: readonly string[], maxChars: number): string {
  const kept: string[] = [];
  let used = 0;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = textAt(lines, index);
    if (used + line.length + 1 > maxChars) break;
    kept.unshift(line);
    used += line.length + 1;
  }
  // A single line longer than the room keeps its end, where messages stand.
  return kept.length === 0 && maxChars > 0 ? textAt(lines, lines.length - 1).slice(-maxChars) : kept.join("\n");
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return maxChars <= 1 ? text.slice(0, Math.max(0, maxChars)) : `${text.slice(0, maxChars - 1)}…`;
}
