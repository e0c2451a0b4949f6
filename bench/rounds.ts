/** The same work by a shell loop and by the driver, and how long an iteration of each takes. */
import { journal, type Scratch, timed, timedRun } from "./scratch.js";

const shellLoop = (iterations: number): string => `i=0
while [ $i -lt ${iterations} ]; do
  ./agent.sh </dev/null
  git add -A
  git commit -q -m "iteration $i"
  i=$((i+1))
done`;

/** Milliseconds an iteration. */
export async function byShell(scratch: Scratch, iterations: number): Promise<number> {
  const { ms, code } = await timed("sh", ["-c", shellLoop(iterations)], { cwd: scratch.root, env: scratch.env });
  if (code !== 0) throw new Error(`the shell loop exited with ${code}`);
  return ms / iterations;
}

export interface DriverTime {
  /** Milliseconds an iteration, from the first start of one in the journal to the last. */
  iterationMs: number;
  /** What the program took beyond its iterations: start, first look, report, end. */
  aroundMs: number;
}

export async function byDriver(scratch: Scratch, iterations: number, sandbox: "on" | "off" = "off"): Promise<DriverTime> {
  const wholeMs = await timedRun(scratch, iterations, sandbox);
  const starts = journal(scratch)
    .filter(({ type }) => type === "iteration.started")
    .map(({ at }) => Date.parse(at));
  const iterationMs = ((starts.at(-1) ?? Number.NaN) - (starts[0] ?? Number.NaN)) / (starts.length - 1);
  return { iterationMs, aroundMs: wholeMs - iterationMs * iterations };
}
