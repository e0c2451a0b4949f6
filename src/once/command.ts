/** Runs the command of a write: its output passes through and is kept within bounds. */
import { spawn } from "node:child_process";
import { constants } from "node:os";

export type CommandEnd = { kind: "exited"; code: number } | { kind: "signalled"; signal: string; code: number } | { kind: "cannotStart"; message: string };

export interface CommandRun {
  end: CommandEnd;
  output: Record<"stdout" | "stderr", Buffer>;
}

/** Kept of each stream; what a retry needs to read is at its beginning or its end. */
const KEPT_BYTES = 256 * 1024;
/** Output still in the pipe after the exit; a background child may hold it for ever. */
const DRAIN_MS = 250;
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function runCommand(argv: string[], cwd: string): Promise<CommandRun> {
  const [file = "", ...args] = argv;
  return new Promise((resolve) => {
    const kept = { stdout: keeper(), stderr: keeper() };
    const child = spawn(file, args, { cwd, stdio: ["inherit", "pipe", "pipe"] });
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].on("data", (chunk: Buffer) => {
        process[stream].write(chunk);
        kept[stream].push(chunk);
      });
    }
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
    for (const signal of FORWARDED) process.on(signal, forward);
    const settle = (end: CommandEnd): void => {
      for (const signal of FORWARDED) process.off(signal, forward);
      resolve({ end, output: { stdout: kept.stdout.bytes(), stderr: kept.stderr.bytes() } });
    };
    child.once("error", (error) => {
      if (child.pid === undefined) settle({ kind: "cannotStart", message: error.message });
    });
    child.once("exit", (code, signal) => {
      const end: CommandEnd = signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signalled", signal, code: 128 + constants.signals[signal] };
      const drained = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, DRAIN_MS);
      child.once("close", () => {
        clearTimeout(drained);
        settle(end);
      });
    });
  });
}

function keeper(): { push(chunk: Buffer): void; bytes(): Buffer } {
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let lost = 0;
  const half = KEPT_BYTES / 2;
  return {
    push(chunk) {
      const room = half - head.length;
      if (room > 0) head = Buffer.concat([head, chunk.subarray(0, room)]);
      const rest = Buffer.concat([tail, chunk.subarray(Math.max(0, room))]);
      lost += Math.max(0, rest.length - half);
      tail = rest.subarray(Math.max(0, rest.length - half));
    },
    bytes: () => (lost === 0 ? Buffer.concat([head, tail]) : Buffer.concat([head, Buffer.from(`\n[... ${lost} bytes left out ...]\n`), tail])),
  };
}
