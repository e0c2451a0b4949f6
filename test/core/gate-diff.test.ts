/** The rules of a diff gate, each with what it refuses and what it lets through. */
import { describe, expect, it } from "vitest";
import type { DiffRules } from "../../src/core/gate.js";
import { brokenRules, changedLines, type FileChange } from "../../src/core/gate-diff.js";

const NONE: DiffRules = { only: null, maxLines: null, noDeletedAssertions: [], noSkips: [] };
const ASSERTIONS: DiffRules = { ...NONE, noDeletedAssertions: ["test/**"] };
const SKIPS: DiffRules = { ...NONE, noSkips: ["test/**"] };
const TEST = 'it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n  const x = 1;\n});\n';

function change(before: string | null, after: string | null, path = "test/a.test.js"): FileChange[] {
  return [{ path, before, after }];
}

describe("assertions", () => {
  it.each<[string, FileChange[], string | null]>([
    ["one removed", change(TEST, TEST.replace(/ {2}expect.*\n/, "")), "test/a.test.js lost 1"],
    ["one weakened", change(TEST, TEST.replace("toBe(3)", "toBeTruthy()")), "lost 1"],
    ["one switched off by a comment", change(TEST, TEST.replace("  expect", "  // expect")), "lost 1"],
    ["one inside a block comment", change(TEST, TEST.replace(/( {2}expect.*\n)/, "/*\n$1*/\n")), "lost 1"],
    ["one of two equal ones", change(`${TEST}${TEST}`, TEST), "lost 1"],
    ["the whole file", change(TEST, null), "lost 1 with the whole file"],
    ["python", change("def test_a():\n    assert f(1) == 2\n", "def test_a():\n    pass\n", "test/test_a.py"), "lost 1"],
    ["go", change('if x { t.Errorf("no") }\n', "if x { }\n", "test/a_test.go"), "lost 1"],
    ["rust", change("assert_eq!(a, b);\n", "", "test/a.rs"), "lost 1"],
    [
      "one moved and indented",
      change(TEST, TEST.replace("  expect(add(1, 2)).toBe(3);\n  const x = 1;\n", "  const x = 1;\n    expect(add(1, 2)).toBe(3);\n")),
      null,
    ],
    ["one added", change(TEST, `${TEST}expect(1).toBe(1);\n`), null],
    ["another line removed", change(TEST, TEST.replace("  const x = 1;\n", "")), null],
    ["a file outside the globs", change(TEST, null, "src/a.js"), null],
    ["a new file", change(null, "x\n"), null],
  ])("%s", (_, changes, found) => {
    const broken = brokenRules(ASSERTIONS, changes);
    if (found === null) expect(broken).toEqual([]);
    else expect(broken.join()).toContain(found);
  });
});

describe("skips", () => {
  it.each<[string, FileChange[], string | null]>([
    ["one added", change(TEST, TEST.replace("it(", "it.skip(")), "test/a.test.js:1 has a skip"],
    ["an only", change(TEST, TEST.replace("it(", "it.only(")), "has an only"],
    ["one in a new file", change(null, 'test.skip("x", () => {});\n'), ":1 has a skip"],
    ["an early exit", change(TEST, `process.exit(0);\n${TEST}`), "an early exit"],
    ["one that stood there", change('test.skip("x");\n', '// moved\ntest.skip("x");\n'), null],
    ["a word in a string", change(TEST, `${TEST}log("it.skip(");\n`), null],
  ])("%s", (_, changes, found) => {
    const broken = brokenRules(SKIPS, changes);
    if (found === null) expect(broken).toEqual([]);
    else expect(broken.join()).toContain(found);
  });
});

describe("size and place", () => {
  it("counts added and removed lines as git does", () => {
    expect(changedLines({ path: "a", before: "1\n2\n3\n", after: "1\nx\n3\n4\n" })).toBe(3);
    expect(changedLines({ path: "a", before: null, after: "1\n2\n" })).toBe(2);
  });

  it("does not count what has no lines, and says so", () => {
    expect(brokenRules({ ...NONE, maxLines: 9 }, change(null, "a\0b", "x.bin"))).toEqual([
      "at most 9 lines may change, but x.bin is binary and has no lines to count",
    ]);
  });

  it("names paths outside of the list", () => {
    const changes = ["a", "b", "c", "d", "e", "src/f"].flatMap((path) => change("1", "2", path));
    expect(brokenRules({ ...NONE, only: ["src/**"] }, changes)).toEqual(["only src/** may change, but a, b, c, d and 1 more changed"]);
  });
});
