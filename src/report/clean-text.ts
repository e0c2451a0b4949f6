/** Foreign text without what could move a cursor, turn the writing direction or fake a line. */

/** C0 and C1 controls, zero-width signs, and the marks that turn the writing direction around. */
export const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** A task or a reason may be long; a report is not the place for a file. */
const MAX_LINE = 2_000;
const MAX_BLOCK = 20_000;

export function line(text: string): string {
  return cut(text.replace(CONTROLS, " ").replace(/\s+/g, " ").trim(), MAX_LINE);
}

/** Keeps the line breaks. */
export function block(text: string): string {
  return cut(
    text
      .trim()
      .split(/\r?\n/)
      .map((part) => part.replace(CONTROLS, " ").trimEnd())
      .join("\n"),
    MAX_BLOCK,
  );
}

export function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}
