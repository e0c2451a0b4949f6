/**
 * A git command that every iteration runs, started by a small shell of its own. Node forks with all its memory: a
 * driver of 100 MB takes 3 to 5 ms to start a git that works for 2, and a shell of 1 MB takes half of one. The shell
 * is given one fixed argument vector when it starts, so that no text passes through it later but the name of a file.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { endGroup, endIdle, type GitCall, type GitChild, type GitResult, gitArgv, letNodeExit, signalGroup, spawnWith } from "./git-process.js";
import { handOver } from "./handover.js";
import { ownProgram } from "../own-program.js";

export interface GitShells {
  /** null when it has to be run in another way. */
  run(call: Omit<GitCall, "input"> & { timeoutMs: number }, input: string | Buffer | undefined): Promise<GitResult | null>;
  close(): Promise<void>;
}

export function openShells(inputDir: string | undefined): GitShells {
  const shells = new Map<string, GitShell>();
  return {
    async run(call, input) {
      if (call.often !== true || inputDir === undefined || inputDir.includes("\n")) return null;
      const key = JSON.stringify(call);
      const shell =
        shells.get(key) ??
        createGitShell({
          start: (args) => spawnWith(ownProgram("sh"), args, call),
          argv: gitArgv(call),
          timeoutMs: call.timeoutMs,
          inputFile: join(inputDir, `git-input-${shells.size}`),
        });
      shells.set(key, shell);
      return shell.run(input);
    },
    async close() {
      const open = [...shells.values()];
      shells.clear();
      await Promise.all(open.map((shell) => shell.close()));
    },
  };
}

interface GitShell {
  /** null when the shell was lost: nothing is known about what git did. */
  run(input: string | Buffer | undefined): Promise<GitResult | null>;
  close(): Promise<void>;
}

interface GitShellOptions {
  /** Starts `sh` with these arguments and git's environment, in a session of its own. */
  start(argv: string[]): GitChild;
  /** git and its arguments. */
  argv: string[];
  timeoutMs: number;
  /** Where git's input is put; the name may hold no line break. */
  inputFile: string;
}

interface Running {
  stdout: Buffer[];
  stderr: Buffer[];
  timedOut: boolean;
  settle(result: GitResult | null): void;
}

function createGitShell(options: GitShellOptions): GitShell {
  const mark = randomBytes(16).toString("hex");
  const script = `while IFS= read -r input; do
"$@" <"$input"
printf '\\n${mark} %s\\n' "$?"
printf '\\n${mark}\\n' >&2
done`;
  let child: GitChild | null = null;
  let running: Running | null = null;
  let tail: Promise<unknown> = Promise.resolve();

  const look = (): void => {
    const result = running === null ? null : resultOf(running, mark);
    if (result !== null) running?.settle(result);
  };
  const start = (): GitChild => {
    const started = options.start(["-c", script, "sh", ...options.argv]);
    const gone = (): void => {
      if (child !== started) return;
      child = null;
      // What it ran would go on without it, beside the call that takes its place.
      if (running !== null) signalGroup(started, "SIGTERM");
      running?.settle(running.timedOut ? { code: null, stdout: Buffer.alloc(0), stderr: "", timedOut: true } : null);
    };
    started.on("error", gone);
    started.on("exit", gone);
    for (const name of ["stdout", "stderr"] as const) {
      started[name].on("data", (chunk: Buffer) => {
        running?.[name].push(chunk);
        look();
      });
    }
    letNodeExit(started);
    return started;
  };
  const runNow = (input: string | Buffer | undefined): Promise<GitResult | null> =>
    new Promise((resolve) => {
      child ??= start();
      const asked = child;
      if (input !== undefined) handOver(options.inputFile, input);
      const timer = setTimeout(() => {
        if (running !== null) running.timedOut = true;
        endGroup(asked);
      }, options.timeoutMs);
      running = {
        stdout: [],
        stderr: [],
        timedOut: false,
        settle: (result) => {
          running = null;
          clearTimeout(timer);
          resolve(result);
        },
      };
      asked.stdin.write(`${input === undefined ? "/dev/null" : options.inputFile}\n`);
    });
  return {
    run(input) {
      const turn = tail.then(() => runNow(input));
      // The next question is asked whatever became of this one; its caller gets the error.
      tail = turn.catch(() => null);
      return turn;
    },
    close: () => endIdle(child),
  };
}

/** null until the shell's line stands behind both outputs. */
function resultOf(running: Running, mark: string): GitResult | null {
  const stdout = untilMark(running.stdout, `\n${mark} `, mark.length + 6);
  const stderr = stdout === null ? null : untilMark(running.stderr, `\n${mark}\n`, mark.length + 2);
  if (stdout === null || stderr === null) return null;
  return { code: Number(stdout.after), stdout: stdout.before, stderr: stderr.before.toString("utf8"), timedOut: false };
}

/** The mark is looked for only near the end, where it must be. */
function untilMark(chunks: Buffer[], mark: string, reach: number): { before: Buffer; after: string } | null {
  if (chunks.at(-1)?.at(-1) !== 0x0a) return null;
  const whole = Buffer.concat(chunks);
  chunks.splice(0, chunks.length, whole);
  const at = whole.indexOf(mark, Math.max(0, whole.length - reach));
  return at === -1 ? null : { before: whole.subarray(0, at), after: whole.toString("latin1", at + mark.length).trim() };
}
