/** Keeps what a tool tells the model within bounds; the full text goes to a file that the result names. */
import { mkdirSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { openDiskSink } from "../../process/disk-sink.js";
import { sanitize } from "../../process/sanitize.js";

const HEAD_BYTES = 4 * 1024;
const TAIL_BYTES = 26 * 1024;
/** What one result may take of the model's context. */
export const OUTPUT_BYTES = HEAD_BYTES + TAIL_BYTES;
/** A command that prints for ever must not fill the disk. */
const SPILL_BYTES = 64 * 1024 * 1024;

export interface OutputCollector {
  add(chunk: Buffer): void;
  /** The bounded text; closes the spill file. */
  finish(): string;
}

export interface OutputLimiter {
  collect(): OutputCollector;
  /** For text that is already whole. */
  bound(text: string): string;
}

export function outputLimiter(root: string, spillDir: string): OutputLimiter {
  const dir = resolve(root, spillDir);
  let count = 0;
  const nextPath = () => join(dir, `output-${process.pid}-${String(++count).padStart(4, "0")}.txt`);
  const collect = () => collector(() => openSpill(dir, nextPath(), root));
  return {
    collect,
    bound: (text) => {
      const one = collect();
      one.add(Buffer.from(text));
      return one.finish();
    },
  };
}

/** Memory stays bounded: everything up to the limit, then the head, a sliding tail, and a file. */
function collector(open: () => Spill): OutputCollector {
  let whole: Buffer[] = [];
  let head: Buffer | null = null;
  let tail: Buffer = Buffer.alloc(0);
  let spill: Spill | null = null;
  let total = 0;

  function slide(chunk: Buffer): void {
    const joined = Buffer.concat([tail, chunk]);
    tail = joined.subarray(Math.max(0, joined.length - TAIL_BYTES));
  }

  function add(chunk: Buffer): void {
    total += chunk.length;
    if (spill !== null) {
      spill.write(chunk);
      return slide(chunk);
    }
    whole.push(chunk);
    if (total <= OUTPUT_BYTES) return;
    const all = Buffer.concat(whole);
    whole = [];
    head = all.subarray(0, HEAD_BYTES);
    slide(all.subarray(HEAD_BYTES));
    spill = open();
    spill.write(all);
  }

  function finish(): string {
    if (spill === null || head === null) return clean(Buffer.concat(whole));
    const cut = total - head.length - tail.length;
    return `${clean(head)}\n[... ${cut} bytes cut; ${spill.close()} ...]\n${clean(tail)}`;
  }

  return { add, finish };
}

interface Spill {
  write(chunk: Buffer): void;
  /** Closes the file and says where the full output is, for the model. */
  close(): string;
}

function openSpill(dir: string, path: string, root: string): Spill {
  const shown = path.startsWith(root + sep) ? relative(root, path).replaceAll(sep, "/") : path;
  const folder = makeFolder(dir);
  const sink = openDiskSink(folder.kind === "made" ? path : null);
  let left = SPILL_BYTES;
  return {
    write: (chunk) => {
      sink.write(chunk.subarray(0, left));
      left = Math.max(0, left - chunk.length);
    },
    close: () => {
      sink.close();
      // The work goes on with head and tail; a full disk is the driver's to notice.
      const problem = folder.kind === "made" ? sink.problem() : folder.message;
      return problem === null ? `full output in ${shown}` : `the full output could not be kept: ${problem}`;
    },
  };
}

function makeFolder(dir: string): { kind: "made" } | { kind: "failed"; message: string } {
  try {
    mkdirSync(dir, { recursive: true });
    return { kind: "made" };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

/** No escape sequences, and no halves of characters at the cuts. */
function clean(bytes: Buffer): string {
  return sanitize(bytes.toString("utf8")).replace(/^\uFFFD+|\uFFFD+$/g, "");
}
