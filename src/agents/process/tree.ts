/** An agent as a process: raw output to disk, lines to events, one ending whose first cause wins. */
import type { AgentEvent, AgentExit, StopCause } from "../../core/agent-event.js";
import type { Leftovers } from "../../core/kept-process.js";
import type { AgentRun, Wrap } from "../../driver/ports.js";
import type { ChildEnd } from "./child.js";
import { type DiskSink, openDiskSink } from "./disk-sink.js";
import { cpuMs } from "./end-tree.js";
import { type EventQueue, createEventQueue } from "./event-queue.js";
import { type Line, type LineReader, createLineReader } from "./lines.js";
import { type Supervised, supervise } from "./supervise.js";

export { sweep } from "./end-tree.js";
export { runCommand } from "./run-command.js";

/** One agent product's language. Must not throw; what it can't read becomes `unknown`. */
export interface Translator {
  line(line: string, stream: "stdout" | "stderr"): AgentEvent[];
  /** Called once after the last line, with how the process ended. */
  end(exit: AgentExit): AgentEvent[];
  /** True while what came last reads like a last word, for agents that have no event for it. Asked after each piece of output. */
  lastWord?(): boolean;
}

export interface ProcessOptions {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  /** Written and then closed; null gives an empty stdin. */
  stdin: string | null;
  /** For agents that take messages while they work: how one is written. The prompt is the first; stdin closes with their last word. */
  message?: ((text: string) => string) | undefined;
  /** Raw stdout; stderr goes beside it, with the ending `.stderr`, when there is any. */
  streamPath: string | null;
  token: string;
  translator: Translator;
  killGraceMs: number;
  /** From a `finished` event to the end of a process that stays. */
  settleGraceMs: number;
  /** The request's, so that no agent starts outside of the sandbox by being forgotten. */
  wrap: Wrap | undefined;
  /** Command lines of processes that outlive the agent. */
  keep?: readonly string[] | undefined;
}

/** Starts at once. Never throws: a program that can't be started is an exit. */
export function startProcess(options: ProcessOptions): AgentRun {
  return new ProcessRun(options);
}

/** `/x/stream.jsonl` becomes `/x/stream.stderr`. */
function stderrPath(streamPath: string): string {
  return `${streamPath.replace(/\.[^./]+$/, "")}.stderr`;
}

/** Events that show an agent still at work, so that a `finished` before them was not its last word. */
const ACTIVE: ReadonlySet<AgentEvent["type"]> = new Set(["text", "toolCall", "toolResult", "finished"]);

class ProcessRun implements AgentRun {
  readonly exit: Promise<AgentExit>;
  readonly tell?: (note: string) => void;
  readonly #options: ProcessOptions;
  readonly #tree: Supervised;
  readonly #queue: EventQueue;
  readonly #sinks: Record<"stdout" | "stderr", DiskSink>;
  readonly #lines: Record<"stdout" | "stderr", LineReader>;
  #bytes = 0;
  #cpu = { total: 0, last: 0 };
  #cause: StopCause | null = null;
  #over = false;
  #finished = false;
  #left: Leftovers | null = null;
  #sinkReported = false;
  #settleTimer: NodeJS.Timeout | null = null;

  constructor(options: ProcessOptions) {
    this.#options = options;
    const path = options.streamPath;
    this.#sinks = { stdout: openDiskSink(path), stderr: openDiskSink(path === null ? null : stderrPath(path), "atFirstWrite") };
    this.#lines = { stdout: createLineReader(), stderr: createLineReader() };
    const { message } = options;
    const input = message === undefined ? {} : { stdin: message(options.stdin ?? ""), stdinOpen: true };
    this.#tree = supervise({ ...options, ...input, onOutput: (chunk, stream) => this.#take(chunk, stream) });
    if (message !== undefined) this.tell = (note) => this.#tree.say(message(note));
    this.#queue = createEventQueue(this.#tree.hold);
    this.exit = this.#run();
  }

  next(): Promise<AgentEvent | null> {
    return this.#queue.next();
  }

  stop(cause: StopCause): void {
    if (this.#over || this.#cause !== null) return;
    this.#cause = cause;
    this.#tree.end();
  }

  /** Never falls, although the sum over a tree does when a member dies that nobody waited for. */
  cpuMs(): number | null {
    const { pid, mark } = this.#tree;
    const now = pid === null ? null : cpuMs(mark);
    if (now === null) return null;
    this.#cpu.total += Math.max(0, now - this.#cpu.last);
    this.#cpu.last = now;
    return this.#cpu.total;
  }

  outputBytes(): number {
    return this.#bytes;
  }

  leftovers(): Leftovers | null {
    return this.#left;
  }

  async #run(): Promise<AgentExit> {
    const end = await this.#tree.ended;
    this.#over = true;
    if (this.#settleTimer !== null) clearTimeout(this.#settleTimer);
    const exit = toExit(end, this.#cause);
    await this.#tree.exited;
    for (const stream of ["stdout", "stderr"] as const) {
      this.#emit(this.#translate(this.#lines[stream].end(), stream));
      this.#sinks[stream].close();
      this.#reportSink(stream);
    }
    this.#emit(this.#options.translator.end(exit));
    this.#queue.close();
    this.#left = await this.#tree.gone;
    return exit;
  }

  #take(chunk: Buffer, stream: "stdout" | "stderr"): void {
    this.#bytes += chunk.length;
    this.#sinks[stream].write(chunk);
    const lines = this.#lines[stream].push(chunk);
    const bytes = lines.reduce((sum, line) => sum + (line.kind === "line" ? line.text.length : 0), 0);
    this.#emit(this.#translate(lines, stream), bytes);
    this.#reportSink(stream);
    this.#heedLastWord();
  }

  /** Unlike `finished` it is taken back by whatever is printed after it. */
  #heedLastWord(): void {
    const { translator } = this.#options;
    if (this.#over || translator.lastWord === undefined) return;
    if (translator.lastWord()) this.#armSettle();
    else if (this.#settleTimer !== null) clearTimeout(this.#settleTimer);
  }

  #reportSink(stream: "stdout" | "stderr"): void {
    const problem = this.#sinks[stream].problem();
    if (problem === null || this.#sinkReported) return;
    this.#sinkReported = true;
    this.#emit([{ type: "error", kind: "other", fatal: false, message: problem }]);
  }

  #translate(lines: Line[], stream: "stdout" | "stderr"): AgentEvent[] {
    return lines.flatMap((line) =>
      line.kind === "line" ? this.#options.translator.line(line.text, stream) : [{ type: "unknown", raw: `[a line of ${line.bytes} bytes was skipped]` }],
    );
  }

  #emit(events: AgentEvent[], bytes = 0): void {
    const last = events.some((event) => event.type === "finished");
    // It waits for the next message else, and does not end.
    if (last) this.#tree.closeInput();
    this.#finished ||= last;
    if (!this.#over && this.#finished && events.some((event) => ACTIVE.has(event.type))) this.#armSettle();
    if (events.length > 0) this.#queue.push(events, bytes);
  }

  #armSettle(): void {
    if (this.#settleTimer !== null) clearTimeout(this.#settleTimer);
    this.#settleTimer = setTimeout(() => this.stop("settled"), this.#options.settleGraceMs);
  }
}

function toExit(end: ChildEnd, cause: StopCause | null): AgentExit {
  return cause !== null && end.kind !== "cannotStart" ? { kind: "stopped", cause } : end;
}
