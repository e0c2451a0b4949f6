/** Finds a field in parsed JSON or YAML by its dotted path and holds it against what is expected. */
import { expectationText, type FieldExpectation } from "./gate.js";
import { textAt } from "./text-at.js";

export type Found = { kind: "found"; value: unknown } | { kind: "missing"; at: string };

/** `total.lines.pct`, `runs[0].ok`, `runs.0.ok`; `["a.b"]` for a key with a dot in it. */
function parsePath(path: string): string[] {
  const steps: string[] = [];
  for (const match of path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(-?\d+)\]|([^.[\]]+)/g)) {
    steps.push(match[1]?.replace(/\\(.)/g, "$1") ?? match[2] ?? textAt(match, 3));
  }
  return steps;
}

export function fieldAt(root: unknown, path: string): Found {
  let value: unknown = root;
  const walked: string[] = [];
  for (const step of parsePath(path)) {
    walked.push(step);
    const next = child(value, step);
    if (next === undefined) return { kind: "missing", at: walked.join(".") };
    value = next;
  }
  return { kind: "found", value };
}

/** Own keys only: a path must not find what every object inherits. */
function child(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^-?\d+$/.test(step) ? value.at(Number(step)) : undefined;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<string, unknown>)[step];
}

/** null when the value is as expected, else what was expected. Text is no number: a report that writes "80" is another report. */
export function whyNotExpected(value: unknown, expect: FieldExpectation): string | null {
  if (expect.kind === "equals") return value === expect.value ? null : `expected ${JSON.stringify(expect.value)}`;
  const wanted = `expected a number that ${expectationText(expect)}`;
  if (typeof value !== "number" || !Number.isFinite(value)) return wanted;
  const low = expect.min !== null && value < expect.min;
  return low || (expect.max !== null && value > expect.max) ? wanted : null;
}
