/** What people are told of a value that doesn't fit its schema: where, and what belongs there. */
import * as v from "valibot";

type Issue = v.BaseIssue<unknown>;

/** For `v.safeParse(schema, value, IN_WORDS)`: our words instead of valibot's. A message of the schema's own comes before them. */
export const IN_WORDS = { message: sentence };

/** Null when the value fits, else the first misfit: `usage.inputTokens: expected a number`. */
export function misfitOf(schema: v.GenericSchema, value: unknown): string | null {
  const result = v.safeParse(schema, value, { ...IN_WORDS, abortEarly: true });
  return result.success ? null : misfitText(result.issues);
}

export function misfitText(issues: readonly Issue[]): string {
  return issues.map(placed).join("; ");
}

/** What belongs there, without a verb: `a whole number`, `"a" or "b"`. */
export function wanted({ type, expected, requirement }: Issue): string {
  const words = WANTED[type];
  return words === undefined ? alternatives(expected ?? type) : words.replace("{}", String(requirement));
}

/** By the names of valibot's actions. What a schema expects comes as names of types. */
const WANTED: Readonly<Record<string, string>> = {
  finite: "a finite number",
  safe_integer: "a whole number",
  min_value: "at least {}",
  max_value: "at most {}",
  gt_value: "more than {}",
  non_empty: "a text that is not empty",
};

const TYPES: Readonly<Record<string, string>> = { string: "a text", number: "a number", boolean: "true or false", Object: "an object", Array: "a list" };

/** From `(number | null)`. */
function alternatives(expected: string): string {
  const names = expected.replace(/[()]/g, "").split(" | ");
  return names
    .filter((name) => name !== "undefined")
    .map((name) => TYPES[name] ?? name)
    .join(" or ");
}

function sentence(issue: Issue): string {
  if (issue.path?.at(-1)?.origin !== "key") return `expected ${wanted(issue)}`;
  return issue.expected === "never" ? "is not known here" : "is missing";
}

function placed(issue: Issue): string {
  const path = v.getDotPath(issue) ?? "";
  return path === "" ? issue.message : `${path}: ${issue.message}`;
}
