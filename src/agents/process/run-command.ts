/** A gate, hook or setup command to its end: merged output to a file, bounded in memory, nothing left running. */
import type { Wrap } from "../../driver/ports.js";
import { createBoundedText } from "./bounded-text.js";
import { openDiskSink } from "./disk-sink.js";
import { sanitize } from "./sanitize.js";
import { type Supervised, supervise } from "./supervise.js";

export interface CommandOptions {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  stdin?: string | null;
  timeoutMs: number;
  /** stdout and stderr, in the order of writing. */
  outputPath: string | null;
  signal: AbortSignal;
  token: string;
  killGraceMs: number;
  wrap?: Wrap | undefined;
  /** Folders that it may write into although the sandbox makes their surroundings read-only. */
  writable?: readonly string[];
  /** Bytes kept of the end of the output; a quarter of it is kept of the beginning. */
  tailBytes?: number;
}

export type CommandExit =
  | { kind: "exited"; code: number }
  | { kind: "signalled"; signal: string }
  | { kind: "timedOut" }
  | { kind: "aborted" }
  | { kind: "cannotStart"; message: string };

export interface CommandResult {
  /** The first cause. */
  exit: CommandExit;
  /** Head and tail, free of control sequences. */
  output: string;
  outputBytes: number;
  durationMs: number;
  /** Why the file at `outputPath` is incomplete; null when it is whole. */
  outputProblem: string | null;
}

const DEFAULT_TAIL_BYTES = 64 * 1024;
/** Longer timers fire at once in Node. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Never rejects. Resolves when the whole tree is gone; `durationMs` ends with the command itself. */
export async function runCommand(options: CommandOptions): Promise<CommandResult> {
  const started = performance.now();
  const tailBytes = options.tailBytes ?? DEFAULT_TAIL_BYTES;
  const kept = createBoundedText(Math.ceil(tailBytes / 4), tailBytes);
  const sink = openDiskSink(options.outputPath);
  if (options.signal.aborted) {
    sink.close();
    return { exit: { kind: "aborted" }, output: "", outputBytes: 0, durationMs: 0, outputProblem: sink.problem() };
  }
  const tree = supervise({
    ...options,
    stdin: options.stdin ?? null,
    merged: true,
    onOutput(chunk) {
      sink.write(chunk);
      kept.push(chunk);
    },
  });
  const exit = await firstCause(tree, options);
  const durationMs = performance.now() - started;
  await tree.exited;
  sink.close();
  await tree.gone;
  return {
    exit,
    output: sanitize(kept.text()),
    outputBytes: kept.bytes(),
    durationMs,
    outputProblem: sink.problem(),
  };
}

/** The timer is ours: a library's would wait for pipes that a grandchild holds. */
async function firstCause(tree: Supervised, { timeoutMs, signal }: CommandOptions): Promise<CommandExit> {
  let cause: CommandExit | null = null;
  const end = (why: CommandExit): void => {
    cause ??= why;
    tree.end();
  };
  const onAbort = (): void => end({ kind: "aborted" });
  const timer = setTimeout(() => end({ kind: "timedOut" }), Math.min(timeoutMs, MAX_TIMER_MS));
  signal.addEventListener("abort", onAbort, { once: true });
  const exit = await tree.ended;
  clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
  return exit.kind === "cannotStart" ? exit : (cause ?? exit);
}
