/**
 * Labelled traces of what agents do: stuck in ten ways, busy in ten ways that look stuck. Each kind is drawn with noise
 * that real output carries (paths, times, ids), so that a brake that compares bytes would miss, and one that compares
 * names alone would fire.
 */
import type { Action } from "../../src/core/brakes/types.js";
import { random, type Random } from "../sim/random.js";

export interface Trace {
  kind: string;
  /** The brake that must end it; null for work that must go on. */
  expected: "gutter_command" | "gutter_thrash" | null;
  actions: Action[];
}

type Maker = (rng: Random) => Action[];

const T0 = 1_780_000_000_000;

export function traces(perKind: number): Trace[] {
  const all: Trace[] = [];
  const add = (kinds: Record<string, Maker>, expected: (kind: string) => Trace["expected"]): void => {
    for (const [kind, make] of Object.entries(kinds)) {
      for (let n = 1; n <= perKind; n++) all.push({ kind, expected: expected(kind), actions: timed(make(random(n * 7_919 + kind.length))) });
    }
  };
  add(STUCK, (kind) => (kind.startsWith("write") ? "gutter_thrash" : "gutter_command"));
  add(BUSY, () => null);
  return all;
}

/** Actions come 20 seconds apart unless they say otherwise. */
function timed(actions: Action[]): Action[] {
  return actions.map((action, index) => ({ ...action, atMs: T0 + (action.atMs > 0 ? action.atMs : index * 20_000) }));
}

const command = (text: string, output: string, exitCode: number): Action => ({
  kind: "command",
  command: text,
  failed: exitCode !== 0,
  exitCode,
  output,
  atMs: 0,
});
const write = (path: string, before: string | null, after: string): Action => ({ kind: "write", path, before, after, atMs: 0 });
const tool = (name: string, input: unknown): Action => ({ kind: "tool", name, input, atMs: 0 });
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

const hex = (rng: Random, length: number): string => times(length, () => rng.below(16).toString(16)).join("");
const seconds = (rng: Random): string => `${rng.below(9)}.${10 + rng.below(89)}s`;
const lines = (count: number, name = "line"): string[] => times(count, (index) => `${name} ${index} of the file`);
const withLine = (at: number, text: string, count = 60): string =>
  lines(count)
    .map((line, index) => (index === at ? text : line))
    .join("\n");

/** One file rewritten through these contents. */
function rewrites(path: string, contents: string[]): Action[] {
  return contents.map((content, index) => write(path, contents[index - 1] ?? withLine(-1, ""), content));
}

const nodeTest = (rng: Random, failing: string[]): string =>
  [
    ...failing.map((name) => `✖ ${name} (${rng.below(90)}.${rng.below(999)}ms)`),
    `ℹ tests ${12 + failing.length}`,
    `ℹ pass 12`,
    `ℹ fail ${failing.length}`,
    `ℹ duration_ms ${rng.below(9_999)}.12`,
    "✖ failing tests:",
    ...failing.map((name) => `✖ ${name}\n  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal`),
  ].join("\n");

const STUCK: Record<string, Maker> = {
  "same test, same failure": (rng) => times(3, () => command("npm test", nodeTest(rng, ["adds up"]), 1)),
  "same failure with other temporary paths": (rng) =>
    times(3, () => command("pytest -q", `E   FileNotFoundError: /tmp/${hex(rng, 8)}/data.json\n1 failed in ${seconds(rng)}`, 1)),
  "same failure with other times and ids": (rng) =>
    times(3, () =>
      command(
        "make build",
        `[2026-11-30T0${rng.below(9)}:1${rng.below(9)}:00Z] pid ${1000 + rng.below(9000)} error: undefined reference to \`main' (${hex(rng, 12)})`,
        2,
      ),
    ),
  "three spellings of one command": (rng) => [
    command("npm test", nodeTest(rng, ["adds up"]), 1),
    command("npm test 2>&1", nodeTest(rng, ["adds up"]), 1),
    command("cd packages/core && cd ../.. && npm test", nodeTest(rng, ["adds up"]), 1),
  ],
  "failure with edits that change nothing about it": (rng) =>
    times(3, (n) => [
      write(`src/try-${n}-${rng.below(99)}.js`, null, `export const a = ${n};\n`),
      command("node check.js", "Error: Cannot find module './missing.js'", 1),
    ]).flat(),
  "failure with reading in between": (rng) =>
    times(3, () => [
      tool("Read", { file_path: `/repo/src/${rng.below(9)}.js` }),
      tool("Grep", { pattern: "x" }),
      command("npx tsc -p .", "src/a.ts(3,1): error TS2304: Cannot find name 'y'.", 2),
    ]).flat(),
  "missing permission again and again": (rng) => times(3, () => command("./deploy.sh staging", `rsync: permission denied (13) at ${seconds(rng)}`, 23)),
  "write the same lines again and again": (rng) =>
    rewrites(
      "src/parser.js",
      times(6, (n) => withLine(10, `const x = ${n}${rng.below(9)};`)),
    ),
  "write two versions in turn": (rng) =>
    rewrites(
      "src/flip.js",
      times(7, (n) => withLine(20, n % 2 === 0 ? "return a;" : `return b; // ${hex(rng, 0)}`)),
    ),
  "write and take back": (rng) =>
    rewrites(
      "lib/state.py",
      times(7, (n) => withLine(5 + rng.below(1), n % 2 === 0 ? "value = 1" : "value = None")),
    ),
};

const BUSY: Record<string, Maker> = {
  "test-driven work: fewer failures each time": (rng) =>
    times(6, (n) => [
      write("src/sum.js", withLine(n, "old"), withLine(n, "new")),
      command(
        "npm test",
        nodeTest(
          rng,
          times(6 - n, (k) => `case ${k}`),
        ),
        n === 5 ? 0 : 1,
      ),
    ]).flat(),
  "another failure each time": (rng) =>
    times(5, (n) => command("cargo build", `error[E0${n}${rng.below(9)}${n}]: mismatched types in module${n}::part\n --> src/m${n}.rs:${n + 3}`, 101)),
  "failing, passing, failing again": (rng) =>
    times(6, (n) => (n % 2 === 0 ? command("npm test", nodeTest(rng, ["flaky case"]), 1) : command("npm test", "ℹ tests 13\nℹ pass 13\nℹ fail 0", 0))),
  "five edits of five regions": () => {
    const base = lines(100);
    const contents = times(6, (n) => base.map((line, index) => (index % 18 === 0 && index / 18 < n ? `edited ${index}` : line)).join("\n"));
    return contents.slice(1).map((content, index) => write("src/big.ts", contents[index] ?? "", content));
  },
  "a file that grows": () => times(8, (n) => write("src/routes.js", lines(20 + n * 5, "route").join("\n"), lines(25 + n * 5, "route").join("\n"))),
  "polling for a server": (rng) => times(8, () => command("curl -sf http://127.0.0.1:3000/health", `curl: (7) Failed to connect after ${rng.below(9)} ms`, 7)),
  "searches that find nothing": (rng) => times(8, () => command(`grep -rn "needle${rng.below(3)}" src`, "", 1)),
  "many renames": () => times(14, (n) => command(`git mv src/old-${n}.js src/new/${n}.js`, "", 0)),
  "notes and lock files": (rng) =>
    times(9, (n) => [
      write(".ralph/progress.md", `note ${n}\n`, `note ${n + 1}\n`),
      write("package-lock.json", `{"a":${n}}`, `{"a":${n + 1}${rng.below(9)}}`),
    ]).flat(),
  "a formatter after each save": () =>
    times(4, (n) => {
      const saved = withLine(n * 12, `const   a${n}=1`);
      return [write("src/style.ts", withLine(n * 12, "x"), saved), write("src/style.ts", saved, withLine(n * 12, `const a${n} = 1`))];
    }).flat(),
};
