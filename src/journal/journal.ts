/** The append-only truth of a run: opens, repairs a torn end, refuses any other damage, appends durably. */
import { closeSync, constants, existsSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { JournalBody, JournalEvent } from "../core/journal-event.js";
import type { Journal } from "../driver/ports.js";
import { syncFolder, writeAll } from "./atomic.js";
import { onDisk } from "../core/disk-error.js";
import { createDecoder, type JournalProblem, parseJson } from "./read.js";
import { type Redactor, redactEvent } from "./redact.js";
import { watchFile } from "./watched-file.js";

export interface OpenedJournal {
  journal: Journal & { close(): void };
  events: JournalEvent[];
  /** A torn last line was cut off; its bytes are kept in `<path>.torn`. */
  repaired: boolean;
}

export interface JournalOptions {
  redact?: Redactor;
  /** Wall clock, epoch ms. */
  nowMs?: () => number;
}

/** Creates the file when it is absent. Throws DiskError when the disk refuses. */
export function openJournal(path: string, run: string, options: JournalOptions = {}): OpenedJournal | { problem: JournalProblem } {
  if (!existsSync(path)) create(path);
  const content = readWhole(path);
  const decoder = createDecoder(run);
  const { events, problem, tail } = decoder.push(content);
  if (problem !== null) return { problem };
  if (tail.length === 0) return { journal: writer(path, run, { content, options }), events, repaired: false };
  // A crash can cut a write anywhere, so only what follows the last newline can be torn.
  // When the cut fell exactly before the newline, the line is whole and is completed.
  if (parseJson(tail.toString("utf8")) === undefined) {
    const kept = cutOff(path, content, tail);
    return { journal: writer(path, run, { content: kept, options }), events, repaired: true };
  }
  const last = decoder.push(NEWLINE);
  if (last.problem !== null) return { problem: last.problem };
  appendDurably(path, NEWLINE);
  const completed = Buffer.concat([content, NEWLINE]);
  return { journal: writer(path, run, { content: completed, options }), events: [...events, ...last.events], repaired: true };
}

const NEWLINE = Buffer.from("\n");

function create(path: string): void {
  onDisk(path, () => {
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o644);
    fsyncSync(file);
    closeSync(file);
    syncFolder(dirname(path));
  });
}

function readWhole(path: string): Buffer {
  return onDisk(path, () => {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  });
}

/** Sets the torn end aside, then cuts it off; returns what stays. */
function cutOff(path: string, content: Buffer, tail: Buffer): Buffer {
  const keptBytes = content.length - tail.length;
  appendDurably(`${path}.torn`, Buffer.concat([tail, NEWLINE]));
  onDisk(path, () => {
    const file = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
    try {
      ftruncateSync(file, keptBytes);
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
  });
  return content.subarray(0, keptBytes);
}

function appendDurably(path: string, bytes: Buffer): void {
  onDisk(path, () => {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
    const file = openSync(path, flags, 0o644);
    try {
      writeAll(file, bytes);
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
  });
}

/**
 * Outcomes that permit no lasting effect by themselves, and that a restart finds again: the agent's end in its recorded
 * stream, ticks in the plan, the commit by its trailers, the end of an iteration from its judgement. They reach the
 * disk with the next event, which is the intent of whatever comes then; a driver that dies alone loses none of them.
 */
const FOUND_AGAIN: ReadonlySet<JournalBody["type"]> = new Set(["agent.ended", "claims.taken", "commit.created", "iteration.ended"]);

function writer(path: string, run: string, from: { content: Buffer; options: JournalOptions }): Journal & { close(): void } {
  const { redact = (text: string) => text, nowMs = Date.now } = from.options;
  const file = watchFile(path, from.content);
  let begun = from.content.length > 0;
  const append = (iteration: number, ...bodies: JournalBody[]): JournalEvent[] => {
    if (bodies.length === 0) return [];
    if (!begun && bodies[0]?.type !== "run.started") throw new Error(`the first event of a journal is run.started, not ${bodies[0]?.type}`);
    const at = new Date(nowMs()).toISOString();
    // The returned events are the stored ones, so that folding live and folding the file give the same state.
    const events = bodies.map((body) => redactEvent({ ...body, at, run, iteration }, redact));
    const lines = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
    file.append(lines, bodies.every((body) => FOUND_AGAIN.has(body.type)) ? "later" : "now");
    begun = true;
    return events;
  };
  return { append, tampering: file.tampering, close: file.close };
}
