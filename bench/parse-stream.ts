/** Reads one stream to its end in one of two ways, and once more, and prints how long each took. Run as a process by `parse.ts`. */
import { closeSync, openSync, readSync } from "node:fs";
import { createClaudeTranslator } from "../src/agents/claude/translate.js";
import { createLineReader } from "../src/agents/process/lines.js";
import type { Parsed } from "./parse.js";

const CHUNK_BYTES = 64 * 1024;
const FLOOD_BYTES = 300 * 1024 * 1024;
const [how, file = ""] = process.argv.slice(2);

const read = { flood, ours, floor }[how ?? ""] ?? floor;
const first = timed(read);
const peakMb = process.resourceUsage().maxRSS / 1024;
const parsed: Parsed = { ...first, peakMb, againMs: how === "flood" ? null : timed(read).ms };
process.stdout.write(JSON.stringify(parsed));

function timed(work: () => number): { ms: number; lines: number } {
  const startedMs = performance.now();
  const lines = work();
  return { ms: performance.now() - startedMs, lines };
}

function ours(): number {
  const reader = createLineReader();
  const translator = createClaudeTranslator({ roots: ["/home/dev/repo"], prices: {}, nowMs: Date.now, localZone: "UTC" });
  let lines = 0;
  for (const chunk of chunks()) {
    for (const line of reader.push(chunk)) {
      lines += 1;
      if (line.kind === "line") translator.line(line.text, "stdout");
    }
  }
  return lines;
}

/** A line that does not end for 300 MB. */
function flood(): number {
  const reader = createLineReader();
  const chunk = Buffer.alloc(CHUNK_BYTES, "x");
  let lines = 0;
  for (let sent = 0; sent < FLOOD_BYTES; sent += chunk.length) lines += reader.push(Buffer.from(chunk)).length;
  return lines + reader.push(Buffer.from("\n")).length;
}

/** The least that parses every line: bytes to lines to JSON. */
function floor(): number {
  let lines = 0;
  let held: Buffer[] = [];
  for (const chunk of chunks()) {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
      held.push(chunk.subarray(from, at));
      const line = Buffer.concat(held).toString("utf8");
      held = [];
      lines += 1;
      if (line !== "") JSON.parse(line);
      from = at + 1;
    }
    held.push(chunk.subarray(from));
  }
  return lines;
}

function* chunks(): Generator<Buffer> {
  const input = openSync(file, "r");
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(input, chunk, 0, CHUNK_BYTES, null);
    if (length === 0) break;
    yield chunk.subarray(0, length);
  }
  closeSync(input);
}
