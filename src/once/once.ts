/** At most once per key and window: runs a write, returns the first result to whoever comes later, never guesses after a crash. */
import { setTimeout as sleep } from "node:timers/promises";
import { acquireLock } from "../workspace/lock.js";
import { runCommand } from "./command.js";
import { type Entry, entryDir, entryDirs, forget, isValid, readEntry, readOutput, writeEntry, writeOutput } from "./entry.js";

/** The write was not made and must not be repeated blindly; like `timeout` and `env`, apart from what commands return. */
export const NOT_RUN = 125;
const CANNOT_START = 127;
/** How often a waiting call looks again. */
const POLL_MS = 50;
const SAY_AFTER_MS = 2_000;

export interface OnceRequest {
  store: string;
  key: string;
  /** Tells wanted repetitions of the same write apart, from 1. */
  ordinal: number;
  windowMs: number;
  argv: string[];
  cwd: string;
  nowMs: () => number;
  err(line: string): void;
}

/** The exit code for the caller: the command's own, the first call's, or NOT_RUN. */
export async function runOnce(request: OnceRequest): Promise<number> {
  const dir = entryDir(request.store, request.key, request.ordinal);
  const lock = await takeTurn(dir, request);
  try {
    return await decide(dir, request);
  } finally {
    lock.release();
  }
}

/** Concurrent calls wait for the one that runs; a dead one's turn is taken over. */
async function takeTurn(dir: string, { key, err }: Pick<OnceRequest, "key" | "err">): Promise<{ release(): void }> {
  const startedMs = performance.now();
  let said = false;
  for (;;) {
    const lock = acquireLock(dir, { run: `once-${process.pid}` });
    if (lock.kind === "acquired") return lock;
    if (!said && performance.now() - startedMs > SAY_AFTER_MS) {
      err(`ralphd once: process ${lock.owner?.pid ?? "?"} is running ${key}; waiting for its result.`);
      said = true;
    }
    await sleep(POLL_MS);
  }
}

async function decide(dir: string, request: OnceRequest): Promise<number> {
  const { err, key } = request;
  const reading = readEntry(dir);
  if (reading.kind === "damaged") {
    err(`ralphd once: the record of ${key} (${reading.path}) can't be read, so nobody knows whether it ran. Nothing was run. ${howToResolve(request)}`);
    return NOT_RUN;
  }
  if (reading.kind === "none") return perform(dir, request);
  let { entry } = reading;
  if (entry.state === "pending") {
    // This call has the turn, so whoever wrote that is gone.
    entry = { ...entry, state: "unknown", note: "the call that started it ended before its result was known" };
    writeEntry(dir, entry);
  }
  if (entry.state === "unknown") return explainUnknown(entry, request);
  if (!isValid(entry, request.nowMs(), request.windowMs)) return perform(dir, request);
  // A record that a person wrote off without knowing the command has none.
  const same = entry.argv.length === 0 || JSON.stringify(entry.argv) === JSON.stringify(request.argv);
  return same ? replay(dir, entry, request) : refuseOther(entry, request);
}

async function perform(dir: string, request: OnceRequest): Promise<number> {
  const { key, ordinal, argv, cwd, windowMs, err } = request;
  forget(dir);
  const pending: Entry = { version: 1, key, ordinal, argv, cwd, startedAtMs: request.nowMs(), windowMs, state: "pending", note: null, exitCode: null };
  writeEntry(dir, pending);
  const { end, output } = await runCommand(argv, cwd);
  if (end.kind === "cannotStart") {
    forget(dir);
    err(`ralphd once: ${argv[0]} could not be started: ${end.message}. Nothing happened, and nothing was recorded.`);
    return CANNOT_START;
  }
  writeOutput(dir, output);
  if (end.kind === "signalled") {
    const entry: Entry = { ...pending, state: "unknown", note: `the command was ended by ${end.signal}` };
    writeEntry(dir, entry);
    explainUnknown(entry, request);
    return end.code;
  }
  writeEntry(dir, { ...pending, state: "done", exitCode: end.code });
  tidy(request);
  return end.code;
}

function replay(dir: string, entry: Entry, { err, key }: OnceRequest): number {
  process.stdout.write(readOutput(dir, "stdout"));
  process.stderr.write(readOutput(dir, "stderr"));
  const how = entry.note ?? `exit code ${entry.exitCode ?? 0}`;
  err(`ralphd once: ${key} ran at ${new Date(entry.startedAtMs).toISOString()} (${how}); this is its result, nothing was run.`);
  return entry.exitCode ?? 0;
}

function refuseOther(entry: Entry, { err, key }: OnceRequest): number {
  err(`ralphd once: the key ${key} stands for another command: ${JSON.stringify(entry.argv)}. Nothing was run. Take a key that is made from what this write is about.`);
  return NOT_RUN;
}

function explainUnknown(entry: Entry, request: OnceRequest): number {
  request.err(
    `ralphd once: whether ${request.key} happened is unknown: ${entry.note ?? "its result is missing"} (started ${new Date(entry.startedAtMs).toISOString()}: ${JSON.stringify(entry.argv)}).\n` +
      `It may have happened, or may still be running, so it is not run again. Look at the other side first. ${howToResolve(request)}`,
  );
  return NOT_RUN;
}

function howToResolve({ key, ordinal }: Pick<OnceRequest, "key" | "ordinal">): string {
  const call = `ralphd once --resolve ${/^[\w:.@/-]+$/.test(key) ? key : `'${key.replaceAll("'", "'\\''")}'`}${ordinal === 1 ? "" : ` --ordinal ${ordinal}`}`;
  return `A person then says \`${call} done\` or \`${call} retry\`.`;
}

/** What a person found out. False when there is nothing to resolve. */
export async function resolveOnce(request: Pick<OnceRequest, "store" | "key" | "ordinal" | "err" | "nowMs"> & { decision: "done" | "retry"; by: string }): Promise<boolean> {
  const dir = entryDir(request.store, request.key, request.ordinal);
  if (readEntry(dir).kind === "none") return false;
  const lock = await takeTurn(dir, request);
  try {
    const reading = readEntry(dir);
    if (reading.kind === "none" || (reading.kind === "entry" && reading.entry.state === "done")) return false;
    if (request.decision === "retry" || reading.kind === "damaged") forget(dir);
    if (request.decision === "done") {
      const known = reading.kind === "entry" ? reading.entry : { version: 1 as const, key: request.key, ordinal: request.ordinal, argv: [], cwd: "", startedAtMs: request.nowMs(), windowMs: 0 };
      writeEntry(dir, { ...known, state: "done", exitCode: 0, note: `resolved as done by ${request.by}` });
    }
    return true;
  } finally {
    lock.release();
  }
}

/** Kept at least this long, for a caller that asks for a longer window than the first one did. */
const KEEP_MS = 7 * 24 * 60 * 60_000;

/** Results that nobody can ask for any more; what is unknown stays until a person has looked. */
function tidy({ store, nowMs }: OnceRequest): void {
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
