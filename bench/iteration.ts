/** What the driver adds to an iteration over a shell loop that runs the same agent and commits the same way. */
import { type Benchmark, type Figure, atMost, median, medianRatio, plain } from "./figure.js";
import { AGENT, journal, scratchRepository, timed, timedRun } from "./scratch.js";

const ITERATIONS = 50;
const ROUNDS = 7;
const GOAL = 1.5;

const SHELL_LOOP = `i=0
while [ $i -lt ${ITERATIONS} ]; do
  ./agent.sh </dev/null
  git add -A
  git commit -q -m "iteration $i"
  i=$((i+1))
done`;

export const iteration: Benchmark = {
  name: "iteration",
  method:
    `${ROUNDS} rounds in alternating order, each: a shell loop of ${ITERATIONS} times agent, \`git add -A\`, \`git commit\`; and \`ralphd run -n ${ITERATIONS}\` with the same agent ` +
    "(no gates, no sandbox, durable journal). The driver's iteration is the time from its first to its last `iteration.started` in the journal, by count; " +
    "start and end of the program are what the whole run took beyond that. Ratios are medians of the rounds' ratios.",
  async run() {
    const pairs: { ours: number; floor: number; aroundMs: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [first, second] = round % 2 === 0 ? [shellLoop, driver] : [driver, shellLoop];
      const results = { ...(await first()), ...(await second()) } as { ours: number; floor: number; aroundMs: number };
      pairs.push(results);
    }
    return figures(pairs);
  },
};

async function shellLoop(): Promise<{ floor: number }> {
  const scratch = scratchRepository(AGENT);
  const { ms, code } = await timed("sh", ["-c", SHELL_LOOP], { cwd: scratch.root, env: scratch.env });
  scratch.dispose();
  if (code !== 0) throw new Error(`the shell loop exited with ${code}`);
  return { floor: ms / ITERATIONS };
}

async function driver(): Promise<{ ours: number; aroundMs: number }> {
  const scratch = scratchRepository(AGENT);
  const wholeMs = await timedRun(scratch, ITERATIONS);
  const events = journal(scratch);
  scratch.dispose();
  const starts = events.filter(({ type }) => type === "iteration.started").map(({ at }) => Date.parse(at));
  const ours = ((starts.at(-1) ?? Number.NaN) - (starts[0] ?? Number.NaN)) / (starts.length - 1);
  return { ours, aroundMs: wholeMs - ours * ITERATIONS };
}

function figures(pairs: readonly { ours: number; floor: number; aroundMs: number }[]): Figure[] {
  const [ours, floor] = [median(pairs.map((pair) => pair.ours)), median(pairs.map((pair) => pair.floor))];
  return [
    plain("shell loop, an iteration", floor, "ms"),
    plain("ralphd, an iteration", ours, "ms"),
    plain("added to an iteration", median(pairs.map((pair) => pair.ours - pair.floor)), "ms"),
    atMost("ralphd / shell loop", medianRatio(pairs), "", GOAL),
    plain("start and end of the program", median(pairs.map((pair) => pair.aroundMs)), "ms"),
  ];
}
