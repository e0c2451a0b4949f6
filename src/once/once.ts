/** Commands at most once per key and window: runs one, or says why not; whoever comes later gets the first result. */
import { atMostOnce, takeTurn, type Write, type WriteOutcome } from "./at-most-once.js";
import { runCommand } from "./command.js";
import { type Entry, entryDir, forget, readEntry, writeEntry } from "./entry.js";

/** The write was not made and must not be repeated blindly; like `timeout` and `env`, apart from what commands return. */
export const NOT_RUN = 125;
const CANNOT_START = 127;
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
  const { key, argv, cwd, err } = request;
  let code = NOT_RUN;
  const outcome = await atMostOnce({ ...request, waiting: sayOnce(request) }, async () => {
    const { end, output } = await runCommand(argv, cwd);
    if (end.kind === "cannotStart") {
      err(`ralphd once: ${argv[0]} could not be started: ${end.message}. Nothing happened, and nothing was recorded.`);
      code = CANNOT_START;
      return { kind: "didNot" };
    }
    code = end.code;
    return end.kind === "signalled"
      ? { kind: "unknown", why: `the command was ended by ${end.signal}`, output }
      : { kind: "happened", exitCode: end.code, output };
  });
  switch (outcome.kind) {
    case "made":
      if (outcome.end.kind === "unknown") explainUnknown({ note: outcome.end.why, startedAtMs: request.nowMs(), argv }, request);
      return code;
    case "repeated":
      return replay(outcome, request);
    case "unknown":
      return explainUnknown(outcome.entry, request);
    case "damaged":
      err(`ralphd once: the record of ${key} (${outcome.path}) can't be read, so nobody knows whether it ran. Nothing was run. ${howToResolve(request)}`);
      return NOT_RUN;
    case "otherWrite":
      return refuseOther(outcome.entry, request);
  }
}

function sayOnce({ key, err }: Pick<OnceRequest, "key" | "err">): NonNullable<Write["waiting"]> {
  let said = false;
  return (owner, waitedMs) => {
    if (said || waitedMs < SAY_AFTER_MS) return;
    err(`ralphd once: process ${owner ?? "?"} is running ${key}; waiting for its result.`);
    said = true;
  };
}

function replay({ entry, output }: Extract<WriteOutcome, { kind: "repeated" }>, { err, key }: OnceRequest): number {
  process.stdout.write(output.stdout);
  process.stderr.write(output.stderr);
  const how = entry.note ?? `exit code ${entry.exitCode ?? 0}`;
  err(`ralphd once: ${key} ran at ${new Date(entry.startedAtMs).toISOString()} (${how}); this is its result, nothing was run.`);
  return entry.exitCode ?? 0;
}

function refuseOther(entry: Entry, { err, key }: OnceRequest): number {
  err(
    `ralphd once: the key ${key} stands for another command: ${JSON.stringify(entry.argv)}. Nothing was run. Take a key that is made from what this write is about.`,
  );
  return NOT_RUN;
}

function explainUnknown(entry: Pick<Entry, "note" | "startedAtMs" | "argv">, request: OnceRequest): number {
  request.err(
    `ralphd once: whether ${request.key} happened is unknown: ${entry.note ?? "its result is missing"} (started ${new Date(entry.startedAtMs).toISOString()}: ${JSON.stringify(entry.argv)}).\n` +
      `It may have happened, or may still be running, so it is not run again. Look at the other side first. ${howToResolve(request)}`,
  );
  return NOT_RUN;
}

export function howToResolve({ key, ordinal }: Pick<OnceRequest, "key" | "ordinal">): string {
  const call = `ralphd once --resolve ${/^[\w:.@/-]+$/.test(key) ? key : `'${key.replaceAll("'", "'\\''")}'`}${ordinal === 1 ? "" : ` --ordinal ${ordinal}`}`;
  return `A person then says \`${call} done\` or \`${call} retry\`.`;
}

/** What a person found out. False when there is nothing to resolve. */
export async function resolveOnce(
  request: Pick<OnceRequest, "store" | "key" | "ordinal" | "err" | "nowMs"> & { decision: "done" | "retry"; by: string },
): Promise<boolean> {
  const dir = entryDir(request.store, request.key, request.ordinal);
  if (readEntry(dir).kind === "none") return false;
  const lock = await takeTurn(dir, { waiting: sayOnce(request) });
  try {
    const reading = readEntry(dir);
    if (reading.kind === "none" || (reading.kind === "entry" && reading.entry.state === "done")) return false;
    if (request.decision === "retry" || reading.kind === "damaged") forget(dir);
    if (request.decision === "done") {
      const known =
        reading.kind === "entry"
          ? reading.entry
          : { version: 1 as const, key: request.key, ordinal: request.ordinal, argv: [], cwd: "", startedAtMs: request.nowMs(), windowMs: 0 };
      writeEntry(dir, { ...known, state: "done", exitCode: 0, note: `resolved as done by ${request.by}` });
    }
    return true;
  } finally {
    lock.release();
  }
}
