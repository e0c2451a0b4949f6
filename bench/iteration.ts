/** What the driver adds to an iteration over a shell loop that runs the same agent and commits the same way. */
import { type Benchmark, type Figure, atMost, median, medianRatio, plain } from "./figure.js";
import { byDriver, byShell, type DriverTime } from "./rounds.js";
import { AGENT, scratchRepository, timed } from "./scratch.js";

const ITERATIONS = 50;
const ROUNDS = 7;
const GOAL = 1.5;
const GOAL_IN_SANDBOX = 2.5;

export const iteration: Benchmark = {
  name: "iteration",
  method:
    `${ROUNDS} rounds in alternating order, each: a shell loop of ${ITERATIONS} times agent, \`git add -A\`, \`git commit\`; and \`ralphd run -n ${ITERATIONS}\` with the same agent ` +
    "(a shell script that appends one line; no gates, durable journal), without a sandbox and where bubblewrap is installed with it. The driver's iteration is the time from its first to its last " +
    "`iteration.started` in the journal, by count; start and end of the program are what the whole run took beyond that. Ratios are medians of the rounds' ratios.",
  async run() {
    const sandboxed = await canSandbox();
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const loop = round % 2 === 0 ? await shell() : null;
      const driven = await driver("off");
      const isolated = sandboxed ? await driver("on") : null;
      rounds.push({ ours: driven.iterationMs, floor: loop ?? (await shell()), aroundMs: driven.aroundMs, isolated: isolated?.iterationMs ?? null });
    }
    return figures(rounds);
  },
};

interface Round {
  ours: number;
  floor: number;
  aroundMs: number;
  /** null without a sandbox on this machine. */
  isolated: number | null;
}

async function shell(): Promise<number> {
  const scratch = scratchRepository(AGENT);
  const ms = await byShell(scratch, ITERATIONS);
  scratch.dispose();
  return ms;
}

async function driver(sandbox: "on" | "off"): Promise<DriverTime> {
  const scratch = scratchRepository(AGENT);
  const time = await byDriver(scratch, ITERATIONS, sandbox);
  scratch.dispose();
  return time;
}

/** Mounts and namespaces need the permission of the machine, not only the program. */
async function canSandbox(): Promise<boolean> {
  const probe = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--unshare-pid", "true"];
  return timed("bwrap", probe, { cwd: "/", env: process.env }).then(
    ({ code }) => code === 0,
    () => false,
  );
}

function figures(rounds: readonly Round[]): Figure[] {
  const isolated = rounds.flatMap(({ isolated: ours, floor }) => (ours === null ? [] : [{ ours, floor }]));
  return [
    plain("shell loop, an iteration", median(rounds.map(({ floor }) => floor)), "ms"),
    plain("ralphd, an iteration", median(rounds.map(({ ours }) => ours)), "ms"),
    plain("added to an iteration", median(rounds.map(({ ours, floor }) => ours - floor)), "ms"),
    atMost("ralphd / shell loop", medianRatio(rounds), "", GOAL),
    ...(isolated.length === 0 ? [] : [atMost("ralphd in the sandbox / shell loop", medianRatio(isolated), "", GOAL_IN_SANDBOX)]),
    plain("start and end of the program", median(rounds.map(({ aroundMs }) => aroundMs)), "ms"),
    atMost(
      `whole run of ${ITERATIONS} iterations, start and end included / shell loop`,
      medianRatio(rounds.map(({ ours, floor, aroundMs }) => ({ ours: ours + aroundMs / ITERATIONS, floor }))),
      "",
      null,
    ),
  ];
}
