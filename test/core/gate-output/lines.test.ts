/** What runners print in rarer cases than the recorded ones: which lines count, and which line says what went wrong. */
import { describe, expect, it } from "vitest";
import { compressOutput } from "../../../src/core/gate-output/compress.js";
import type { OutputReading } from "../../../src/core/gate-output/reading.js";
import { readGo } from "../../../src/core/gate-output/go.js";
import { readBiome } from "../../../src/core/gate-output/linters.js";
import { readNodeTest } from "../../../src/core/gate-output/node-test.js";
import { readOutput } from "../../../src/core/gate-output/read.js";

const read = (...lines: string[]): OutputReading => readOutput(lines.join("\n"));

describe("cargo", () => {
  const RESULT = "test result: FAILED. 1 passed; 2 failed; 0 ignored; 3 measured; 0 filtered out";
  it.each<[string, string[], Partial<OutputReading>]>([
    ["counts what passed, failed and was measured, over all binaries", [RESULT, RESULT], { testsRun: 12, testsFailed: 4 }],
    ["counts what a cut summary still says", ["test result: FAILED. 1 passed; 2 failed; 0 ig"], { testsRun: 3, testsFailed: 2 }],
    ["counts no test where a summary says nothing", ["test result: ok. 0 fil"], { testsRun: 0, testsFailed: 0 }],
    ["says the message of a panic", ["thread 'a' panicked at src/lib.rs:5:9:", "", "boom", RESULT], { firstError: "boom" }],
    ["says where a panic without a message was", [RESULT, "thread 'a' panicked at src/lib.rs:5:9:"], { firstError: "thread 'a' panicked at src/lib.rs:5:9:" }],
    [
      "names compile errors by their file, and none without one",
      ["error[E0308]: mismatched types", "  --> src/lib.rs:5:9", "error: linking failed", "error: could not compile `a`"],
      {
        runner: "cargo",
        testsRun: null,
        testsFailed: 1,
        failing: ["src/lib.rs: error[E0308]: mismatched types"],
        firstError: "error[E0308]: mismatched types",
      },
    ],
  ])("%s", (_name, lines, expected) => expect(read(...lines)).toMatchObject(expected));

  it("is not what merely speaks of errors", () => {
    expect(read("error[E0308]: mismatched types", "  --> src/lib.rs:5:9").runner).toBeNull();
    expect(read("error: could not compile `a`").runner).toBeNull();
  });
});

describe("jest", () => {
  it("tells what was thrown as it is, and with an assertion what came", () => {
    const tell = (...block: string[]) => read("FAIL ./a.test.js", "  \u25cf adds", "", ...block, "", "Tests:       1 failed, 1 total").firstError;
    expect(tell("    TypeError: boom", "", "    Received: 3")).toBe("TypeError: boom");
    expect(tell("    expect(received).toBe(expected)", "", "    Received: 3")).toBe("expect(received).toBe(expected) Received: 3");
    expect(tell("    expect(received).toBe(expected)")).toBe("expect(received).toBe(expected)");
  });
});

describe("go", () => {
  const FAIL = "FAIL\texample.com/a\t0.01s";
  it.each<[string, string[], string | null]>([
    ["a panic before all else", ["--- FAIL: TestA (0.00s)", "panic: boom", "a.go:1:2: undefined: x", FAIL], "panic: boom"],
    ["a compile error", ["./a.go:1:2: undefined: x", "FAIL\texample.com/a [build failed]"], "./a.go:1:2: undefined: x"],
    ["the message of a test", ["--- FAIL: TestA (0.00s)", "    a_test.go:9: want 1", FAIL], "a_test.go:9: want 1"],
    ["what stands below a failing test", ["--- FAIL: TestA (0.00s)", "", "    Error Trace:", FAIL], "Error Trace:"],
    ["nothing where nothing fails by name", ["FAIL\texample.com/a\t0.01s"], null],
  ])("tells %s first", (_name, lines, firstError) => expect(readGo(lines)).toMatchObject({ firstError }));
});

describe("linters", () => {
  it("tsc: an error without a file is one, and the first where there is no other", () => {
    expect(read("error TS18003: No inputs were found.")).toMatchObject({
      runner: "tsc",
      failing: ["error TS18003: No inputs were found."],
      firstError: "error TS18003: No inputs were found.",
    });
  });

  it("eslint: an error without a rule is named by its words; warnings alone fail nothing", () => {
    expect(read("/src/a.js", "  1:2  error  Parsing error: Unexpected token", "", "✖ 1 problem (1 error, 0 warnings)")).toMatchObject({
      runner: "eslint",
      failing: ["/src/a.js: Parsing error: Unexpected token"],
      firstError: "/src/a.js: Parsing error: Unexpected token",
    });
    expect(read("/src/a.js", "  1:2  warning  Unused  no-unused-vars", "", "✖ 1 problem (0 errors, 1 warning)")).toMatchObject({
      failing: [],
      firstError: null,
    });
  });
});

it("biome: a run of warnings alone names nothing that failed", () => {
  expect(readBiome(["a.ts:1:2 lint/style/useConst ━━━━━━━━━━━━━━━━━━━━━━", "", "  ! Use const.", "", "Checked 1 file in 2ms."])).toBeNull();
  expect(readBiome(["a.ts:1:2 lint/style/useConst ━━━━━━━━━━━━━━━━━━━━━━", "", "  × Use const."])).toMatchObject({ failing: ["a.ts: lint/style/useConst"] });
});

describe("mocha", () => {
  it("counts a run of which all or nothing passed", () => {
    expect(read("  3 passing (5ms)")).toMatchObject({ runner: "mocha", testsRun: 3, testsFailed: 0, firstError: null });
    expect(read("  2 failing")).toMatchObject({ testsRun: 2, testsFailed: 2, failing: [] });
  });

  it("joins a name over its lines, also where the output ends in it", () => {
    const lines = ["  1 failing", "", "  1) math", "       deep", "         throws:"];
    expect(read(...lines, "     Error: boom")).toMatchObject({ failing: ["math > deep > throws"], firstError: "Error: boom" });
    expect(read(...lines.slice(0, 4))).toMatchObject({ failing: ["math > deep"] });
    expect(read("  1 failing", "", "  1) math:", "       Error: boom")).toMatchObject({ failing: ["math"], firstError: "Error: boom" });
  });
});

describe("node:test", () => {
  const tap = (...block: string[]) => readNodeTest(["# tests 1", "# fail 1", "not ok 1 - a", ...block]);
  it.each<[string, string[], string | null]>([
    ["its error on one line, without quotes", ["  ---", "  error: 'boom'", "  ..."], "boom"],
    ["its error of several lines", ["  ---", "  error: |-", "    boom", "  ..."], "boom"],
    ["nothing without an error", ["  ---", "  duration_ms: 1", "  ..."], null],
    ["nothing without a block", ["ok 2 - b", "  error: 'of another'"], null],
    ["what a block that never ends holds", ["  ---", "  error: 'cut off'"], "cut off"],
  ])("tells of a failure %s", (_name, block, firstError) => expect(tap(...block)).toMatchObject({ failing: ["a"], firstError }));

  it("tells of a failure in words what stands below it, not the next failure", () => {
    const summary = ["ℹ tests 2", "ℹ fail 2"];
    expect(readNodeTest([...summary, "✖ a (1ms)", "✖ b (1ms)", "  Error: boom"])).toMatchObject({ failing: ["a", "b"], firstError: "Error: boom" });
    expect(readNodeTest([...summary, "✖ a (1ms)"])).toMatchObject({ failing: ["a"], firstError: null });
  });

  it("counts nothing that was skipped, or that a person still has to write", () => {
    expect(read("# tests 5", "# fail 0", "# skipped 1", "# todo 2", "# cancelled 0")).toMatchObject({ testsRun: 2, testsFailed: 0 });
    expect(read("# tests 1", "# fail 0", "# skipped 2", "not ok 1 - later # TODO", "not ok 2 - off # SKIP")).toMatchObject({ testsRun: 0, failing: [] });
    expect(read("# tests 3", "# fail 1", "# cancelled 2")).toMatchObject({ testsFailed: 3 });
  });
});

it("vitest tells an error that no test had", () => {
  const lines = [
    " Test Files  1 passed (1)",
    "      Tests  1 passed (1)",
    "⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯",
    "Vitest caught 1 unhandled error.",
    "TypeError: x is undefined",
  ];
  expect(read(...lines)).toMatchObject({ runner: "vitest", testsRun: 1, testsFailed: 0, firstError: "TypeError: x is undefined" });
  expect(read(...lines.slice(0, 2))).toMatchObject({ firstError: null });
});

describe("a failure for the next prompt", () => {
  const noise = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at}`);

  it("keeps the end of a single line that is longer than all there is room for, where messages stand", () => {
    expect(compressOutput(`${"x".repeat(500)}THE END`, 40)).toBe(`[…]\n${"x".repeat(29)}THE END`);
  });

  it("shows the first error with what stands around it, and the end", () => {
    const text = compressOutput([...noise(300), "error TS18003: No inputs were found.", ...noise(300)].join("\n"), 1_000);
    expect(text).toMatch(/^line 298\nline 299\nerror TS18003: No inputs were found\.\nline 0\n/);
    expect(text).toContain("\n1 failing:\n- error TS18003: No inputs were found.\n[…]\n");
    expect(text).toMatch(/\nline 299$/);
    expect(text.length).toBeLessThanOrEqual(1_000);
  });

  it("shows an error that stands on no single line as it was read", () => {
    const mocha = ["  1 failing", "", "  1) a:", "     AssertionError [x]:", "     2 !== 1", ...noise(400)].join("\n");
    expect(compressOutput(mocha, 400)).toMatch(/^AssertionError \[x\]: 2 !== 1\n1 failing:\n- a\n/);
  });

  it.each([0, 1, 2, 3])("is never longer than %i characters", (max) => expect(compressOutput(noise(9).join("\n"), max).length).toBeLessThanOrEqual(max));
});
