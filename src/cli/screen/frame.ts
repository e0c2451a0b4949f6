/** One redraw as one string of bytes: lines that stay scroll away above, the block is drawn anew in its place. Pure. */
import { displayWidth } from "./fit.js";

export const HIDE_CURSOR = "\u001b[?25l";
export const SHOW_CURSOR = "\u001b[?25h";
/** Terminals that know it show the whole frame at once; the others ignore it. */
const BEGIN_SYNCHRONIZED = "\u001b[?2026h";
const END_SYNCHRONIZED = "\u001b[?2026l";
/** Line by line, since clearing the whole block first would flicker; and the whole line, since cells that are erased behind a shorter text still wrap in a terminal that becomes narrower. */
const ERASE_LINE = "\u001b[2K";
const ERASE_BELOW = "\u001b[J";

export interface Frame {
  /** The block as it was drawn last; the cursor stands at the beginning of the line below. */
  drawn: readonly string[];
  /** Lines that stay. */
  above: readonly string[];
  block: readonly string[];
  columns: number;
}

export function frame({ drawn, above, block, columns }: Frame): string {
  const up = rowsOf(drawn, columns);
  const lines = [...above, ...block].map((line) => `${ERASE_LINE}${line}\r\n`).join("");
  return `${BEGIN_SYNCHRONIZED}\r${up === 0 ? "" : `\u001b[${up}A`}${lines}${ERASE_BELOW}${END_SYNCHRONIZED}`;
}

/** Rows that the lines take now: a terminal that became narrower has wrapped them. */
export function rowsOf(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / Math.max(1, columns))), 0);
}
