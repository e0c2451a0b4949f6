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

/** Brackets, stars and underscores of one paragraph; the library holds each against all before it. */
const MAX_MARKS = 4_000;

const LINE = /[^\r\n]+/g;
const PREFIX = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)))+/;
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;
const MARK = /[[\]*_]/g;
/** A line that begins something of its own; any other goes on with the paragraph above it. */
const BEGINS = /^[ \t]*(?:>|#|[-*+][ \t]|\d{1,9}[.)][ \t])/;
const TAB = "    ";

/** null when the text can be read. */
export function unreadable(text: string): Unreadable | null {
  if (text.length > MAX_LENGTH) return { line: 1, message: `the text has ${text.length} characters, and at most ${MAX_LENGTH} are read` };
  let underlined = 0;
  let marks = 0;
  let end = 0;
  for (const { 0: line, index } of text.matchAll(LINE)) {
    const isNew = BEGINS.test(line) || line.trim() === "" || lineBreaks(text.slice(end, index)) > 1;
    marks = (isNew ? 0 : marks) + (line.match(MARK)?.length ?? 0);
    end = index + line.length;
    if (prefixOf(line) > MAX_PREFIX) return { line: lineAt(text, index), message: "quotes and lists are nested too deeply here" };
    // After an empty line it is a rule.
    if (UNDERLINE.test(line) && /[^\r\n](?:\r\n|\n|\r)$/.test(text.slice(Math.max(0, index - 3), index))) underlined += 1;
    if (underlined > MAX_UNDERLINED)
      return { line: lineAt(text, index), message: `more than ${MAX_UNDERLINED} headings are underlined; write them with \`#\`` };
    if (marks > MAX_MARKS)
      return { line: lineAt(text, index), message: `one paragraph has more than ${MAX_MARKS} brackets, stars and underscores; empty lines part it` };
  }
  return null;
}

function prefixOf(line: string): number {
  return (PREFIX.exec(line)?.[0] ?? "").replaceAll("\t", TAB).length;
}

function lineAt(text: string, offset: number): number {
  return 1 + lineBreaks(text.slice(0, offset));
}

function lineBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
