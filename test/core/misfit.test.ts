/** Sentences about values that don't fit, and objects that are no lists. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { IN_WORDS, misfitOf, misfitText } from "../../src/core/misfit.js";
import { noList } from "../../src/core/no-list.js";

describe("a misfit", () => {
  const size = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
  const entry = noList(v.strictObject({ name: v.string(), size: v.optional(size), tags: v.array(v.picklist(["a", "b"])), on: v.optional(v.boolean()) }));
  it.each([
    ["no object", null, "expected an object"],
    ["a list", [], "expected an object"],
    ["a missing field", { tags: [] }, "name: is missing"],
    ["a field that is not known", { name: "", tags: [], more: 1 }, "more: is not known here"],
    ["another type", { name: 1, tags: [] }, "name: expected a text"],
    ["a wrong optional field", { name: "", size: "1", tags: [] }, "size: expected a number"],
    ["a flag", { name: "", tags: [], on: "yes" }, "on: expected true or false"],
    ["part of a number", { name: "", size: 1.5, tags: [] }, "size: expected a whole number"],
    ["too little", { name: "", size: 0, tags: [] }, "size: expected at least 1"],
    ["no list", { name: "", tags: {} }, "tags: expected a list"],
    ["an element", { name: "", tags: ["a", "c"] }, 'tags.1: expected "a" or "b"'],
  ])("of %s is named with its place", (_name, value, sentence) => expect(misfitOf(entry, value)).toBe(sentence));

  it.each([
    ["one of two types", v.union([v.string(), v.number()]), true, "expected a text or a number"],
    ["numbers without end", v.pipe(v.number(), v.finite()), Number.POSITIVE_INFINITY, "expected a finite number"],
    ["a bound that is not met", v.pipe(v.number(), v.gtValue(0)), 0, "expected more than 0"],
    ["a bound above", v.pipe(v.number(), v.maxValue(9)), 10, "expected at most 9"],
    ["an empty text", v.pipe(v.string(), v.nonEmpty()), "", "expected a text that is not empty"],
    [
      "a check that has no words, by its name",
      v.pipe(
        v.string(),
        v.check(() => false),
      ),
      "x",
      "expected check",
    ],
    ["a sentence of the schema's own", v.string("must be a name"), 1, "must be a name"],
  ])("says what belongs there: %s", (_name, schema, value, sentence) => expect(misfitOf(schema, value)).toBe(sentence));

  it("is told for the variant that its word names", () => {
    const ending = v.variant("kind", [v.object({ kind: v.literal("exited"), code: v.number() }), v.object({ kind: v.literal("gone") })]);
    expect(misfitOf(ending, { kind: "exited", code: "0" })).toBe("code: expected a number");
    expect(misfitOf(ending, { kind: "left" })).toBe('kind: expected "exited" or "gone"');
    expect(misfitOf(ending, { kind: "gone" })).toBeNull();
  });

  it("comes with the others where all are asked for", () => {
    const { issues } = v.safeParse(v.object({ a: v.string(), b: v.number() }), { b: "" }, IN_WORDS);
    expect(misfitText(issues ?? [])).toBe("a: is missing; b: expected a number");
  });
});

describe("an object that is no list", () => {
  const settings = noList(v.object({ a: v.optional(v.number()) }));
  it("refuses lists where every field may be absent", () => {
    expect([[], [1], { a: 1 }, {}].map((value) => v.is(settings, value))).toEqual([false, false, true, true]);
    expect(v.is(noList(v.record(v.string(), v.number())), [1])).toBe(false);
  });

  it("refuses them below a pipe too, and keeps its entries", () => {
    const piped = v.pipe(settings, v.description("x"));
    expect(v.is(v.object({ of: piped }), { of: [] })).toBe(false);
    expect(Object.keys(piped.entries)).toEqual(["a"]);
  });
});
