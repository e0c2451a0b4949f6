/** A scratch repository and an empty HOME for the built program to run in, with whatever agent. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { JournalBody, JournalEvent } from "../src/core/journal-event.js";
import { processesWith } from "./processes.js";

const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));

export interface PlaceFacts {
  /** Paths below the root with their content; the plan is not committed. */
  files: Record<string, string>;
  plan: string;
  agent: string;
  /** Of the person who starts the program, beside PATH, HOME and LANG. */
  env: Record<string, string>;
  /** Paths below HOME with their content. */
  home?: Record<string, string>;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  ended: Promise<Ended>;
  terminate(): void;
}

export interface Place {
  root: string;
  home: string;
  /** `ralphd run --agent …` with these arguments behind. */
  start(...args: string[]): Started;
  run(...args: string[]): Promise<Ended>;
  git(...args: string[]): string;
  read(path: string): string;
  journal(): JournalEvent[];
  events<T extends JournalBody["type"]>(type: T): (JournalEvent & { type: T })[];
  /** What the run's secret in the environment still finds. */
  leftovers(): ReturnType<typeof processesWith>;
}

export function openPlace(facts: PlaceFacts): Place {
  const base = mkdtempSync(join(tmpdir(), "ralphd-e2e-"));
  const [root, home] = [join(base, "repo"), join(base, "home")];
  for (const folder of [root, home]) mkdirSync(folder);
  onTestFinished(() => {
    // Only after a failed test is there anything.
    for (const { pid } of processesWith(`PWD=${root}`)) process.kill(pid, "SIGKILL");
    rmSync(base, { recursive: true, force: true });
  });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", ...facts.env };
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  writeFiles(home, facts.home ?? {});
  writeRepository(root, facts, git);
  const start = (...args: string[]): Started => startProgram([MAIN, "run", "--agent", facts.agent, "--trust", ...args], { cwd: root, env });
  const runDir = (): string => {
    const runs = join(root, ".git/ralphd/runs");
    return join(runs, readdirSync(runs).sort().at(-1) ?? "");
  };
  const journal = (): JournalEvent[] =>
    readFileSync(join(runDir(), "journal.jsonl"), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as JournalEvent);
  return {
    root,
    home,
    start,
    run: (...args) => start(...args).ended,
    git,
    read: (path) => readFileSync(join(root, path), "utf8"),
    journal,
    events: (type) => journal().filter((event): event is JournalEvent & { type: typeof type } => event.type === type),
    leftovers: () => processesWith((JSON.parse(readFileSync(join(runDir(), "pinned/run.json"), "utf8")) as { tokenSeed: string }).tokenSeed),
  };
}

function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function writeRepository(root: string, { files, plan }: PlaceFacts, git: Place["git"]): void {
  writeFiles(root, files);
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("-c", "user.name=Person", "-c", "user.email=person@localhost", "commit", "--quiet", "--message", "Begin");
  writeFileSync(join(root, "PLAN.md"), plan);
}

function startProgram(argv: string[], { cwd, env }: { cwd: string; env: Record<string, string> }): Started {
  const child = spawn(process.execPath, argv, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => child.once("error", reject).once("close", (code) => resolve({ code, stdout, stderr })));
  return { ended, terminate: () => void child.kill("SIGTERM") };
}
