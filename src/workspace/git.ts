/** The one module that calls git: reads beside each other, writes one at a time and patient with locks of others. */
import { waitForLock } from "./git-lock.js";
import { type GitCall, type GitResult, GIT_TIMEOUT_MS, startGit } from "./git-process.js";
import { diskRefusal } from "./git-refusal.js";
import { openShells } from "./git-shell.js";

export { type GitResult, GIT_TIMEOUT_MS, gitEnvironment, startGit, superviseChild } from "./git-process.js";

export interface GitOptions {
  root: string;
  timeoutMs?: number;
  /** A folder for input of the calls that come often; without it they are started like any other. */
  inputDir?: string;
  /** A lock that nobody holds is removed once it is this old. */
  staleLockMs?: number;
  /** How long a call waits for locks of others. */
  lockWaitMs?: number;
  onWarning?: (message: string) => void;
}

type CallOptions = Omit<GitCall, "args" | "cwd">;

/** Throws DiskError when the disk refuses; whatever else goes wrong is in the result. */
export interface Git {
  readonly root: string;
  /** Takes no locks; may run beside others. */
  read(args: string[], options?: CallOptions): Promise<GitResult>;
  /** One at a time; waits for locks that others hold. */
  write(args: string[], options?: CallOptions): Promise<GitResult>;
  /** Runs an action of several steps as one write. Must not call `write` inside: use the given git. */
  exclusive<T>(action: (git: Pick<Git, "read" | "write">) => Promise<T>): Promise<T>;
  /** Ends the shells of the calls that come often. */
  close(): Promise<void>;
}

export function createGit(options: GitOptions): Git {
  const { root } = options;
  const timeoutMs = options.timeoutMs ?? GIT_TIMEOUT_MS;
  const shells = openShells(options.inputDir);
  const run = async (args: string[], call: CallOptions): Promise<GitResult> => {
    const { input, ...rest } = call;
    const whole = { timeoutMs, ...rest, args, cwd: root };
    const result = (await shells.run(whole, input)) ?? (await startGit(whole).finish(input));
    const refusal = result.code === 0 ? null : diskRefusal(result.stderr, root);
    // No caller can make room: the run ends, and says why.
    if (refusal !== null) throw refusal;
    return result;
  };
  const read: Git["read"] = (args, call = {}) => run(args, { optionalLocks: "none", ...call });
  const writeNow: Git["write"] = async (args, call = {}) => {
    const startedMs = Date.now();
    for (let attempt = 0; ; attempt++) {
      const result = await run(args, call);
      if (result.code === 0 || !(await waitForLock(result.stderr, { ...options, attempt, startedMs }))) return result;
    }
  };
  let tail: Promise<unknown> = Promise.resolve();
  const exclusive = <T>(action: (git: Pick<Git, "read" | "write">) => Promise<T>): Promise<T> => {
    const turn = tail.then(() => action({ read, write: writeNow }));
    // The next in line starts whatever became of this one; its caller gets the error.
    tail = turn.catch(() => {});
    return turn;
  };
  return { root, read, exclusive, write: (args, call) => exclusive((git) => git.write(args, call)), close: shells.close };
}

/** For calls that only fail when the machine or the repository is broken. */
export function expectOk(result: GitResult, what: string): Buffer {
  if (result.code !== 0) throw new Error(`git ${what} failed: ${describeFailure(result)}`);
  return result.stdout;
}

export function describeFailure(result: GitResult): string {
  if (result.timedOut) return "it did not end in time";
  return result.stderr.trim() || result.stdout.toString("utf8").trim() || `exit code ${result.code}`;
}
