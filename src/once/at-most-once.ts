/**
 * A write that happens at most once per key and window, whoever asks for it: the record is durable before the write
 * begins, and after a crash in between nobody guesses.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { acquireLock } from "../workspace/lock.js";
import { type Entry, entryDir, entryDirs, forget, isValid, type Output, readEntry, readOutput, writeEntry, writeOutput } from "./entry.js";

/** How often a waiting call looks again. */
const POLL_MS = 50;

export interface Write {
  store: string;
  key: string;
  /** Tells wanted repetitions of the same write apart, from 1. */
  ordinal: number;
  /** How long the first result stands for later calls; 0: a later call is another write, unless the first one's end is unknown. */
  windowMs: number;
  /** What the key stands for, to notice that it is used for two things. Stored, so never a secret. */
  argv: string[];
  cwd: string;
  nowMs(): number;
  /** Hears of a call that waits for another one's result. */
  waiting?(owner: number | null, waitedMs: number): void;
  /** Looks at the other side when nobody knows the end of the first call. Null: it can't be told. */
  happened?(): Promise<boolean | null>;
}

/** What a write says of itself. */
export type WriteEnd =
  | { kind: "happened"; exitCode: number; output: Output }
  /** Nothing changed anywhere: no record stays. */
  | { kind: "didNot" }
  | { kind: "unknown"; why: string; output: Output };

export type WriteOutcome =
  | { kind: "made"; end: WriteEnd }
  /** An earlier call made it; this is its result. */
  | { kind: "repeated"; entry: Entry; output: Output }
  /** Whether an earlier call made it is for a person to find out. */
  | { kind: "unknown"; entry: Entry }
  | { kind: "damaged"; path: string }
  | { kind: "otherWrite"; entry: Entry };

/** Throws where the record can't be written; nothing was made then, or its end is asked for at the next call. */
export async function atMostOnce(write: Write, make: () => Promise<WriteEnd>): Promise<WriteOutcome> {
  const dir = entryDir(write.store, write.key, write.ordinal);
  const lock = await takeTurn(dir, write);
  try {
    return await decide(dir, write, make);
  } finally {
    lock.release();
  }
}

/** Concurrent calls wait for the one that runs; a dead one's turn is taken over. */
export async function takeTurn(dir: string, { waiting }: Pick<Write, "waiting">): Promise<{ release(): void }> {
  const startedMs = performance.now();
  for (;;) {
    const lock = acquireLock(dir, { run: `once-${process.pid}` });
    if (lock.kind === "acquired") return lock;
    waiting?.(lock.owner?.pid ?? null, performance.now() - startedMs);
    await sleep(POLL_MS);
  }
}

async function decide(dir: string, write: Write, make: () => Promise<WriteEnd>): Promise<WriteOutcome> {
  const reading = readEntry(dir);
  if (reading.kind === "damaged") return reading;
  if (reading.kind === "none") return perform(dir, write, make);
  let { entry } = reading;
  if (entry.state === "pending") {
    // This call has the turn, so whoever wrote that is gone.
    entry = { ...entry, state: "unknown", note: "the call that started it ended before its result was known" };
    writeEntry(dir, entry);
  }
  if (entry.state === "unknown") {
    const happened = (await write.happened?.()) ?? null;
    if (happened === null) return { kind: "unknown", entry };
    if (!happened) return perform(dir, write, make);
    entry = { ...entry, state: "done", exitCode: 0, note: "seen on the other side" };
    writeEntry(dir, entry);
    return { kind: "repeated", entry, output: outputOf(dir) };
  }
  if (!isValid(entry, write.nowMs(), write.windowMs)) return perform(dir, write, make);
  // A record that a person wrote off without knowing the command has none.
  const same = entry.argv.length === 0 || JSON.stringify(entry.argv) === JSON.stringify(write.argv);
  return same ? { kind: "repeated", entry, output: outputOf(dir) } : { kind: "otherWrite", entry };
}

function outputOf(dir: string): Output {
  return { stdout: readOutput(dir, "stdout"), stderr: readOutput(dir, "stderr") };
}

async function perform(dir: string, write: Write, make: () => Promise<WriteEnd>): Promise<WriteOutcome> {
  const { key, ordinal, argv, cwd, windowMs } = write;
  forget(dir);
  const pending: Entry = { version: 1, key, ordinal, argv, cwd, startedAtMs: write.nowMs(), windowMs, state: "pending", note: null, exitCode: null };
  writeEntry(dir, pending);
  const end = await make();
  if (end.kind === "didNot") forget(dir);
  else writeOutput(dir, end.output);
  if (end.kind === "unknown") writeEntry(dir, { ...pending, state: "unknown", note: end.why });
  if (end.kind === "happened") writeEntry(dir, { ...pending, state: "done", exitCode: end.exitCode });
  tidy(write);
  return { kind: "made", end };
}

/** Kept at least this long, for a caller that asks for a longer window than the first one did. */
const KEEP_MS = 7 * 24 * 60 * 60_000;

/** Results that nobody can ask for any more; what is unknown stays until a person has looked. */
function tidy({ store, nowMs }: Write): void {
  const isOver = (dir: string): boolean => {
    const reading = readEntry(dir);
    return reading.kind === "entry" && reading.entry.state === "done" && !isValid(reading.entry, nowMs(), Math.max(KEEP_MS, reading.entry.windowMs));
  };
  for (const dir of entryDirs(store).filter(isOver)) {
    const lock = acquireLock(dir, { run: `tidy-${process.pid}` });
    if (lock.kind !== "acquired") continue;
    if (isOver(dir)) forget(dir);
    lock.release();
  }
}
