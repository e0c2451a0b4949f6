/** The published schema of a journal line, read by another library, judges damaged values as the program's check does. */
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bodySchemas, envelopeSchema } from "../../src/journal/schema.js";
import { publishedSchema } from "../published-schema.js";

type Json = ReturnType<typeof publishedSchema>;

/** The least value that fits. */
function sample({ type, anyOf, oneOf, enum: words, const: only, properties, prefixItems, pattern, items }: Json): unknown {
  if (only !== undefined) return only;
  if (words !== undefined) return words[0];
  if (pattern !== undefined) return "2026-11-30T20:11:00.000Z";
  const [form] = anyOf ?? oneOf ?? [];
  if (form !== undefined) return sample(form as Json);
  if (prefixItems !== undefined) return prefixItems.map((item) => sample(item as Json));
  const [kind] = [type].flat();
  if (kind === "object") return Object.fromEntries(Object.entries(properties ?? {}).map(([name, field]) => [name, sample(field as Json)]));
  if (kind === "array") return [sample(items as Json)];
  return { string: "x", number: 0.5, integer: 1, boolean: true }[String(kind)];
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
  it.each<[string, v.GenericSchema]>([["the envelope", envelopeSchema], ...Object.entries(bodySchemas)])("of %s judges as the check does", (_name, schema) => {
    const published = publishedSchema(schema, "draft-2020-12");
    const judge = z.fromJSONSchema(published as Parameters<typeof z.fromJSONSchema>[0]);
    const good = sample(published);
    expect([v.is(schema, good), judge.safeParse(good).success]).toEqual([true, true]);
    const places = fc.array(fc.nat(20), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(places, fc.constantFrom(...STRANGE), (steps, strange) => {
        const value = damaged(good, steps, strange);
        if (value === GONE) return;
        expect({ value, fits: v.is(schema, value) }).toEqual({ value, fits: judge.safeParse(value).success });
      }),
      { numRuns: 150 },
    );
  });
});
