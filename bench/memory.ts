/** What the driver holds resident while a long run goes on. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, atMost, median, plain } from "./figure.js";
import { scratchRepository, timedRun } from "./scratch.js";

const ITERATIONS = 600;
/** The agent is a child of the driver and looks at its parent. */
const AGENT = "#!/bin/sh\necho line >> work.txt\ngrep VmRSS /proc/$PPID/status >> ../resident\n";
/** Around each point, since the garbage collector makes single values jump by megabytes. */
const WINDOW = 10;
const GOAL_KB = 1;

export const memory: Benchmark = {
  name: "memory",
  method:
    `A run of ${ITERATIONS} iterations; its agent notes the driver's resident memory (VmRSS). Values are medians of ${WINDOW} iterations before the named one. ` +
    "The goal is for the second half of the run: before that V8's heap is still finding its size.",
  async run() {
    const scratch = scratchRepository(AGENT);
    await timedRun(scratch, ITERATIONS);
    const resident = [...readFileSync(join(scratch.root, "../resident"), "utf8").matchAll(/(\d+) kB/g)].map((match) => Number(match[1]));
    scratch.dispose();
    const around = (iteration: number): number => median(resident.slice(Math.max(0, iteration - WINDOW), iteration));
    const half = ITERATIONS / 2;
    return [
      plain("resident at iteration 10", around(10) / 1024, "MB"),
      plain(`resident at iteration ${half}`, around(half) / 1024, "MB"),
      plain(`resident at iteration ${ITERATIONS}`, around(ITERATIONS) / 1024, "MB"),
      plain(`growth from iteration 10 to ${half}`, (around(half) - around(10)) / (half - 10), "KB an iteration"),
      atMost(`growth from iteration ${half} to ${ITERATIONS}`, (around(ITERATIONS) - around(half)) / half, "KB an iteration", GOAL_KB),
    ];
  },
};
