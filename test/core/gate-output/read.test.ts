/** Reading what real runners print. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOutput } from "../../../src/core/gate-output/read.js";
import { sample } from "./sample.js";

interface Expected {
  runner: string;
  testsRun: number | null;
  testsFailed: number | null;
  failing: string[];
  firstError?: string | RegExp;
}

const NODE = { runner: "node:test", testsRun: 4, testsFailed: 2, failing: ["parses the date", "subtracts"] };
const VITEST = {
  runner: "vitest",
  testsFailed: 2,
  failing: ["a.test.ts > math > subtracts", "b.test.ts > parses the date"],
  firstError: "AssertionError: expected 2 to be 1 // Object.is equality",
};
const PYTEST = {
  runner: "pytest",
  testsRun: 3,
  testsFailed: 2,
  failing: ["test_a.py::TestDate::test_year", "test_a.py::test_sub"],
  firstError: "assert (3 - 1) == 1",
};
const TSC = {
  runner: "tsc",
  testsRun: null,
  testsFailed: null,
  failing: ["t.ts: TS2322 Type 'string' is not assignable to type 'number'.", "t.ts: TS2322 Type 'string' is not assignable to type 'number'. (2)"],
  firstError: /TS2322/,
};

const SAMPLES: Record<string, Expected> = {
  "node-spec": { ...NODE, firstError: "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 2 !== 1" },
  "node-tap": { ...NODE, firstError: "Expected values to be strictly equal: 2 !== 1" },
  "node-dot": { ...NODE, testsRun: null, firstError: /^AssertionError .* 2 !== 1$/ },
  "node-spec-ok": { runner: "node:test", testsRun: 2, testsFailed: 0, failing: [] },
  "node-tap-ok": { runner: "node:test", testsRun: 2, testsFailed: 0, failing: [] },
  "node-none": { runner: "node:test", testsRun: 0, testsFailed: 0, failing: [] },
  "vitest-fail": { ...VITEST, testsRun: 5 },
  "vitest-verbose-colour": { ...VITEST, testsRun: 4 },
  "vitest-broken": { runner: "vitest", testsRun: 1, testsFailed: 1, failing: ["broken.test.ts"], firstError: /^Error: Cannot find module '.\/nowhere.js'/ },
  "vitest-ok": { runner: "vitest", testsRun: 1, testsFailed: 0, failing: [] },
  "vitest-none": { runner: "vitest", testsRun: 0, testsFailed: 0, failing: [], firstError: "No test files found, exiting with code 1" },
  "jest-fail": {
    runner: "jest",
    testsRun: 2,
    testsFailed: 2,
    failing: ["broken.test.js", "math › subtracts"],
    firstError: "expect(received).toBe(expected) // Object.is equality Received: 2",
  },
  "jest-ok": { runner: "jest", testsRun: 1, testsFailed: 0, failing: [] },
  "jest-none": { runner: "jest", testsRun: 0, testsFailed: 0, failing: [], firstError: /^No tests found/ },
  "mocha-fail": { runner: "mocha", testsRun: 3, testsFailed: 2, failing: ["math > deep > throws", "math > subtracts"], firstError: /strictly equal: 2 !== 1$/ },
  "mocha-ok": { runner: "mocha", testsRun: 1, testsFailed: 0, failing: [] },
  "mocha-none": { runner: "mocha", testsRun: 0, testsFailed: 0, failing: [] },
  "pytest-fail": PYTEST,
  "pytest-q": PYTEST,
  "pytest-error": { runner: "pytest", testsRun: 0, testsFailed: 1, failing: ["test_b.py"], firstError: "ModuleNotFoundError: No module named 'nowhere'" },
  "pytest-ok": { runner: "pytest", testsRun: 1, testsFailed: 0, failing: [] },
  "pytest-none": { runner: "pytest", testsRun: 0, testsFailed: 0, failing: [] },
  "go-plain": { runner: "go", testsRun: null, testsFailed: 2, failing: ["TestSub", "TestTable/zero"], firstError: "math_test.go:9: Sub(3, 1) = 2, want 1" },
  "go-verbose": { runner: "go", testsRun: 5, testsFailed: 1, failing: ["TestSub"], firstError: "math_test.go:9: Sub(3, 1) = 2, want 1" },
  "go-build": { runner: "go", testsRun: null, testsFailed: 1, failing: ["example.com/app/math"], firstError: "./math.go:7:9: undefined: foo" },
  "go-ok": { runner: "go", testsRun: null, testsFailed: 0, failing: [] },
  "go-none": { runner: "go", testsRun: 0, testsFailed: 0, failing: [] },
  "cargo-fail": { runner: "cargo", testsRun: 3, testsFailed: 1, failing: ["tests::subtracts"], firstError: "assertion `left == right` failed" },
  "cargo-old": { runner: "cargo", testsRun: 1, testsFailed: 1, failing: ["tests::a"], firstError: "thread 'tests::a' panicked at 'boom', src/lib.rs:5:9" },
  "cargo-compile": {
    runner: "cargo",
    testsRun: null,
    testsFailed: 1,
    failing: ["src/lib.rs: error[E0308]: mismatched types"],
    firstError: "error[E0308]: mismatched types",
  },
  tsc: TSC,
  "tsc-pretty": TSC,
  eslint: {
    runner: "eslint",
    testsRun: null,
    testsFailed: null,
    failing: ["es/bad.js: eqeqeq", "es/bad.js: no-debugger"],
    firstError: /Unexpected 'debugger' statement/,
  },
  biome: {
    runner: "biome",
    testsRun: null,
    testsFailed: null,
    failing: ["bad.js: lint/suspicious/noDebugger", "bad.js: lint/suspicious/noDoubleEquals"],
    firstError: /debugger statement/,
  },
};

describe("readOutput", () => {
  it.each(Object.entries(SAMPLES))("%s", (name, expected) => {
    const { firstError, ...reading } = readOutput(sample(name), "/tmp/fx2");
    const { firstError: wanted, ...rest } = expected;
    expect(reading).toEqual(rest);
    if (wanted instanceof RegExp) expect(firstError).toMatch(wanted);
    else expect(firstError).toBe(wanted ?? null);
  });

  it("VG-04 tells a run without tests from a run that passed", () => {
    for (const name of ["node-none", "vitest-none", "jest-none", "mocha-none", "pytest-none", "go-none"])
      expect([name, readOutput(sample(name)).testsRun === 0]).toEqual([name, true]);
    for (const name of ["node-spec-ok", "vitest-ok", "jest-ok", "mocha-ok", "pytest-ok", "go-ok", "tsc"])
      expect([name, readOutput(sample(name)).testsRun === 0]).toEqual([name, false]);
  });

  it("does not count skipped tests as run", () => {
    expect(readOutput("# tests 2\n# pass 0\n# fail 0\n# cancelled 0\n# skipped 2\n# todo 0\n").testsRun).toBe(0);
    expect(readOutput(" Test Files  1 skipped (1)\n      Tests  4 skipped (4)\n").testsRun).toBe(0);
    expect(readOutput("Tests:       3 skipped, 3 total\n").testsRun).toBe(0);
    expect(readOutput("===== 4 skipped in 0.01s =====\n").testsRun).toBe(0);
  });

  it("adds up several summaries and several tools of one gate", () => {
    const twice = readOutput(`${sample("vitest-ok")}${sample("vitest-ok")}`);
    expect(twice.testsRun).toBe(2);
    const mixed = readOutput(`${sample("tsc")}\n${sample("node-spec")}`);
    expect(mixed.runner).toBe("node:test, tsc");
    expect(mixed.testsRun).toBe(4);
    expect(mixed.failing).toHaveLength(4);
  });

  it("shows one of three equal errors fixed as fewer names", () => {
    const error = (line: number): string => `a.ts(${line},1): error TS2304: Cannot find name 'x'.`;
    expect(readOutput([1, 2, 3].map(error).join("\n")).failing).toHaveLength(3);
    expect(readOutput([7, 9].map(error).join("\n")).failing).toEqual(readOutput([1, 2].map(error).join("\n")).failing);
  });

  it("gives the same names in every worktree", () => {
    const at = (root: string): string[] => readOutput(sample("eslint").replaceAll("/tmp/fx2", root.replace(/\/$/, "")), root).failing;
    expect(at("/home/a/app")).toEqual(at("/tmp/proof-1/"));
  });

  it.each([
    ["building\nsrc/a.c:3:1: error: expected ';'\nmake: *** [all] Error 1", "src/a.c:3:1: error: expected ';'"],
    ['start\nTraceback (most recent call last):\n  File "x.py", line 1\nValueError: bad\n', "ValueError: bad"],
    ["0 errors, 0 warnings\nall good", null],
    ["ℹ fail 0\nERROR: Coverage for lines (75%) does not meet global threshold (80%)", "ERROR: Coverage for lines (75%) does not meet global threshold (80%)"],
    ["", null],
  ])("finds the first error of unknown tools: %j", (text, error) => {
    expect(readOutput(text)).toEqual({
      testsRun: null,
      testsFailed: error?.startsWith("ERROR") ? 0 : null,
      failing: [],
      firstError: error,
      runner: error?.startsWith("ERROR") ? "node:test" : null,
    });
  });

  it("never throws on cut or mixed output", () => {
    const whole = Object.keys(SAMPLES).map(sample).join("\n");
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(4000), (from, length) => {
        const reading = readOutput(whole.slice(from, from + length));
        expect(reading.testsRun ?? 0).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 200 },
    );
  });
});
