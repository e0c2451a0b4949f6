/** Reads journals: bytes to lines to events, incrementally, without changing the file. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import * as v from "valibot";
import { JOURNAL_VERSION, type JournalEvent } from "../core/journal-event.js";
import { systemCode } from "../core/disk-error.js";
import { misfitOf } from "../core/misfit.js";
import { bodySchemas, envelopeSchema, isKnownType } from "./schema.js";

/** `line` is 1-based; 0 when the file as a whole is meant. */
export interface JournalProblem {
  line: number;
  message: string;
}

export interface JournalReading {
  /** Known types only, in file order. */
  events: JournalEvent[];
  /** The first damage; events before it are given. Null when all is well. */
  problem: JournalProblem | null;
  /** Bytes after the last newline: a write in progress, or torn by a crash. */
  tail: Buffer;
}

/** Turns appended bytes into events; holds an incomplete last line back until it is complete. */
export interface LineDecoder {
  push(bytes: Buffer): JournalReading;
}

const NEWLINE = 0x0a;

/** `run` null takes the run id of the first line. */
export function createDecoder(run: string | null): LineDecoder {
  const position: Position = { run, line: 0 };
  let tail: Buffer = Buffer.alloc(0);
  let problem: JournalProblem | null = null;
  const push = (bytes: Buffer): JournalReading => {
    const all = tail.length === 0 ? bytes : Buffer.concat([tail, bytes]);
    const events: JournalEvent[] = [];
    let start = 0;
    for (let end = all.indexOf(NEWLINE); end >= 0 && problem === null; end = all.indexOf(NEWLINE, start)) {
      const read = readLine(all.toString("utf8", start, end), position);
      if (read.kind === "event") events.push(read.event);
      if (read.kind === "damaged") problem = { line: position.line, message: read.message };
      start = end + 1;
    }
    tail = all.subarray(start);
    return { events, problem, tail };
  };
  return { push };
}

interface Position {
  run: string | null;
  line: number;
}

type LineReading = { kind: "event"; event: JournalEvent } | { kind: "unknownType" } | { kind: "damaged"; message: string };

function readLine(text: string, position: Position): LineReading {
  position.line += 1;
  const value = parseJson(text);
  if (!v.is(envelopeSchema, value)) return { kind: "damaged", message: `not a journal event: ${excerpt(text)}` };
  const { type, run } = value;
  position.run ??= run;
  if (run !== position.run) return { kind: "damaged", message: `belongs to run ${run}, not to ${position.run}` };
  if (position.line === 1 && type !== "run.started") {
    return { kind: "damaged", message: `a journal begins with run.started, this one with ${type}` };
  }
  if (!isKnownType(type)) return { kind: "unknownType" };
  // A newer version may have other fields, so that it is named before the fields are.
  if (type === "run.started") {
    const version = "journalVersion" in value ? value.journalVersion : undefined;
    if (version !== JOURNAL_VERSION)
      return { kind: "damaged", message: `journal version ${String(version)} is not known to this ralphd (it writes ${JOURNAL_VERSION})` };
  }
  const misfit = misfitOf(bodySchemas[type], value);
  if (misfit !== null) return { kind: "damaged", message: `${type}: ${misfit}` };
  // The schemas of schema.ts equal the event types; the value itself is kept because it still has fields of later versions.
  return { kind: "event", event: value as JournalEvent };
}

/** undefined for what is not JSON; JSON itself has no undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller names the line; the parser's message about it would add nothing a person can use.
    return undefined;
  }
}

function excerpt(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** Reads what a file gained since the last call; the file may not exist yet. */
export interface JournalFollower {
  poll(): JournalReading;
}

export function followJournal(path: string, run: string | null): JournalFollower {
  const decoder = createDecoder(run);
  let offset = 0;
  const poll = (): JournalReading => {
    const read = readFrom(path, offset);
    if ("problem" in read) return { events: [], problem: read.problem, tail: Buffer.alloc(0) };
    offset += read.bytes.length;
    return decoder.push(read.bytes);
  };
  return { poll };
}

/** The whole journal as it stands now. A file that is absent or empty reads as no events. */
export function readJournal(path: string, run: string | null): JournalReading {
  return followJournal(path, run).poll();
}

function readFrom(path: string, offset: number): { bytes: Buffer } | { problem: JournalProblem } {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") return { bytes: Buffer.alloc(0) };
    if (code === null) throw error;
    return { problem: { line: 0, message: code === "ELOOP" ? `${path} is a symbolic link` : `cannot read ${path} (${code})` } };
  }
  try {
    const size = fstatSync(file).size;
    if (size < offset) return { problem: { line: 0, message: `${path} became shorter while it was read` } };
    return { bytes: readRange(file, offset, size) };
  } finally {
    closeSync(file);
  }
}

/** Bytes `from` up to `to`, or less when the file ends earlier. */
export function readRange(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, to - from));
  let done = 0;
  while (done < bytes.length) {
    const got = readSync(file, bytes, done, bytes.length - done, from + done);
    if (got === 0) break;
    done += got;
  }
  return bytes.subarray(0, done);
}
