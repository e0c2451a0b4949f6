/** What the driver holds resident while a long run goes on. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, atMost, median, plain } from "./figure.js";
import { journal, scratchRepository, timedRun } from "./scratch.js";

const ITERATIONS = 3_000;
const EARLY = 300;
/** The agent is a child of the driver and looks at its parent. */
const AGENT = "#!/bin/sh\necho line >> work.txt\ngrep VmRSS /proc/$PPID/status >> ../resident\n";
/** Around each point, since the garbage collector makes single values jump by megabytes. */
const WINDOW = 10;
/** Iterations whose time is one value: a single one is at the mercy of the machine. */
const SPAN = 200;
const GOAL_KB = 1;
/** What a person would call the same, on a machine that does other things as well. */
const GOAL_RATIO = 1.25;

export const memory: Benchmark = {
  name: "memory",
  method:
    `A run of ${ITERATIONS} iterations; its agent notes the driver's resident memory (VmRSS). Values are medians of ${WINDOW} iterations before the named one. ` +
    `Before iteration ${EARLY} V8's heap is still finding its size. The time of an iteration is the mean of ${SPAN} after the tenth, and of the last ${SPAN}.`,
  async run() {
    const scratch = scratchRepository(AGENT);
    await timedRun(scratch, ITERATIONS);
    const resident = [...readFileSync(join(scratch.root, "../resident"), "utf8").matchAll(/(\d+) kB/g)].map((match) => Number(match[1]));
    const starts = journal(scratch)
      .filter(({ type }) => type === "iteration.started")
      .map(({ at }) => Date.parse(at));
    scratch.dispose();
    const around = (iteration: number): number => median(resident.slice(Math.max(0, iteration - WINDOW), iteration));
    const spanMs = (from: number): number => ((starts[from + SPAN] ?? Number.NaN) - (starts[from] ?? Number.NaN)) / SPAN;
    const [first, last] = [spanMs(10), spanMs(starts.length - 1 - SPAN)];
    return [
      plain("resident at iteration 10", around(10) / 1024, "MB"),
      plain(`resident at iteration ${EARLY}`, around(EARLY) / 1024, "MB"),
      plain(`resident at iteration ${ITERATIONS}`, around(ITERATIONS) / 1024, "MB"),
      atMost(`growth from iteration ${EARLY} to ${ITERATIONS}`, (around(ITERATIONS) - around(EARLY)) / (ITERATIONS - EARLY), "KB an iteration", GOAL_KB),
      plain("an iteration at 10", first, "ms"),
      plain(`an iteration at ${ITERATIONS}`, last, "ms"),
      atMost(`an iteration at ${ITERATIONS} / at 10`, last / first, "", GOAL_RATIO),
    ];
  },
};
