/** Which Markdown is not read: what the library answers with an overflow of its stack, or with minutes for a few kilobytes. Pure. */

export interface Unreadable {
  /** 1-based line in the text. */
  line: number;
  message: string;
}

/** Characters. A plan of a thousand long tasks has a fifth of it. */
const MAX_LENGTH = 524_288;
/** Columns of quotes, list markers and indentation before a line's own words; each may be a block inside a block. */
const MAX_PREFIX = 400;
/** Headings that are underlined; each makes the library look through all before it. */
const MAX_UNDERLINED = 200;

const LINE = /[^\r\n]+/g;
const PREFIX = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)))+/;
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;
const TAB = "    ";

/** null when the text can be read. */
export function unreadable(text: string): Unreadable | null {
  if (text.length > MAX_LENGTH) return { line: 1, message: `the text has ${text.length} characters, and at most ${MAX_LENGTH} are read` };
  let underlined = 0;
  for (const { 0: line, index } of text.matchAll(LINE)) {
    if (prefixOf(line) > MAX_PREFIX) return { line: lineAt(text, index), message: "quotes and lists are nested too deeply here" };
    // After an empty line it is a rule.
    if (UNDERLINE.test(line) && /[^\r\n](?:\r\n|\n|\r)$/.test(text.slice(Math.max(0, index - 3), index))) underlined += 1;
    if (underlined > MAX_UNDERLINED)
      return { line: lineAt(text, index), message: `more than ${MAX_UNDERLINED} headings are underlined; write them with \`#\`` };
  }
  return null;
}

function prefixOf(line: string): number {
  return (PREFIX.exec(line)?.[0] ?? "").replaceAll("\t", TAB).length;
}

function lineAt(text: string, offset: number): number {
  return 1 + (text.slice(0, offset).match(/\r\n|\n|\r/g)?.length ?? 0);
}
