/**
 * `npm run sim:soak -- --nights N --seed S --workers W`: a million nights, in chunks over processes of their own. What is
 * done when it is interrupted is said with the seed to go on from.
 */
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Played, table, wholeNumber } from "./nights.js";

export interface Chunk {
  first: number;
  nights: number;
}

/** Some 20 seconds of one core. */
const CHUNK_NIGHTS = 1_000;
const WORKER = fileURLToPath(new URL("./soak-worker.js", import.meta.url));

const { values } = parseArgs({
  options: {
    nights: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    workers: { type: "string", default: String(availableParallelism()) },
  },
});
const nights = wholeNumber("nights", values.nights, 1);
const first = wholeNumber("seed", values.seed, 0);
const workers = wholeNumber("workers", values.workers, 1);

const startedMs = performance.now();
const outcomes: Played["outcomes"] = {};
/** First seeds of the chunks at work. */
const open = new Set<number>();
const children = new Set<ChildProcess>();
let next = first;
let done = 0;
let over = false;

process.on("SIGINT", () => end(130, "Interrupted.\n"));
for (let n = 0; n < Math.min(workers, Math.ceil(nights / CHUNK_NIGHTS)); n++) startWorker();

function startWorker(): void {
  const child = fork(WORKER);
  children.add(child);
  let chunk = give(child);
  child.on("message", (played: Played) => {
    if (chunk === null || over) return;
    if (played.failure !== null) return end(1, played.failure);
    take(chunk, played);
    chunk = give(child);
    if (chunk !== null) return;
    child.disconnect();
    if (open.size === 0) end(0, `${table(outcomes)}${nights} nights from seed ${first}, each also with a crash at a drawn effect: every invariant held.\n`);
  });
  child.on("exit", (code, signal) => {
    children.delete(child);
    if (chunk !== null && !over)
      end(
        1,
        `The process that played the seeds from ${chunk.first} ended with ${code ?? signal}; again: npm run sim -- --nights ${chunk.nights} --seed ${chunk.first}\n`,
      );
  });
}

function give(child: ChildProcess): Chunk | null {
  const left = first + nights - next;
  if (left <= 0) return null;
  const chunk = { first: next, nights: Math.min(CHUNK_NIGHTS, left) };
  next += chunk.nights;
  open.add(chunk.first);
  child.send(chunk);
  return chunk;
}

function take(chunk: Chunk, played: Played): void {
  open.delete(chunk.first);
  done += chunk.nights;
  for (const [key, count] of Object.entries(played.outcomes)) outcomes[key] = (outcomes[key] ?? 0) + count;
  const seconds = (performance.now() - startedMs) / 1_000;
  const leftMinutes = Math.ceil(((seconds / done) * (nights - done)) / 60);
  process.stdout.write(`${done} of ${nights} nights in ${Math.round(seconds)} s, about ${leftMinutes} min left; all below seed ${reached()} are done\n`);
}

/** Chunks end in any order: the lowest seed that is not done. */
function reached(): number {
  return Math.min(next, ...open);
}

function end(code: number, message: string): void {
  over = true;
  for (const child of children) child.kill();
  process.stdout.write(message);
  const left = first + nights - reached();
  if (code !== 0) process.stdout.write(`${done} nights held. To go on: npm run sim:soak -- --nights ${left} --seed ${reached()}\n`);
  process.exitCode = code;
}
