/** `ralphd logs`: the journal of the newest run, event by event; follows it until the run ends. */
import { join } from "node:path";
import { createColors } from "picocolors";
import type { JournalEvent } from "../core/journal-event.js";
import { iterationDir } from "../core/paths.js";
import { EXIT_CODES } from "../core/words.js";
import { followJournal, type JournalReading } from "../journal/read.js";
import { latestRun, type RunStore } from "../journal/run-store.js";
import { failureOf } from "../report/failures.js";
import { livePid } from "../report/newest-run.js";
import { formatEvent } from "./format-event.js";
import { printsCalls, type ReadActions } from "./logs-calls.js";
import { pause } from "./pause.js";
import { learningWording, utcTime } from "./wording.js";

export interface LogsOptions {
  truthDir: string;
  follow: boolean;
  errors: boolean;
  iteration: number | null;
  json: boolean;
  /** Calls of this tool instead of events, read from the recordings of the run. */
  calls?: { tool: string; read: ReadActions } | undefined;
  colours: boolean;
  /** One line without its newline, for stdout. */
  out(line: string): void;
  err(line: string): void;
  /** Ends following. */
  signal?: AbortSignal;
}

/** Between two looks at the file: short for a person's eye, long for a processor. */
const POLL_MS = 200;

/** Returns the exit code: 1 when there is no run or its journal is damaged. */
export async function runLogs(options: LogsOptions): Promise<number> {
  const store = latestRun(options.truthDir);
  if (store === null) {
    options.err("ralphd: nothing has run here yet.");
    return EXIT_CODES.failed;
  }
  const journal = followJournal(store.journalPath, store.run);
  const calls = options.calls === undefined ? null : printsCalls({ ...options, ...options.calls, store });
  const show = calls === null ? printer(options) : calls.see;
  for (;;) {
    // Asked before reading: what a driver wrote last is read after it was seen to be gone.
    const alive = livePid(options.truthDir) !== null;
    const reading = journal.poll();
    for (const event of reading.events) await show(event);
    if (reading.problem !== null) return damaged(store, reading.problem, options);
    if (!options.follow || options.signal?.aborted === true || hasEnded(reading, alive)) break;
    await pause(POLL_MS, options.signal);
  }
  if (calls !== null) await calls.end();
  else if (options.iteration !== null && !options.json) {
    options.err(`The agent's raw output: ${join(store.dir, iterationDir(options.iteration), "stream.jsonl")}`);
  }
  return 0;
}

function printer({ iteration, errors, json, colours, out }: LogsOptions): (event: JournalEvent) => void {
  const palette = createColors(colours);
  const wording = learningWording(utcTime, () => null);
  return (event) => {
    wording.see(event);
    if (iteration !== null && event.iteration !== iteration) return;
    if (errors && failureOf(event) === null) return;
    const line = json ? JSON.stringify(event) : formatEvent(event, palette, wording);
    if (line !== null) out(line);
  };
}

/** A continued run has an old `run.stopped` in the middle; only the last event says how it ended. */
function hasEnded({ events }: JournalReading, alive: boolean): boolean {
  return !alive || events.at(-1)?.type === "run.stopped";
}

function damaged(store: RunStore, problem: { line: number; message: string }, { err }: LogsOptions): number {
  err(`ralphd: ${store.journalPath} is damaged in line ${problem.line}: ${problem.message}`);
  return EXIT_CODES.failed;
}
