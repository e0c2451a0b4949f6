/** Reads a reviewer's answer: strict JSON, nothing guessed. A fence around it is the one thing that is forgiven. */
import * as v from "valibot";
import { IN_WORDS } from "./misfit.js";
import { noList } from "./no-list.js";

const evidence = v.pipe(
  v.strictObject({
    file: v.pipe(v.string(), v.nonEmpty()),
    line: v.optional(v.pipe(v.number(), v.safeInteger())),
    quote: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty())),
  }),
  v.check(({ line, quote }) => line !== undefined || quote !== undefined, "needs a line or a quote"),
  v.transform(({ file, line, quote }) => ({ file: file.replace(/^\.\//, ""), line: line ?? null, quote: quote ?? null })),
);

const schema = noList(
  v.strictObject({
    answers: v.array(v.strictObject({ question: v.pipe(v.number(), v.safeInteger()), answer: v.picklist(["yes", "no"]), evidence })),
  }),
);

export type ParsedAnswers = { kind: "answers"; answers: v.InferOutput<typeof schema>["answers"] } | { kind: "unreadable"; why: string };

export function parse(text: string): ParsedAnswers {
  const inner = /^\s*```(?:json)?\s*\n([\s\S]*?)\n```\s*$/.exec(text)?.[1] ?? text;
  let value: unknown;
  try {
    value = JSON.parse(inner);
  } catch (error) {
    return { kind: "unreadable", why: `the answer is no JSON: ${String(error)}` };
  }
  const read = v.safeParse(schema, value, IN_WORDS);
  if (read.success) return { kind: "answers", answers: read.output.answers };
  const [issue] = read.issues;
  return { kind: "unreadable", why: `the answer has another form: ${v.getDotPath(issue) ?? ""} ${issue.message}` };
}
