/** gutter_thrash: one file written over and over, against ordinary editing. */
import { describe, expect, it } from "vitest";
import type { Action } from "../../../src/core/brakes/types.js";
import { deepestOverlap, lineHunks, shiftRanges } from "../../../src/core/brakes/line-ranges.js";
import { BOUNDS } from "../../../src/core/brakes/watch-state.js";
import { isOwnOrGenerated } from "../../../src/core/brakes/own-files.js";
import { play, SETTINGS, versions, write } from "./actions.js";

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index}`);
const file = (changes: Record<number, string>): string => LINES.map((line, index) => changes[index] ?? line).join("\n");

/** Contents after editing these lines one after another. */
function edits(lines: readonly number[]): string[] {
  const changes: Record<number, string> = {};
  return lines.map((line, step) => {
    changes[line] = `edited in step ${step}`;
    return file(changes);
  });
}

const pretty = (text: string): string => text.replace(/^edited/gm, "  edited");
const prettyEverywhere = (text: string): string => pretty(text).replace(/$/gm, ";");

/** Every content is written and at once put in shape by a formatter. */
function saved(contents: readonly string[], format: (text: string) => string, afterSeconds = 1): Action[] {
  return contents.flatMap((content, n) => {
    const before = format(n === 0 ? file({}) : (contents[n - 1] ?? ""));
    return [write("a.ts", before, content, n * 60), write("a.ts", content, format(content), n * 60 + afterSeconds)];
  });
}

describe("must trip", () => {
  const cases: [string, Action[], number][] = [
    ["five writes over one line", versions("a.ts", [file({}), ...edits([5, 5, 5, 5])]), 5],
    ["five contents of a one-line file", versions("a.ts", ["1\n", "2\n", "3\n", "4\n", "5\n"]), 5],
    ["back and forth between two contents", versions("a.ts", [file({}), file({ 3: "x" }), file({}), file({ 3: "x" }), file({})]), 5],
    [
      "one line, while the file grows above it",
      versions(
        "a.ts",
        [1, 2, 3, 4, 5].map((n) => `${"new\n".repeat(n * 2)}${file({ 30: `v${n}` })}`),
      ),
      5,
    ],
    ["one line among edits of others", versions("a.ts", [file({}), ...edits([5, 20, 5, 40, 5, 50, 5])]), 8],
    [
      "circles through separate places",
      versions("a.ts", [file({}), file({ 3: "x" }), file({ 3: "x", 40: "y" }), file({ 40: "y" }), file({})].concat([file({ 3: "x" })])),
      6,
    ],
    [
      "indentation changed by hand five times",
      versions(
        "a.py",
        [1, 2, 3, 4, 5].map((n) => `if x:\n${" ".repeat(n)}y()\n`),
        60,
      ),
      5,
    ],
    [
      "earlier content although what stood before is unknown",
      [write("a.ts", "A", null, 0), ...["A", "B", "A", "B", "A"].map((content, n) => write("a.ts", null, content, n + 10))],
      6,
    ],
  ];
  it.each(cases)("%s", (_name, actions, at) => {
    const played = play(actions);
    expect([played.hitAt, played.hit?.reason]).toEqual([at, "gutter_thrash"]);
  });

  it("match: any counts every write", () => {
    const settings = { ...SETTINGS, gutterThrash: { ...SETTINGS.gutterThrash, match: "any" as const } };
    expect(play(versions("a.ts", [file({}), ...edits([5, 15, 25, 35])]), { settings }).hitAt).toBe(5);
    expect(play(versions("progress.md", ["1", "2", "3", "4", "5", "6"]), { settings }).hit).toBeNull();
  });
});

describe("must not trip", () => {
  const cases: [string, Action[]][] = [
    ["five edits of five regions", versions("a.ts", [file({}), ...edits([5, 15, 25, 35, 45])])],
    ["five edits of neighbouring lines", versions("a.ts", [file({}), ...edits([5, 6, 7, 8, 9])])],
    [
      "appending to a list, each entry adding a comma to the one before",
      versions(
        "a.json",
        [1, 2, 3, 4, 5, 6, 7].map((n) => `[\n${Array.from({ length: n }, (_, i) => `  ${i}`).join(",\n")}\n]\n`),
      ),
    ],
    [
      "one more import at the top each time",
      versions(
        "a.ts",
        [0, 1, 2, 3, 4, 5].map((n) => `${Array.from({ length: n }, (_, i) => `import ${n - i};\n`).join("")}${file({})}`),
      ),
    ],
    [
      "appending at the end",
      versions(
        "notes.txt",
        [1, 2, 3, 4, 5, 6].map((n) => Array.from({ length: n }, (_, i) => `${i}\n`).join("")),
      ),
    ],
    ["four writes over one line", versions("a.ts", [file({}), ...edits([5, 5, 5])])],
    ["five writes over one line in more than 600 s", versions("a.ts", [file({}), ...edits([5, 5, 5, 5])], 151)],
    ["SD-07 formatter on save after every edit of another place", saved(edits([5, 15, 25, 35, 45]), pretty)],
    ["SD-07 an agent that writes whole files in its own layout, and a formatter", saved(edits([5, 15, 25, 35, 45, 55]), prettyEverywhere)],
    [
      "SD-07 a formatter that redraws one line after each of its four edits",
      [1, 2, 3, 4].flatMap((n) => [write("a.ts", `x = "${n - 1}";`, `x = '${n}'`, n * 60), write("a.ts", `x = '${n}'`, `x = "${n}";`, n * 60 + 1)]),
    ],
    ["one legitimate undo after four edits", versions("a.ts", [file({}), ...edits([5, 15, 25]), file({})])],
    ["writes of unknown content", versions("big.bin", [null, null, null, null, null, null])],
    ["other contents when what stood before is unknown", ["a", "b", "c", "d", "e", "f"].map((content, n) => write("a.ts", n === 0 ? null : null, content, n))],
    ["SD-10 the same change in twelve files", Array.from({ length: 12 }, (_, n) => write(`src/${n}.ts`, "old", "new", n))],
  ];
  it.each(cases)("%s", (_name, actions) => {
    expect(play(actions).hit).toBeNull();
  });

  const exempt = [
    ".ralph/progress.md",
    ".ralph/guardrails/a.md",
    "progress.md",
    "docs/progress.md",
    "package-lock.json",
    "app/yarn.lock",
    "Cargo.lock",
    "go.sum",
    "test/__snapshots__/a.test.ts.snap",
    "src/api.generated.ts",
    "src/generated/client.ts",
    "public/app.min.js",
    "dist/main.js",
    "/abs/repo/.ralph/state/x.json",
    "PLAN.md",
    "/abs/repo/PLAN.md",
  ];
  it.each(exempt)("SD-07 %s written eight times", (path) => {
    expect(play(versions(path, ["1", "2", "3", "4", "5", "6", "7", "8"]), { exempt: ["PLAN.md"] }).hit).toBeNull();
  });

  it("ordinary sources are not exempt", () => {
    for (const path of ["src/a.ts", "docs/PLAN.md", "src/lock.ts", "layout/a.ts"]) expect(isOwnOrGenerated(path, ["PLAN.md"])).toBe(false);
  });
});

describe("what counts as a write", () => {
  // The rule for one action over and over has its own table.
  const settings = { ...SETTINGS, repeats: 1_000 };
  const any = { ...settings, gutterThrash: { ...SETTINGS.gutterThrash, match: "any" as const } };
  const same = (before: string | null) => Array.from({ length: 6 }, (_, n) => write("a.ts", before, "A", n * 30));

  it("is none that leaves the content as it was, known or remembered, unless any counts", () => {
    expect(play(same("A"), { settings }).hit).toBeNull();
    expect(play(same(null), { settings }).hit).toBeNull();
    expect(play(same("A"), { settings: any }).hitAt).toBe(5);
  });

  it("is none of a formatter, unless any counts", () => {
    const layouts = saved(["edited 1", "edited 2", "edited 3"], pretty);
    expect(play(layouts, { settings }).hit).toBeNull();
    expect(play(layouts, { settings: any }).hitAt).toBe(5);
  });

  it.each<[number, number | null]>([
    [0, null],
    [5, null],
    [5.001, 5],
    [-1, 5],
  ])("is one of a formatter %d seconds after another write: hit at %j", (afterSeconds, hitAt) => {
    expect(play(saved(["edited 1", "edited 2", "edited 3"], pretty, afterSeconds), { settings }).hitAt).toBe(hitAt);
  });

  it("is one within the window, up to its end", () => {
    const windowSeconds = SETTINGS.gutterThrash.windowMs / 1_000;
    const spread = (last: number) =>
      ["1\n", "2\n", "3\n", "4\n", "5\n"].map((text, n) => write("a.ts", n === 0 ? null : `${n}\n`, text, n === 4 ? last : n * 30));
    expect(play(spread(windowSeconds), { settings }).hitAt).toBe(5);
    expect(play(spread(windowSeconds + 0.001), { settings }).hit).toBeNull();
  });

  it("is told with how often, within what and which kind", () => {
    const summary = (rules: typeof settings) => play(versions("a.ts", ["1\n", "2\n", "3\n", "4\n", "5\n"]), { settings: rules }).hit?.summary;
    const within = SETTINGS.gutterThrash.windowMs / 1_000;
    expect(summary(settings)).toBe(`a.ts was written 5 times within ${within} s over the same lines or back to earlier content (threshold 5).`);
    expect(summary(any as typeof settings)).toBe(`a.ts was written 5 times within ${within} s (threshold 5).`);
  });
});

describe("what is remembered", () => {
  const contents = (from: number, count: number): string[] => Array.from({ length: count }, (_, n) => `${from + n}\n`);
  const settings = { ...SETTINGS, gutterThrash: { ...SETTINGS.gutterThrash, count: 1_000, windowMs: 3_600_000 } };

  it("is the latest, within bounds over all files", () => {
    const written = ["a.ts", "b.ts", "c.ts", "d.ts"].flatMap((path, n) => versions(path, contents(n * 100, 70), 1));
    const { writes } = play(written, { settings }).state;
    expect(writes.map(({ path, hits }) => [path, hits.length])).toEqual([
      ["b.ts", BOUNDS.writes - 140],
      ["c.ts", 70],
      ["d.ts", 70],
    ]);
    const many = Array.from({ length: BOUNDS.paths + 5 }, (_, n) => write(`f${n}.ts`, "a", "b"));
    expect(play(many, { settings }).state.writes.map(({ path }) => path)).toEqual(many.slice(5).map((action) => action.kind === "write" && action.path));
  });
});

describe("line ranges", () => {
  it("finds separate places of one write", () => {
    expect(lineHunks("a\nb\nc\nd", "A\nb\nc\nD\ne")).toEqual([
      { oldFrom: 0, oldTo: 1, newFrom: 0, newTo: 1 },
      { oldFrom: 3, oldTo: 4, newFrom: 3, newTo: 5 },
    ]);
  });

  it("moves earlier lines with later insertions and deletions", () => {
    expect(shiftRanges([[2, 4]], lineHunks("a\nb\nc\nd", "x\ny\na\nb\nc\nd"))).toEqual([[4, 6]]);
    expect(shiftRanges([[2, 4]], lineHunks("a\nb\nc\nd", "b\nc\nd"))).toEqual([[1, 3]]);
  });

  it("counts writes over one line, not writes that meet anywhere", () => {
    const hunk = [{ oldFrom: 0, oldTo: 10, newFrom: 0, newTo: 10 }];
    expect(deepestOverlap(hunk, [[[0, 1]], [[1, 2]], [[2, 3]]])).toBe(1);
    expect(deepestOverlap(hunk, [[[0, 3]], [[1, 2]], [[1, 5]]])).toBe(3);
  });

  it("an insertion beside earlier lines touches none of them, inside them it does", () => {
    const insertion = [{ oldFrom: 3, oldTo: 3, newFrom: 3, newTo: 4 }];
    expect(deepestOverlap(insertion, [[[3, 5]], [[1, 3]]])).toBe(0);
    expect(deepestOverlap(insertion, [[[2, 5]]])).toBe(1);
    // What was taken out here comes back here.
    expect(
      [
        [3, 3],
        [4, 4],
        [2, 2],
      ].map(([from = 0, to = 0]) => deepestOverlap(insertion, [[[from, to]]])),
    ).toEqual([1, 0, 0]);
  });

  it("stays cheap for two large texts that share nothing", () => {
    const left = Array.from({ length: 20_000 }, (_, index) => `l${index}`).join("\n");
    const right = Array.from({ length: 20_000 }, (_, index) => `r${index}`).join("\n");
    expect(lineHunks(left, right)).toEqual([{ oldFrom: 0, oldTo: 20_000, newFrom: 0, newTo: 20_000 }]);
  });
});
