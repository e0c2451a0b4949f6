/** Commands of an agent that go around checks or rewrite what others rely on; named to the person, never judged. */

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bgit\b[^|;&]*\s(?:--no-verify)\b|\bgit\s+commit\b[^|;&]*\s-[a-zA-Z]*n[a-zA-Z]*\b/, "skips commit hooks"],
  [/\bgit\b[^|;&]*\bpush\b[^|;&]*\s(?:--force(?:-with-lease)?|-f)\b/, "forces a push"],
  [/\bgit\b[^|;&]*\bpush\b/, "pushes"],
  [/\bgit\b[^|;&]*\breset\b[^|;&]*--hard\b/, "resets hard"],
  [/\bgit\b[^|;&]*\bclean\b[^|;&]*\s-[a-zA-Z]*f/, "removes untracked files"],
  [/\bgit\b[^|;&]*\bstash\b/, "uses the stash"],
  [/\bgit\b[^|;&]*\b(?:rebase|filter-branch|filter-repo)\b|\bgit\s+commit\b[^|;&]*--amend\b/, "rewrites history"],
];

/** What is remarkable about a command, in words; null for all others. */
export function riskOf(command: string): string | null {
  return PATTERNS.find(([pattern]) => pattern.test(command))?.[1] ?? null;
}
