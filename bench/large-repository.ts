/** What the driver adds in a repository of 50,000 files, where git itself is slow. */
import { mkdirSync, writeFileSync } from "node:fs";
import { type Benchmark, atMost, median, medianRatio, plain } from "./figure.js";
import { byDriver, byShell } from "./rounds.js";
import { AGENT, scratchRepository } from "./scratch.js";

const FOLDERS = 500;
const FILES_IN_EACH = 100;
const ITERATIONS = 10;
const ROUNDS = 3;

export const largeRepository: Benchmark = {
  name: "large",
  method: `As \`iteration\`, in one repository of ${FOLDERS * FILES_IN_EACH} files in ${FOLDERS} folders: ${ROUNDS} rounds of ${ITERATIONS} iterations each.`,
  async run() {
    const scratch = scratchRepository(AGENT, (root) => {
      for (let folder = 0; folder < FOLDERS; folder++) {
        mkdirSync(`${root}/src/part-${folder}`, { recursive: true });
        for (let file = 0; file < FILES_IN_EACH; file++) writeFileSync(`${root}/src/part-${folder}/file-${file}.txt`, `content ${folder} ${file}\n`);
      }
    });
    const rounds: { ours: number; floor: number; aroundMs: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const floor = await byShell(scratch, ITERATIONS);
      const { iterationMs, aroundMs } = await byDriver(scratch, ITERATIONS);
      rounds.push({ ours: iterationMs, floor, aroundMs });
      scratch.git("checkout", "--quiet", "main");
    }
    scratch.dispose();
    return [
      plain("shell loop, an iteration", median(rounds.map(({ floor }) => floor)), "ms"),
      plain("ralphd, an iteration", median(rounds.map(({ ours }) => ours)), "ms"),
      plain(`added to ${ITERATIONS} iterations`, median(rounds.map(({ ours, floor }) => (ours - floor) * ITERATIONS)), "ms"),
      plain(
        `added to ${ITERATIONS} iterations, start and end of the program included`,
        median(rounds.map(({ ours, floor, aroundMs }) => (ours - floor) * ITERATIONS + aroundMs)),
        "ms",
      ),
      atMost("ralphd / shell loop", medianRatio(rounds), "", null),
    ];
  },
};
