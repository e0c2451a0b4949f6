/** How fast recorded streams of an agent become events, against a loop that only parses the JSON of each line. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Benchmark, atLeast, atMost, median, plain } from "./figure.js";

const BYTES = 100 * 1024 * 1024;
const ROUNDS = 5;
const STREAMS = fileURLToPath(new URL("../../../test/fixtures/streams", import.meta.url));
const READER = fileURLToPath(new URL("parse-stream.js", import.meta.url));

export interface Parsed {
  ms: number;
  lines: number;
  peakMb: number;
  /** For the same file once more, when V8 has compiled what runs often; null where that is not asked. */
  againMs: number | null;
}

export const parse: Benchmark = {
  name: "parse",
  method:
    `All recorded streams of Claude Code, repeated to 100 MB in a file that is read in chunks of 64 KB; ${ROUNDS} rounds in processes of their own. ` +
    "Ours: line reader and translator to agent events. Floor: bytes up to a line feed to a string, JSON.parse. The ratio is that of throughputs. " +
    "A process reads the file twice: the first time V8 compiles the translator on the way, and a driver reads many streams.",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "ralphd-bench-"));
    const file = join(folder, "stream.jsonl");
    writeStreams(file);
    const rounds = Array.from({ length: ROUNDS }, () => ({ floor: read("floor", file), ours: read("ours", file) }));
    const flood = read("flood", file);
    rmSync(folder, { recursive: true });
    const speed = (of: (round: (typeof rounds)[number]) => Parsed): number => median(rounds.map((round) => BYTES / 1024 / 1024 / (of(round).ms / 1_000)));
    return [
      plain(
        "JSON.parse of each line",
        speed(({ floor }) => floor),
        "MB/s",
      ),
      plain(
        "line reader and translator",
        speed(({ ours }) => ours),
        "MB/s",
      ),
      atLeast("throughput, ours / floor", median(rounds.map(({ ours, floor }) => floor.ms / ours.ms)), "", 0.8),
      plain("the same, for the next 100 MB", median(rounds.map(({ ours, floor }) => (floor.againMs ?? Number.NaN) / (ours.againMs ?? Number.NaN))), ""),
      atMost("peak resident memory, ours", Math.max(...rounds.map(({ ours }) => ours.peakMb)), "MB", 120),
      plain("peak resident memory, floor", Math.max(...rounds.map(({ floor }) => floor.peakMb)), "MB"),
      plain("a line of 300 MB", flood.ms, "ms"),
      atMost("peak resident memory with it", flood.peakMb, "MB", 120),
    ];
  },
};

function writeStreams(file: string): void {
  const names = readdirSync(STREAMS).filter((name) => /^claude-.*\.jsonl$/.test(name));
  const all = Buffer.concat(names.map((name) => readFileSync(join(STREAMS, name))));
  const target = openSync(file, "w");
  for (let written = 0; written < BYTES; ) written += writeSync(target, all, 0, Math.min(all.length, BYTES - written));
  closeSync(target);
}

function read(how: "ours" | "floor" | "flood", file: string): Parsed {
  return JSON.parse(execFileSync(process.execPath, [READER, how, file], { encoding: "utf8" })) as Parsed;
}
