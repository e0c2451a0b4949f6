/** Runs the built-in loop against a replay server, in this process or as the real child process. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import Anthropic from "@anthropic-ai/sdk";
import { afterEach } from "vitest";
import { type ChildConfigInput, CONFIG_ENV, readConfig } from "../../../src/agents/anthropic/config.js";
import { runLoop } from "../../../src/agents/anthropic/loop.js";
import { commandEnv } from "../../../src/agents/anthropic/tools/command-env.js";
import { outputLimiter } from "../../../src/agents/anthropic/tools/output.js";
import type { ToolContext } from "../../../src/agents/anthropic/tools/tool.js";
import { TOOLSET } from "../../../src/agents/anthropic/tools/toolset.js";
import { type RecordingInput, readRecording } from "../../../src/agents/replay/recording.js";
import type { IterationChoice } from "../../../src/agents/replay/script.js";
import { type LoggedRequest, startReplayServer } from "../../../src/agents/replay/server.js";
import type { AgentEvent } from "../../../src/core/agent-event.js";
import { shippedFile } from "../../../src/shipped.js";

export type Turns = RecordingInput["iterations"][number]["turns"];

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

export function tempRoot(files: Record<string, string> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralphd-agent-")));
  cleanups.push(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

export function toolContext(root: string, signal: AbortSignal = new AbortController().signal): ToolContext {
  return { root, env: commandEnv(process.env), output: outputLimiter(root, "spill"), signal, killGraceMs: 300, searchMs: 5_000 };
}

export async function replayServer(turns: Turns, model = "claude-haiku-4-5") {
  return serve({ version: 1, model, iterations: [{ turns }] }, 1);
}

export async function serve(input: RecordingInput, iteration: IterationChoice) {
  const read = readRecording(JSON.stringify(input));
  if (read.kind === "unreadable") throw new Error(read.message);
  const server = await startReplayServer(read.recording, { iteration });
  cleanups.push(server.close);
  return server;
}

/** Waits are cut to nothing; what would have been waited is reported. */
const QUICK = { retry: { baseMs: 1, maxMs: 60_000, tries: 3, stalls: 2 } };

export interface Outcome {
  ok: boolean;
  events: AgentEvent[];
  requests: readonly LoggedRequest[];
  root: string;
  waitsMs: number[];
}

export async function talk(turns: Turns, options: { config?: ChildConfigInput; files?: Record<string, string>; prompt?: string } = {}): Promise<Outcome> {
  const server = await replayServer(turns, options.config?.model);
  const root = tempRoot(options.files);
  const read = readConfig(JSON.stringify({ model: "claude-haiku-4-5", ...QUICK, ...options.config }));
  if (read.kind === "invalid") throw new Error(read.message);
  const events: AgentEvent[] = [];
  const waitsMs: number[] = [];
  const signal = new AbortController().signal;
  const ok = await runLoop(options.prompt ?? "do the task", {
    client: new Anthropic({ apiKey: "test", baseURL: server.url, maxRetries: 0 }),
    config: read.config,
    systemPrompt: "constant system prompt",
    tools: TOOLSET,
    context: toolContext(root, signal),
    signal,
    emit: (event) => events.push(event),
    log: () => undefined,
    sleep: async (ms) => void waitsMs.push(ms),
    random: () => 0,
    nowMs: Date.now,
  });
  return { ok, events, requests: server.requests, root, waitsMs };
}

export function ofType<T extends AgentEvent["type"]>(events: AgentEvent[], type: T): Extract<AgentEvent, { type: T }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

export interface ChildRun {
  code: number | null;
  events: AgentEvent[];
  stderr: string;
}

export function startChild(options: { cwd: string; env: Record<string, string>; config: ChildConfigInput; prompt: string }) {
  const child = spawn(process.execPath, [shippedFile("dist/agents/anthropic/child.js")], {
    cwd: options.cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: options.cwd, ...options.env, [CONFIG_ENV]: JSON.stringify(options.config) },
    stdio: "pipe",
  });
  cleanups.push(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.prompt);
  const code = new Promise<number | null>((done) => child.once("exit", done));
  const done = Promise.all([code, text(child.stdout), text(child.stderr)]).then(
    ([exit, stdout, stderr]): ChildRun => ({ code: exit, events: parseLines(stdout), stderr }),
  );
  return { child, done };
}

function parseLines(stdout: string): AgentEvent[] {
  return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as AgentEvent]));
}

/** The only kind of waiting in these tests: for a condition, with a bound that fails the test. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let tried = 0; tried < 1000; tried++) {
    if (condition()) return;
    await sleep(10);
  }
  throw new Error(`never came: ${what}`);
}

/** False for zombies too, which stay where nobody reaps them. */
export async function isAlive(pid: number): Promise<boolean> {
  const { listProcesses } = await import("../../../src/agents/process/process-table.js");
  return (await listProcesses()).some((entry) => entry.pid === pid);
}
