/** Reads a reviewer's answer: strict JSON, nothing guessed. A fence around it is the one thing that is forgiven. */
import { z } from "zod";

const evidence = z
  .strictObject({ file: z.string().min(1), line: z.int().optional(), quote: z.string().trim().min(1).optional() })
  .refine((value) => value.line !== undefined || value.quote !== undefined, { error: "needs a line or a quote" })
  .transform(({ file, line, quote }) => ({ file: file.replace(/^\.\//, ""), line: line ?? null, quote: quote ?? null }));

const schema = z.strictObject({
  answers: z.array(z.strictObject({ question: z.int(), answer: z.enum(["yes", "no"]), evidence })),
});

export type ParsedAnswers = { kind: "answers"; answers: z.output<typeof schema>["answers"] } | { kind: "unreadable"; why: string };

export function parse(text: string): ParsedAnswers {
  const inner = /^\s*```(?:json)?\s*\n([\s\S]*?)\n```\s*$/.exec(text)?.[1] ?? text;
  let value: unknown;
  try {
    value = JSON.parse(inner);
  } catch (error) {
    return { kind: "unreadable", why: `the answer is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const read = schema.safeParse(value);
  if (read.success) return { kind: "answers", answers: read.data.answers };
  const issue = read.error.issues[0];
  return { kind: "unreadable", why: `the answer has another form: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}` };
}
