/** `npm run bench [-- NAME...]`: runs the benchmarks, prints their figures, keeps them in RESULTS.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";
import type { Benchmark, Figure } from "./figure.js";
import { ending } from "./ending.js";
import { iteration } from "./iteration.js";
import { largeRepository } from "./large-repository.js";
import { memory } from "./memory.js";
import { parse } from "./parse.js";
import { prompt } from "./prompt.js";
import { startUp } from "./start-up.js";

const ALL: readonly Benchmark[] = [iteration, largeRepository, startUp, memory, parse, ending, prompt];
const RESULTS = fileURLToPath(new URL("../../RESULTS.md", import.meta.url));
const TITLE = "# Benchmark results\n\nWritten by `npm run bench`; each section says when and where it was measured. Ratios compare within one run.\n";

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !ALL.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(", ")}; there are ${ALL.map(({ name }) => name).join(", ")}\n`);
  process.exitCode = 2;
} else {
  for (const benchmark of ALL.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) await measure(benchmark);
}

async function measure(benchmark: Benchmark): Promise<void> {
  process.stderr.write(`${benchmark.name} ...\n`);
  const before = loadavg()[0] ?? 0;
  const figures = await benchmark.run();
  const text = section(benchmark, figures, before);
  process.stdout.write(`${text}\n`);
  keep(benchmark.name, text);
  if (figures.some(({ goal }) => goal?.met === false)) process.exitCode = 1;
}

function section({ name, method }: Benchmark, figures: readonly Figure[], load: number): string {
  const rows = figures.map(({ what, value, goal }) => `| ${what} | ${value} | ${goal === null ? "" : `${goal.text}: ${goal.met ? "met" : "**missed**"}`} |`);
  return `## ${name}\n\n${method}\n\n| | measured | goal |\n|---|---|---|\n${rows.join("\n")}\n\n${machine(load)}\n`;
}

function machine(load: number): string {
  const git = execFileSync("git", ["--version"], { encoding: "utf8" }).trim();
  const memory = (totalmem() / 1024 ** 3).toFixed(0);
  return `${new Date().toISOString().slice(0, 16)}Z; ${cpus().length} x ${cpus()[0]?.model ?? "unknown"}, ${memory} GB, Linux ${release()}, Node ${process.version}, ${git}; load before it ${load.toFixed(1)}.`;
}

/** Replaces the section of this benchmark and leaves the others. */
function keep(name: string, text: string): void {
  const sections = new Map(readSections().map((old) => [/^## (\S+)/.exec(old)?.[1] ?? "", old]));
  sections.set(name, text);
  const ordered = ALL.flatMap((benchmark) => sections.get(benchmark.name) ?? []);
  writeFileSync(RESULTS, [TITLE, ...ordered].map((part) => `${part.trimEnd()}\n`).join("\n"));
}

function readSections(): string[] {
  try {
    return readFileSync(RESULTS, "utf8")
      .split(/^(?=## )/m)
      .slice(1);
  } catch {
    // No results yet.
    return [];
  }
}
