/** Shapes: what fits and what is said otherwise; and that the published schemas judge as the checks do. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  count,
  fitting,
  flag,
  type JsonSchema,
  list,
  literal,
  matching,
  misfitText,
  nullable,
  object,
  oneOf,
  optional,
  pair,
  record,
  type Shape,
  someText,
  taggedBy,
  text,
  whole,
} from "../../src/core/shape.js";
import { bodySchemas, envelopeSchema } from "../../src/journal/schema.js";

const said = (shape: Shape<unknown>, value: unknown): string | null => {
  const misfit = shape.misfit(value);
  return misfit === null ? null : misfitText(misfit);
};

describe("a misfit", () => {
  const entry = object({ name: text, size: optional(whole(1)), tags: list(oneOf(["a", "b"])) });
  it.each([
    ["no object", [], "expected an object"],
    ["a missing field", { tags: [] }, "name: expected a text"],
    ["a wrong optional field", { name: "", size: 0, tags: [] }, "size: expected a whole number from 1"],
    ["an element", { name: "", tags: ["a", "c"] }, 'tags.1: expected "a" or "b"'],
    ["an inherited field", Object.create({ name: "x", tags: [] }), "name: expected a text"],
  ])("of %s is named with its place", (_name, value, sentence) => expect(said(entry, value)).toBe(sentence));

  it("is told for the variant that the tag names", () => {
    const ending = taggedBy("kind", { exited: { code: count }, gone: {} });
    expect(said(ending, { kind: "exited" })).toBe("code: expected a number");
    expect(said(ending, { kind: "left" })).toBe("kind: expected exited or gone");
    expect(said(ending, { kind: "gone" })).toBeNull();
  });
});

describe("fields that the shape doesn't name", () => {
  it("are of later versions, and stay", () => {
    const value = { a: "x", later: 1 };
    expect(fitting(object({ a: text }), value)).toBe(value);
  });
});

/** The least value that fits. */
function sample(schema: JsonSchema): unknown {
  const { type, anyOf, enum: words, const: only, properties, prefixItems, pattern } = schema as Record<string, never>;
  if (only !== undefined) return only;
  if (words !== undefined) return words[0];
  if (pattern !== undefined) return "2026-11-30T20:11:00.000Z";
  if (anyOf !== undefined) return sample(anyOf[0]);
  if (prefixItems !== undefined) return (prefixItems as JsonSchema[]).map(sample);
  const [kind] = [type].flat();
  if (kind === "object") return Object.fromEntries(Object.entries<JsonSchema>(properties ?? {}).map(([name, field]) => [name, sample(field)]));
  if (kind === "array") return [sample(schema["items"] as JsonSchema)];
  return { string: "x", number: 0.5, integer: 1, boolean: true }[kind as unknown as string];
}

const GONE = Symbol("gone");
const STRANGE = [GONE, null, 0, -1, 1.5, "", "x", "2026-02-30T00:00:00Z", true, [], [1, 2], {}, { kind: "exited" }];

/** The value with something else at one of its places. */
function damaged(value: unknown, steps: readonly number[], strange: unknown): unknown {
  const [step, ...rest] = steps;
  if (typeof value !== "object" || value === null || step === undefined) return strange;
  const names = Object.keys(value);
  const name = names[step % (names.length + 1)];
  if (name === undefined) return strange;
  const copy = structuredClone(value) as Record<string, unknown>;
  const inner = damaged(copy[name], rest, strange);
  if (inner === GONE && !Array.isArray(value)) delete copy[name];
  else copy[name] = inner === GONE ? null : inner;
  return copy;
}

describe("the published schema", () => {
  const parts: [string, Shape<unknown>][] = [
    ["the envelope", envelopeSchema],
    ["every simple shape", object({ a: flag, b: someText, c: nullable(literal(1)), d: record(count), e: pair(count), f: matching(/^x$/, "x", "an x") })],
    ...Object.entries(bodySchemas),
  ];
  it.each(parts)("of %s judges as the check does", (_name, shape) => {
    const schema = shape.schema();
    const judge = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    const good = sample(schema);
    const places = fc.array(fc.nat(20), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(places, fc.constantFrom(...STRANGE), (steps, strange) => {
        const value = damaged(good, steps, strange);
        if (value === GONE) return;
        expect({ value, fits: shape.misfit(value) === null }).toEqual({ value, fits: judge.safeParse(value).success });
      }),
      { numRuns: 150 },
    );
  });
});
