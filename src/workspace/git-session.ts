/** A git process that answers many questions: a question costs a tenth of a new process. Restarted when it died. */
import { endGroup, endIdle, GIT_TIMEOUT_MS, type GitChild, letNodeExit, spawnGit } from "./git-process.js";

export interface GitSession {
  /**
   * Sends one request and returns the bytes of its answer. `expect` gives the length of the answer
   * once the first bytes tell it, null before. null when git died or did not answer in time.
   */
  ask(request: string, expect: (start: Buffer) => number | null): Promise<Buffer | null>;
  /** Resolves when git is gone. */
  close(): Promise<void>;
}

interface Pending {
  chunks: Buffer[];
  length: number;
  expected: number | null;
  expect: (start: Buffer) => number | null;
  resolve: (answer: Buffer | null) => void;
  timer: NodeJS.Timeout;
}

export interface SessionOptions {
  timeoutMs?: number | undefined;
  hooksPath?: string | undefined;
}

export function createSession(cwd: string, args: string[], options: SessionOptions = {}): GitSession {
  const { timeoutMs = GIT_TIMEOUT_MS, hooksPath } = options;
  let child: GitChild | null = null;
  let pending: Pending | null = null;
  let tail: Promise<unknown> = Promise.resolve();

  const settle = (answer: Buffer | null): void => {
    if (pending === null) return;
    clearTimeout(pending.timer);
    const { resolve } = pending;
    pending = null;
    resolve(answer);
  };
  const start = (): GitChild => {
    const started = spawnGit({ cwd, args, optionalLocks: "none", ...(hooksPath === undefined ? {} : { hooksPath }) });
    const gone = (): void => {
      if (child !== started) return;
      child = null;
      settle(null);
    };
    started.on("error", gone);
    started.on("exit", gone);
    started.stdout.on("data", (chunk: Buffer) => pending !== null && take(pending, chunk, settle));
    // Its complaints are told by the missing answer.
    started.stderr.resume();
    letNodeExit(started);
    return started;
  };
  const send = (request: string, expect: Pending["expect"]): Promise<Buffer | null> =>
    new Promise((resolve) => {
      child ??= start();
      const asked = child;
      const timer = setTimeout(() => endGroup(asked), timeoutMs);
      pending = { chunks: [], length: 0, expected: null, expect, resolve, timer };
      asked.stdin.write(request);
    });
  return {
    ask(request, expect) {
      const turn = tail.then(() => send(request, expect));
      tail = turn;
      return turn;
    },
    // A question still open is answered by its exit.
    close: () => endIdle(child),
  };
}

function take(pending: Pending, chunk: Buffer, settle: (answer: Buffer) => void): void {
  pending.chunks.push(chunk);
  pending.length += chunk.length;
  if (pending.expected === null) {
    const start = Buffer.concat(pending.chunks);
    pending.chunks = [start];
    pending.expected = pending.expect(start);
  }
  if (pending.expected !== null && pending.length >= pending.expected) settle(Buffer.concat(pending.chunks));
}
