/** Fields of reports: which path finds what, and which values count as expected. */
import { describe, expect, it } from "vitest";
import { fieldAt, whyNotExpected } from "../../src/core/field-path.js";
import type { FieldExpectation } from "../../src/core/gate.js";

const REPORT = { total: { pct: 80, none: null }, runs: [{ ok: true }, { ok: false }], "a.b": 1, 'say "hi"': 2, text: "abc" };

describe("a path", () => {
  it.each<[string, unknown]>([
    ["total.pct", 80],
    ["total.none", null],
    ["runs[0].ok", true],
    ["runs.0.ok", true],
    // Reports append: the last run is the one that counts.
    ["runs[-1].ok", false],
    ['["a.b"]', 1],
    ['["say \\"hi\\""]', 2],
    ["", REPORT],
  ])("%s finds its value", (path, value) => expect(fieldAt(REPORT, path)).toEqual({ kind: "found", value }));

  it.each([
    ["total.missing", "total.missing"],
    ["total.missing.deeper", "total.missing"],
    ["runs[2].ok", "runs.2"],
    ["runs.length", "runs.length"],
    ["runs.1x", "runs.1x"],
    ["runs.x1", "runs.x1"],
    ["total.none.deeper", "total.none.deeper"],
    ["text.0", "text.0"],
    // What every object inherits was written by nobody.
    ["constructor", "constructor"],
    ["total.toString", "total.toString"],
  ])("%s finds nothing, and says how far it got", (path, at) => expect(fieldAt(REPORT, path)).toEqual({ kind: "missing", at }));
});

describe("a value", () => {
  const equals = (value: string | number | boolean | null): FieldExpectation => ({ kind: "equals", value });
  const range = (min: number | null, max: number | null): FieldExpectation => ({ kind: "range", min, max });

  it.each<[unknown, FieldExpectation]>([
    ["ok", equals("ok")],
    [null, equals(null)],
    [80, range(80, null)],
    [80, range(null, 80)],
    [80, range(80, 80)],
    [-1, range(null, 0)],
  ])("%j is as expected by %j", (value, expected) => expect(whyNotExpected(value, expected)).toBeNull());

  it.each<[unknown, FieldExpectation, string]>([
    ["ok", equals("no"), 'expected "no"'],
    // A report that writes numbers as text, or nothing at all, is another report.
    ["1", equals(1), "expected 1"],
    [1, equals(true), "expected true"],
    [undefined, equals(null), "expected null"],
    ["80", range(1, null), "expected a number that is at least 1"],
    [null, range(null, 1), "expected a number that is at most 1"],
    [Number.NaN, range(null, 1), "expected a number that is at most 1"],
    [Number.POSITIVE_INFINITY, range(1, null), "expected a number that is at least 1"],
    [79.9, range(80, null), "expected a number that is at least 80"],
    [80.1, range(null, 80), "expected a number that is at most 80"],
    [0, range(1, 2), "expected a number that is at least 1 and at most 2"],
    [3, range(1, 2), "expected a number that is at least 1 and at most 2"],
  ])("%j is refused by %j", (value, expected, why) => expect(whyNotExpected(value, expected)).toBe(why));
});
