/** Scratch repositories, and the built program in them. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Two levels up: the benchmarks run from `bench/.built/bench`. */
export const MAIN = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));

/** The least that an agent can do: one process that changes one file. */
export const AGENT = "#!/bin/sh\necho line >> work.txt\n";

export interface Scratch {
  root: string;
  env: NodeJS.ProcessEnv;
  git(...args: string[]): void;
  dispose(): void;
}

/** `fill` writes further files before the first commit. */
export function scratchRepository(agent: string, fill: (root: string) => void = () => undefined): Scratch {
  const base = mkdtempSync(join(tmpdir(), "ralphd-bench-"));
  const [root, home] = [join(base, "repo"), join(base, "home")];
  for (const folder of [root, home]) mkdirSync(folder);
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Bench\n\temail = bench@localhost\n");
  writeFileSync(join(root, "agent.sh"), agent, { mode: 0o755 });
  fill(root);
  const env = { PATH: process.env["PATH"], HOME: home, LANG: "C.UTF-8" };
  const git = (...args: string[]): void => void execFileSync("git", args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Begin");
  return { root, env, git, dispose: () => rmSync(base, { recursive: true, force: true }) };
}

export interface Timed {
  ms: number;
  code: number | null;
}

export function timed(file: string, args: string[], where: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Timed> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...where, stdio: "ignore" });
    child.once("error", reject);
    child.once("exit", (code) => resolve({ ms: performance.now() - startedMs, code }));
  });
}

/** The loop without a plan or gates, so that nothing but the loop itself is measured. */
function runArguments(iterations: number, sandbox: "on" | "off"): string[] {
  return [MAIN, "run", "add lines", "--quiet", "--sandbox", sandbox, "-n", String(iterations), "--", "./agent.sh"];
}

/** Throws unless the run did exactly these iterations. */
export async function timedRun(scratch: Scratch, iterations: number, sandbox: "on" | "off" = "off"): Promise<number> {
  const { ms, code } = await timed(process.execPath, runArguments(iterations, sandbox), { cwd: scratch.root, env: scratch.env });
  const ended = journal(scratch).filter((event) => event.type === "iteration.ended" && event["class"] === "progress").length;
  // 3: the limit of iterations ended the run, as intended.
  if (code !== 3 || ended !== iterations) throw new Error(`the run did ${ended} of ${iterations} iterations and exited with ${code}`);
  return ms;
}

export interface JournalLine {
  type: string;
  at: string;
  [field: string]: unknown;
}

/** Of the newest run. */
export function journal(scratch: Scratch): JournalLine[] {
  const runs = join(scratch.root, ".git/ralphd/runs");
  const text = readFileSync(join(runs, readdirSync(runs).sort().at(-1) ?? "", "journal.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as JournalLine);
}
