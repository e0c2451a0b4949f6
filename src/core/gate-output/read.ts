/** Reads what a gate printed: how many tests ran, which checks fail, what went wrong first. */
import { readCargo } from "./cargo.js";
import { firstErrorLine } from "./first-error.js";
import { readGo } from "./go.js";
import { readJest } from "./jest.js";
import { readBiome, readEslint, readTsc } from "./linters.js";
import { readMocha } from "./mocha.js";
import { readNodeTest } from "./node-test.js";
import { readPytest } from "./pytest.js";
import { plainLines, type OutputReading, type Reader } from "./reading.js";
import { readVitest } from "./vitest.js";

export type { OutputReading } from "./reading.js";

const READERS: readonly (readonly [string, Reader])[] = [
  ["node:test", readNodeTest],
  ["vitest", readVitest],
  ["jest", readJest],
  ["mocha", readMocha],
  ["pytest", readPytest],
  ["go", readGo],
  ["cargo", readCargo],
  ["tsc", readTsc],
  ["eslint", readEslint],
  ["biome", readBiome],
];

const MAX_ERROR_CHARS = 300;
/** Names beyond this many say nothing more to a person or a prompt; the counts stay exact. */
const MAX_NAMES = 500;
const MAX_NAME_CHARS = 300;

/**
 * One gate may run several tools in a row: counts add up, names are united.
 * `root` is taken off absolute paths, so that a name is the same in every worktree.
 */
export function readOutput(text: string, root?: string): OutputReading {
  const lines = plainLines(root === undefined || root === "" ? text : text.replaceAll(`${root.replace(/\/$/, "")}/`, ""));
  const found = READERS.flatMap(([runner, read]) => {
    const reading = read(lines);
    return reading === null ? [] : [{ runner, ...reading }];
  });
  const names = found.flatMap((reading) => reading.failing.map((name) => name.slice(0, MAX_NAME_CHARS)));
  const named = found.find((reading) => reading.firstError !== null)?.firstError ?? firstErrorLine(lines);
  return {
    testsRun: addKnown(found.map((reading) => reading.testsRun)),
    testsFailed: addKnown(found.map((reading) => reading.testsFailed)),
    failing: [...new Set(names)].sort().slice(0, MAX_NAMES),
    firstError: named?.slice(0, MAX_ERROR_CHARS) ?? null,
    runner: found.length === 0 ? null : found.map((reading) => reading.runner).join(", "),
  };
}

function addKnown(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
}
