/** The words an agent says to the driver, and the one place that knows their form. */
import type { Nodes } from "mdast";
import type { Claims } from "./journal-event.js";
import { endOf, parseMarkdown, startOf } from "./plan/markdown.js";
import { unreadable } from "./plan/markdown-bounds.js";
import { textAt } from "./text-at.js";

/** How prompts show each marker. They must show it inside a sentence: see `MarkerOptions.prompt`. */
export const MARKERS = {
  complete: (marker: string) => `<ralph>${normaliseMarker(marker)}</ralph>`,
  gutter: "<ralph>GUTTER</ralph>",
  blocked: (why: string) => `<ralph>BLOCKED: ${why}</ralph>`,
  wait: (why: string) => `<ralph>WAIT: ${why}</ralph>`,
} as const;

export interface MarkerOptions {
  /** The word that asks for verification, such as `COMPLETE`. */
  marker: string;
  /** Plain text out: only the last line that is not empty counts. */
  plainText: boolean;
  /** A plain-text agent may echo this; a line that stands in it by itself is never the agent's own. */
  prompt: string;
}

export type SpokenClaims = Omit<Claims, "ticked">;

interface Line {
  text: string;
  start: number;
}

const TAGGED = /^<(ralph|promise)>([^<>]*)<\/\1>$/;
const ANY_TAG = /<\/?\s*(?:ralph|promise)\s*>/i;
const REASONED = /^(BLOCKED|WAIT):\s*(\S.*)$/;
const RESERVED = /^(?:GUTTER|BLOCKED|WAIT)\b/;
/** Emphasis, quotes, numbers and bullets that people put around a word. */
const DECORATION = /^(?:[\s>*_`#"'-]|\d+(?:[.):]\s*|\s+))+|(?<![\s*_`"'.!])[\s*_`"'.!]+$/g;
const MIN_MARKER = 3;

/** A message longer than this is read from its end: parsing must not hold up the loop, and a marker is a last word. */
const MAX_READ = 64 * 1024;
const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** White space inside a marker is one space, in the setting as in the agent's text. */
export function normaliseMarker(marker: string): string {
  return marker.trim().replace(/\s+/g, " ");
}

/** Says what is wrong with a configured marker; null when nothing is. */
export function validateMarker(marker: string): string | null {
  if (marker.trim() === "") return "the marker is empty, so any text would end the run";
  if (/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/.test(marker)) return "the marker has line breaks or control characters, so it can never stand on a line";
  const normal = normaliseMarker(marker);
  if (normal.length < MIN_MARKER) return `the marker \`${normal}\` is too short: at least ${MIN_MARKER} characters`;
  if (/[<>]/.test(normal)) return `the marker \`${normal}\` must not hold \`<\` or \`>\`: give the word without its tag`;
  if (RESERVED.test(normal)) return `the marker \`${normal}\` has a meaning of its own`;
  return null;
}

/** `finalText` is the final assistant message, whole and without control sequences; of a plain-text agent all its output. */
export function readMarkers(finalText: string, options: MarkerOptions): SpokenClaims {
  const claims: SpokenClaims = { complete: false, gutter: false, blocked: null, wait: null, nearMiss: null };
  // Asked for without validation, an empty word must still never match.
  if (validateMarker(options.marker) !== null) return claims;
  const text = tailOf(finalText);
  const lines = linesOf(text);
  const unread = lines.some((line) => ANY_TAG.test(line.text)) ? unreadable(text) : null;
  if (unread !== null) return { ...claims, nearMiss: `the markers in the last message are not counted: ${unread.message}` };
  const inCode = codeTest(text, lines);
  const prompt = new Set(options.plainText ? linesOf(options.prompt).map((line) => line.text.trim()) : []);
  const last = lines.findLast((line) => line.text.trim() !== "");
  const misses: string[] = [];
  for (const line of lines) {
    if (prompt.has(line.text.trim())) continue;
    if (options.plainText && line !== last) {
      if (saysSomething(line.text, options.marker)) misses.push(`\`${line.text.trim()}\` counts only as the last line of the output`);
    } else if (inCode(line)) {
      if (ANY_TAG.test(line.text)) misses.push(`\`${line.text.trim()}\` stands in code or a comment, where it is not counted`);
    } else if (!takeMarker(line.text, options.marker, claims)) {
      const miss = nearMiss(line.text, options.marker);
      if (miss !== null) misses.push(miss);
    }
  }
  if (echoed(last, prompt, options.marker)) misses.push("the last line stands in the prompt too, so it may be an echo and is not counted");
  const heard = claims.complete || claims.gutter || claims.blocked !== null || claims.wait !== null;
  return heard ? claims : { ...claims, nearMiss: misses.at(-1) ?? null };
}

function echoed(last: Line | undefined, prompt: ReadonlySet<string>, marker: string): boolean {
  return last !== undefined && prompt.has(last.text.trim()) && saysSomething(last.text, marker);
}

function saysSomething(text: string, marker: string): boolean {
  return takeMarker(text, marker, { complete: false, gutter: false, blocked: null, wait: null, nearMiss: null });
}

/** Adds what a line claims; false when it is no marker. */
function takeMarker(text: string, marker: string, into: SpokenClaims): boolean {
  const tagged = TAGGED.exec(text.trimEnd());
  if (tagged === null) return false;
  const word = normaliseMarker(textAt(tagged, 2));
  if (word === normaliseMarker(marker)) into.complete = true;
  // `<promise>` is an alias for completion alone.
  else if (tagged[1] === "promise") return false;
  else if (word === "GUTTER") into.gutter = true;
  else return takeReason(word, into);
  return true;
}

function takeReason(word: string, into: SpokenClaims): boolean {
  const reasoned = REASONED.exec(word);
  const why = reasoned?.[2] ?? null;
  if (reasoned?.[1] === "BLOCKED") into.blocked = why;
  if (reasoned?.[1] === "WAIT") into.wait = why;
  return reasoned !== null;
}

function nearMiss(text: string, marker: string): string | null {
  const shown = text.trim().slice(0, 200);
  if (ANY_TAG.test(text)) {
    if (saysSomething(text.trim(), marker)) return `\`${shown}\` is indented: a marker begins its line`;
    const tagged = TAGGED.exec(text.trim());
    if (tagged === null) return `\`${shown}\`: a marker counts only alone on its line, without emphasis, number or other text`;
    if (/^(?:BLOCKED|WAIT):?$/.test(normaliseMarker(textAt(tagged, 2)))) return `\`${shown}\` gives no reason: write ${MARKERS.blocked("why")}`;
    return `\`${shown}\` is no marker: to ask for verification write ${MARKERS.complete(marker)}`;
  }
  const bare = normaliseMarker(text.replace(DECORATION, ""));
  if (bare === normaliseMarker(marker)) return `\`${shown}\` lacks its tag: write ${MARKERS.complete(marker)}`;
  if (bare === "GUTTER" || REASONED.test(bare)) return `\`${shown}\` lacks its tag: write <ralph>${bare}</ralph>`;
  return null;
}

/** The end of a long text, from a line's start; where that lies in a code fence, the opening line comes with it. */
function tailOf(text: string): string {
  if (text.length <= MAX_READ) return text;
  const cut = text.indexOf("\n", text.length - MAX_READ) + 1;
  if (cut === 0) return "";
  let open = "";
  for (const { text: line } of linesOf(text.slice(0, cut))) {
    const [, fence = "", rest = ""] = FENCE_LINE.exec(line) ?? [];
    if (fence === "") continue;
    if (open === "") open = fence.startsWith("`") && rest.includes("`") ? "" : fence;
    else if (fence.startsWith(open) && rest.trim() === "") open = "";
  }
  return open === "" ? text.slice(cut) : `${open}\n${text.slice(cut)}`;
}

function linesOf(text: string): Line[] {
  return [...text.matchAll(/[^\r\n]+/g)].map((match) => ({ text: match[0], start: match.index }));
}

/** Whether a line is inside a code block, a code span or a comment. The text is parsed only where it can matter. */
function codeTest(text: string, lines: readonly Line[]): (line: Line) => boolean {
  if (!lines.some((line) => ANY_TAG.test(line.text))) return () => false;
  const covered: { start: number; end: number }[] = [];
  // A byte-order mark would shift the library's offsets.
  const collect = (node: Nodes): void => {
    const hides = node.type === "code" || node.type === "inlineCode" || (node.type === "html" && node.value.startsWith("<!--"));
    if (hides) covered.push({ start: startOf(node), end: endOf(node) });
    if ("children" in node) node.children.forEach(collect);
  };
  collect(parseMarkdown(text.replace(/^\uFEFF/, " ")).root);
  return (line) => covered.some((part) => part.start < line.start + line.text.length && part.end > line.start && part.start <= line.start);
}
