/** Text in a terminal's columns: cut, flow and wrap by display width. Pure. */
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** The beginning of plain text, with `…` when something is left out; never wider than `columns`. */
export function cut(text: string, columns: number): string {
  if (columns <= 0) return "";
  if (displayWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    const next = displayWidth(segment);
    // One column stays for the ellipsis.
    if (width + next > columns - 1) break;
    kept += segment;
    width += next;
  }
  return `${kept.trimEnd()}…`;
}

/** Plain text with the colour it gets once it fits. */
export interface Item {
  text: string;
  paint?: (text: string) => string;
}

const SEPARATOR = " · ";

/** Items side by side, on as many lines as they need; one that is wider than a line is cut. */
export function flow(items: readonly Item[], columns: number): string[] {
  const lines: string[] = [];
  let used = 0;
  for (const { text, paint } of items) {
    const shown = cut(text, columns);
    const painted = paint === undefined ? shown : paint(shown);
    const width = displayWidth(shown);
    const last = lines.length - 1;
    if (last >= 0 && used + SEPARATOR.length + width <= columns) {
      lines[last] += `${SEPARATOR}${painted}`;
      used += SEPARATOR.length + width;
    } else {
      lines.push(painted);
      used = width;
    }
  }
  return lines;
}

/** From this width on, wrapped lines stand below the text behind the time stamp. */
const WIDE = 60;
const STAMP_COLUMNS = 9;

/** Breaks a coloured line at words; a word that is wider than a line is broken. */
export function wrap(line: string, columns: number, indent = columns >= WIDE ? STAMP_COLUMNS : 2): string[] {
  if (displayWidth(line) <= columns) return [line];
  const [first = "", ...rest] = wrapAnsi(line, columns, { hard: true, trim: false }).split("\n");
  // What follows the first line is wrapped again, since it has less room.
  const behind = wrapAnsi(rest.join("").trimStart(), Math.max(1, columns - indent), { hard: true }).split("\n");
  return [first.trimEnd(), ...behind.map((text) => `${" ".repeat(indent)}${text}`)];
}
