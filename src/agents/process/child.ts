/**
 * One child process in its own session and group, without a terminal. Plain `node:child_process` and not execa:
 * execa settles when the pipes close, and a pipe stays open for as long as any leftover child holds it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { type ChildPipes, openChildPipes } from "./pipes.js";

export type ChildEnd = { kind: "exited"; code: number } | { kind: "signalled"; signal: string } | { kind: "cannotStart"; message: string };

export interface ChildOptions {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  /** null: /dev/null. */
  stdin: string | null;
  /** stdin stays open behind it, for `say`. */
  stdinOpen?: boolean;
  /** stderr comes as part of stdout, in the order of writing. */
  merged?: boolean;
  onOutput(chunk: Buffer, stream: "stdout" | "stderr"): void;
}

export interface Child {
  /** null when it never ran. */
  readonly pid: number | null;
  /** Resolves on exit of the process itself, whoever still holds its pipes. */
  readonly ended: Promise<ChildEnd>;
  /** Takes what is still in the pipes, for a short time, then closes them. Call after `ended`. */
  drain(): Promise<void>;
  /** Stops reading for a while, which makes the child wait. No effect once draining. */
  hold(on: boolean): void;
  /** Writes to a stdin that was kept open; nothing happens on one that is closed. */
  say(text: string): void;
  closeInput(): void;
  /** Makes `ended` resolve for a process that survives even SIGKILL. */
  abandon(): void;
}

/** Quiet time on the pipes after the exit, and the most that a chattering leftover can add to it. */
const DRAIN_QUIET_MS = 250;
const DRAIN_BOUND_MS = 2_000;

export function openChild(options: ChildOptions): Child {
  const [file, ...args] = options.argv;
  if (file === undefined) return failedChild("no program was named");
  let pipes: ChildPipes | null = null;
  try {
    pipes = openChildPipes(options.stdin, { merged: options.merged, open: options.stdinOpen });
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true, // setsid: own session, own group, no controlling terminal
      stdio: pipes.stdio,
    });
    return watchChild(child, { stdout: pipes.stdout ?? child.stdout, stderr: pipes.stderr ?? child.stderr }, options);
  } catch (error) {
    pipes?.stdout?.destroy();
    pipes?.stderr?.destroy();
    // Node throws for what it finds before the fork: a NUL in an argument, an argument list too long.
    return failedChild(startProblem(file, options.cwd, error));
  } finally {
    pipes?.release();
  }
}

type Outputs = Record<"stdout" | "stderr", Readable | null>;

function watchChild(child: ChildProcess, outputs: Outputs, options: ChildOptions): Child {
  let chunks = 0;
  let draining = false;
  let settle: (end: ChildEnd) => void;
  const ended = new Promise<ChildEnd>((resolve) => {
    settle = resolve;
    child.once("error", (error) => {
      // Also emitted when a signal could not be sent; then the process runs and its exit will tell.
      if (child.pid === undefined) resolve({ kind: "cannotStart", message: startProblem(options.argv[0] ?? "", options.cwd, error) });
    });
    child.once("exit", (code, signal) => resolve(signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signalled", signal }));
  });
  for (const stream of ["stdout", "stderr"] as const) {
    outputs[stream]?.on("data", (chunk: Buffer) => {
      chunks += 1;
      options.onOutput(chunk, stream);
    });
    // A pipe broken from the other side ends like one that was closed.
    outputs[stream]?.on("error", () => undefined);
  }
  const input = child.stdin;
  // A child that reads no more has ended or is about to, and its exit tells.
  input?.on("error", () => undefined);
  input?.write(options.stdin ?? "");
  return {
    pid: child.pid ?? null,
    ended,
    drain() {
      draining = true;
      return drainPipes([outputs.stdout, outputs.stderr], () => chunks);
    },
    hold(on) {
      if (draining) return;
      for (const pipe of [outputs.stdout, outputs.stderr]) on ? pipe?.pause() : pipe?.resume();
    },
    say: (text) => {
      if (input?.writable === true) input.write(text);
    },
    closeInput: () => void input?.end(),
    abandon: () => settle({ kind: "signalled", signal: "SIGKILL" }),
  };
}

async function drainPipes(outputs: (Readable | null)[], chunks: () => number): Promise<void> {
  const pipes = outputs.filter((pipe) => pipe !== null).filter((pipe) => !pipe.destroyed);
  const closed = Promise.all(pipes.map((pipe) => new Promise((resolve) => pipe.once("close", resolve))));
  for (const pipe of pipes) pipe.resume();
  const deadline = performance.now() + DRAIN_BOUND_MS;
  for (let before = -1; before !== chunks() && performance.now() < deadline; ) {
    before = chunks();
    if (await firstOf(closed, DRAIN_QUIET_MS)) break;
    // After a long block timers run before reads: look at the pipes once more before calling them quiet.
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const pipe of pipes) pipe.destroy();
}

/** True when the promise was first. */
async function firstOf(promise: Promise<unknown>, waitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), waitMs);
  });
  const first = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return first;
}

function failedChild(message: string): Child {
  return {
    pid: null,
    ended: Promise.resolve({ kind: "cannotStart", message }),
    drain: async () => undefined,
    hold: () => undefined,
    say: () => undefined,
    closeInput: () => undefined,
    abandon: () => undefined,
  };
}

/** ENOENT names the program also when it is the folder or the script's interpreter that does not exist. */
function startProblem(file: string, cwd: string, error: unknown): string {
  if (!existsSync(cwd)) return `cannot start ${file}: the folder ${cwd} does not exist`;
  const message = `cannot start ${file}: ${error instanceof Error ? error.message : String(error)}`;
  const present = file.includes("/") && existsSync(resolve(cwd, file)) && message.includes("ENOENT");
  return present ? `${message}; the file is there, so look at its first line: the interpreter may be missing, or the line may end in CRLF` : message;
}
