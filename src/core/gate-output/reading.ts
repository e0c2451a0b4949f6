/** What a runner's output says, and the shape of the readers: one file a family of tools, tried side by side. */
import stripAnsi from "strip-ansi";

export interface OutputReading {
  /** Tests that ran; skipped ones did not. Null when no known runner printed a count, 0 when it said that nothing ran. */
  testsRun: number | null;
  testsFailed: number | null;
  /** Sorted, unique names of failing checks. */
  failing: string[];
  /** The line that says what went wrong first. */
  firstError: string | null;
  runner: string | null;
}

/** What one reader found; null when the output is not its tool's. */
export type Reader = (lines: readonly string[]) => Omit<OutputReading, "runner"> | null;

/** Lines without control sequences, without what a progress display overdrew, and without trailing blanks. */
export function plainLines(text: string): string[] {
  return stripAnsi(text)
    .split("\n")
    .map((line) => {
      const drawn = line.replace(/\r+$/, "");
      return drawn
        .slice(drawn.lastIndexOf("\r") + 1)
        .replace(/[^\P{Cc}\t]/gu, "")
        .trimEnd();
    });
}

/** Equal names are told apart by a number, so that one of three equal errors fixed shows as fewer. */
export function numbered(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

export function captures(lines: readonly string[], pattern: RegExp): string[] {
  return lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
}

/** Sum of the pattern's first capture over all lines; null when no line has it. */
export function sumOf(lines: readonly string[], pattern: RegExp): number | null {
  const found = captures(lines, pattern);
  return found.length === 0 ? null : found.reduce((sum, digits) => sum + Number(digits), 0);
}

/** First line at or after `from` that has text and is accepted. */
export function nextText(lines: readonly string[], from: number, accept: (line: string) => boolean = () => true): string | null {
  for (const line of lines.slice(from)) {
    const text = line.trim();
    if (text !== "" && accept(text)) return text;
  }
  return null;
}

/** The message at or after `from`; one that ends in a colon goes on in the next line. */
export function messageFrom(lines: readonly string[], from: number): string | null {
  const at = lines.findIndex((line, index) => index >= from && line.trim() !== "");
  const first = lines[at]?.trim();
  if (first === undefined) return null;
  const more = first.endsWith(":") ? nextText(lines.slice(0, at + 4), at + 1) : null;
  return more === null ? first : `${first} ${more}`;
}
