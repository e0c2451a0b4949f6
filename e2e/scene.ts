/** A scratch repository, an empty HOME and a model on the loopback interface, for the built program to run in. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { readRecording, type RecordingInput } from "../src/agents/replay/recording.js";
import { type ReplayServer, startReplayServer } from "../src/agents/replay/server.js";
import type { JournalBody, JournalEvent } from "../src/core/journal-event.js";
import { CLAUDE } from "./install-claude.js";
import { processesWith } from "./processes.js";

const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));

export interface SceneFacts {
  /** Paths below the root with their content; the plan is not committed. */
  files: Record<string, string>;
  plan: string;
  iterations: RecordingInput["iterations"];
  env?: Record<string, string>;
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

export interface Scene {
  root: string;
  home: string;
  server: ReplayServer;
  /** `ralphd run --agent claude` with these arguments behind. */
  start(...args: string[]): Started;
  run(...args: string[]): Promise<Ended>;
  git(...args: string[]): string;
  read(path: string): string;
  journal(): JournalEvent[];
  events<T extends JournalBody["type"]>(type: T): (JournalEvent & { type: T })[];
  /** What the run's secret in the environment still finds. */
  leftovers(): ReturnType<typeof processesWith>;
}

export async function openScene(facts: SceneFacts): Promise<Scene> {
  const base = mkdtempSync(join(tmpdir(), "ralphd-e2e-"));
  const [root, home] = [join(base, "repo"), join(base, "home")];
  for (const folder of [root, home]) mkdirSync(folder);
  const server = await startReplayServer(recordingOf(facts.iterations), { iteration: "byConversation" });
  onTestFinished(async () => {
    await server.close();
    // Only after a failed test is there anything.
    for (const { pid } of processesWith(`PWD=${root}`)) process.kill(pid, "SIGKILL");
    rmSync(base, { recursive: true, force: true });
  });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    LANG: "C.UTF-8",
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: "replayed-key",
    RALPHD_CLAUDE_PATH: CLAUDE,
    ...facts.env,
  };
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  writeRepository(root, facts, git);
  const start = (...args: string[]): Started => startProgram([MAIN, "run", "--agent", "claude", "--trust", ...args], { cwd: root, env });
  const runDir = (): string => {
    const runs = join(root, ".git/ralphd/runs");
    return join(runs, readdirSync(runs).sort().at(-1) ?? "");
  };
  const journal = (): JournalEvent[] =>
    readFileSync(join(runDir(), "journal.jsonl"), "utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as JournalEvent);
  return {
    root,
    home,
    server,
    start,
    run: (...args) => start(...args).ended,
    git,
    read: (path) => readFileSync(join(root, path), "utf8"),
    journal,
    events: (type) => journal().filter((event): event is JournalEvent & { type: typeof type } => event.type === type),
    leftovers: () => processesWith((JSON.parse(readFileSync(join(runDir(), "pinned/run.json"), "utf8")) as { tokenSeed: string }).tokenSeed),
  };
}

function recordingOf(iterations: RecordingInput["iterations"]) {
  const read = readRecording(JSON.stringify({ version: 1, model: "claude-opus-5-5", iterations }));
  if (read.kind === "unreadable") throw new Error(read.message);
  return read.recording;
}

function writeRepository(root: string, { files, plan }: SceneFacts, git: Scene["git"]): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
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
