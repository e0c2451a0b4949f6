/** What a `diff` gate says of each broken rule, to the line. */
import { describe, expect, it } from "vitest";
import { brokenRules, changedLines, type FileChange } from "../../src/core/gate-diff.js";
import { judgeBaseline, nameList } from "../../src/core/gate-verdict.js";
import { gate } from "../journal/events.js";

const NONE = { only: null, maxLines: null, noDeletedAssertions: [], noSkips: [] };
const change = (path: string, before: string | null, after: string | null): FileChange => ({ path, before, after });

describe("a diff gate", () => {
  it("names up to four paths that may not change, and how many more", () => {
    const changes = ["a", "b", "c", "d", "src/e"].map((path) => change(path, null, "x"));
    expect(brokenRules({ ...NONE, only: ["src/**", "docs/**"] }, changes)).toEqual(["only src/**, docs/** may change, but a, b, c, d changed"]);
    expect(brokenRules({ ...NONE, only: [] }, changes)).toEqual(["only  may change, but a, b, c, d and 1 more changed"]);
    expect(brokenRules({ ...NONE, only: ["**"] }, changes)).toEqual([]);
  });

  it.each([
    [2, []],
    [1, ["at most 1 lines may change, found 2 in 1 file(s)"]],
  ])("with room for %i lines", (maxLines, broken) => expect(brokenRules({ ...NONE, maxLines }, [change("a", "1\n2\n", "1\n3\n")])).toEqual(broken));

  // A file without lines could hold anything.
  it.each([
    ["before", "\0", "x"],
    ["after", "x", "\0"],
  ])("counts no lines of what is binary %s", (_when, before, after) => {
    expect(brokenRules({ ...NONE, maxLines: 99 }, [change("a.bin", before, after)])).toEqual([
      "at most 99 lines may change, but a.bin is binary and has no lines to count",
    ]);
  });

  it("counts a new and a removed file as all of their lines", () => {
    expect([changedLines(change("a", null, "1\n2\n")), changedLines(change("a", "1\n2\n3\n", null)), changedLines(change("a", "1\n", "1\n"))]).toEqual([
      2, 3, 0,
    ]);
  });

  it("quotes the first assertion that vanished, and says when the whole file did", () => {
    const rules = { ...NONE, noDeletedAssertions: ["test/**"] };
    const long = `expect(${"x".repeat(80)}).toBe(1);`;
    expect(brokenRules(rules, [change("test/a.ts", "expect(a).toBe(1);\nlet x;\nexpect(b).toBe(2);\n", "let x;\n")])).toEqual([
      "no assertion may vanish, but test/a.ts lost 2: `expect(a).toBe(1);`",
    ]);
    expect(brokenRules(rules, [change("test/a.ts", `  ${long}\n`, null)])).toEqual([
      `no assertion may vanish, but test/a.ts lost 1 with the whole file: \`${long.slice(0, 79)}…\``,
    ]);
    expect(brokenRules(rules, [change("test/a.ts", "let x;\n", null), change("src/a.ts", "expect(a);\n", null), change("test/b.ts", null, "x")])).toEqual([]);
  });
});

describe("what fails beside a baseline", () => {
  it("is named, up to five", () => {
    expect(nameList(["a", "b", "c", "d", "e"])).toBe("a, b, c, d, e");
    expect(nameList(["a", "b", "c", "d", "e", "f"])).toBe("a, b, c, d, e and 1 more");
    const failing = (...names: string[]) => gate({ verdict: "fail", failing: names, exitCode: 1 });
    expect(judgeBaseline(failing("a", "b", "c"), failing("a"), { baseline: "allow" })).toMatchObject({
      verdict: "fail",
      reason: "2 new failing beside the 1 of the start: b, c",
    });
  });
});
