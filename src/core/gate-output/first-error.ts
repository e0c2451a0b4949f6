/** The line of any output that most likely says what went wrong first. */

/** In this order: a line that names an error outranks one that only says that something failed. */
const PATTERNS: readonly RegExp[] = [
  /^(?:Uncaught )?(?:[\w$.]+(?:Error|Exception)|Error)(?: \[[\w ]+\])?: \S/,
  /^(?:\[?(?:error|fatal|panic|fail(?:ed|ure)?)\]?)(?:\[\w+\])?:? \S/i,
  /(?:^|[\s:])(?:error|fatal|panic)(?:\s+\w+)?: \S/i,
  /\b(?:assert(?:ion)?|expected|cannot|could not|no such|not found|permission denied|undefined|unexpected)\b/i,
  /^(?:npm|yarn|pnpm) err(?:or)?!? /i,
  /\bfail(?:ed|ure|s|ing)?\b/i,
];
const NOISE =
  /(?:^0 (?:errors?|fail)|\bfail(?:ed|ures?)?:? 0\b|\b0 (?:errors|failed|failing|failures)\b|^npm error (?:code|path|command|A complete log)|^at )/i;

export function firstErrorLine(lines: readonly string[]): string | null {
  const texts = lines.map((line) => line.trim()).filter((line) => line !== "" && !NOISE.test(line));
  for (const pattern of PATTERNS) {
    const found = texts.find((line) => pattern.test(line));
    if (found !== undefined) return found;
  }
  return null;
}
