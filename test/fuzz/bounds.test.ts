/** Readers of foreign text against what parsers stumble over: no input takes time or memory out of proportion to its size. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { READERS, type Read, type Reader } from "./readers.js";
import { SHAPES, type Shape } from "./shapes.js";

/** Characters. The suite sees what explodes; only texts of more, in `npm run fuzz`, tell squares from noise. */
const LENGTH = process.env["FUZZ_INPUTS"] === undefined ? 1_000 : 24_000;
/** Times what an ordinary text of the same size takes. */
const MOST_TIMES = 60;
/** Of four times the text; linear is 4, quadratic 16. */
const MOST_GROWTH = 11;
/** Below this nothing is told from noise, and nobody waits. */
const NOTICED_MS = 250;
const REPEATS = 4;
/** Of what a reading keeps alive. */
const MOST_BYTES_PER_CHARACTER = 300;

setFlagsFromString("--expose_gc");
const collect = runInNewContext("gc") as () => void; // what the flag adds is in no type

let salt = 0;

/** CPU of this process, so that a busy machine does not count. No text comes twice: some readers remember. */
function timed(read: Read, text: string): { tookMs: number; reading: unknown } {
  const fresh = `${text}\n${salt++}`;
  const from = process.cpuUsage();
  const reading = read(fresh);
  const { user, system } = process.cpuUsage(from);
  return { tookMs: (user + system) / 1_000, reading };
}

/** The least of some tries, of which the first that is in bounds ends the trying. */
function repeatedMs(read: Read, text: string, bound: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < REPEATS && least > bound; n++) least = Math.min(least, timed(read, text).tookMs);
  return least;
}

/** Null for a shape that is read in time. */
function whySlow({ read }: Reader, shape: Shape, { tookMs, baseMs }: { tookMs: number; baseMs: number }): string | null {
  if (tookMs <= NOTICED_MS) return null;
  const leastMs = Math.min(tookMs, repeatedMs(read, shape(LENGTH), NOTICED_MS));
  if (leastMs <= NOTICED_MS) return null;
  if (leastMs > MOST_TIMES * baseMs) return `${leastMs} ms of CPU, ${baseMs} for an ordinary text`;
  const quarterMs = repeatedMs(read, shape(LENGTH / 4), 0);
  return leastMs > MOST_GROWTH * quarterMs ? `${leastMs} ms of CPU, ${quarterMs} for a quarter of it` : null;
}

it.each(Object.entries(READERS))(
  "%s costs neither time nor memory out of proportion",
  (_, reader) => {
    const baseMs = repeatedMs(reader.read, reader.ordinary(LENGTH), 0);
    const kept: unknown[] = [];
    const slow: string[] = [];
    let characters = 0;
    collect();
    const before = process.memoryUsage().heapUsed;
    for (const [name, shape] of Object.entries(SHAPES)) {
      const text = shape(LENGTH);
      characters += text.length;
      const { tookMs, reading } = timed(reader.read, text);
      kept.push(reading);
      const why = whySlow(reader, shape, { tookMs, baseMs });
      if (why !== null) slow.push(`${name}: ${why}`);
    }
    expect(slow).toEqual([]);
    collect();
    expect((process.memoryUsage().heapUsed - before) / characters).toBeLessThan(MOST_BYTES_PER_CHARACTER);
    expect(kept.length).toBe(Object.keys(SHAPES).length);
  },
  3_600_000,
);
