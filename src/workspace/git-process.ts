/** Starts git: hardened, without prompts, in a session of its own, never longer than its timeout. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { globalConfig } from "./global-config.js";
import { ownProgram } from "../own-program.js";

export interface GitResult {
  /** null when it was ended by a signal. */
  code: number | null;
  stdout: Buffer;
  stderr: string;
  /** Set when the timeout ended it. */
  timedOut: boolean;
}

export interface GitCall {
  args: string[];
  cwd: string;
  input?: string | Buffer;
  /** Absolute path of the index to use instead of the repository's own. */
  indexFile?: string;
  /** Where hooks are looked for; none run by default. */
  hooksPath?: string;
  /** `none`: never takes a lock for a mere refresh. Reads of the user's index use it. */
  optionalLocks?: "none" | "allowed";
  /** `user`: locale as inherited, for calls that run the user's hooks and signing programs. */
  locale?: "C" | "user";
  timeoutMs?: number;
  /** The very same arguments come in every iteration: a shell that stays starts them. */
  often?: true;
}

export interface GitProcess {
  /** Hands over the input and waits for the end. To be called once. */
  finish(input?: string | Buffer): Promise<GitResult>;
}

export type GitChild = ChildProcessByStdio<Writable, Readable, Readable>;

export const GIT_TIMEOUT_MS = 120_000;
/** SIGKILL leaves lock files behind and SIGTERM does not, so git gets this long to tidy. */
const KILL_AFTER_TERM_MS = 2_000;
/** Output still in the pipe after the exit; a hook's left-over child may hold it for ever. */
const DRAIN_MS = 200;
const NO_HOOKS = "/dev/null";

/** Settings that an agent or a user's configuration could use to hide changes, start programs or slow us down. */
const HARDENING = [
  "--no-replace-objects",
  "--no-pager",
  ...Object.entries({
    "core.fsmonitor": "false",
    "core.untrackedCache": "false",
    "core.trustctime": "true",
    "core.checkStat": "default",
    "core.ignoreStat": "false",
    "core.quotepath": "false",
    "core.commitGraph": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "color.ui": "false",
  }).flatMap(([key, value]) => ["-c", `${key}=${value}`]),
];

/** Variables of the person that may stay: who they are and where their configuration lies. Everything else named GIT_* redirects or traces. */
const KEPT =
  /^GIT_((AUTHOR|COMMITTER)_(NAME|EMAIL)|SSH|SSH_COMMAND|SSH_VARIANT|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|EXEC_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)$/;

export function gitEnvironment(call: Pick<GitCall, "indexFile" | "optionalLocks" | "locale">): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!name.startsWith("GIT_") || KEPT.test(name)) env[name] = value;
  }
  env.GIT_TERMINAL_PROMPT = "0";
  env.GIT_ASKPASS = "";
  env.GIT_EDITOR = "true";
  env.GIT_ADVICE = "0";
  if (call.optionalLocks === "none") env.GIT_OPTIONAL_LOCKS = "0";
  if (call.indexFile !== undefined) env.GIT_INDEX_FILE = call.indexFile;
  // Lock contention is recognised by git's English text, in `git-lock.ts` alone.
  if (call.locale !== "user") env.LC_ALL = "C";
  return env;
}

/** Starts git and leaves its input open. Own session: no terminal to prompt on, and its hooks end with it. */
export function spawnGit(call: Omit<GitCall, "input">): GitChild {
  const [program = "", ...args] = gitArgv(call);
  return spawnWith(program, args, call);
}

export function gitArgv(call: Omit<GitCall, "input">): string[] {
  return [ownProgram("git"), ...HARDENING, "-c", `core.hooksPath=${call.hooksPath ?? NO_HOOKS}`, ...call.args];
}

export function spawnWith(program: string, args: string[], call: Omit<GitCall, "input">): GitChild {
  const env = gitEnvironment(call);
  const global = globalConfig(env);
  if (global !== null) env["GIT_CONFIG_GLOBAL"] = global;
  const child = spawn(program, args, {
    cwd: call.cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  // It may exit without having read its input; its exit code says what happened.
  child.stdin.on("error", () => {});
  return child;
}

/** An idle child must not keep the program alive; a question to it does so by its timer. */
export function letNodeExit(child: GitChild): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    // Pipes of a child are sockets, which the stream types do not say.
    (stream as unknown as { unref?: () => void }).unref?.();
  }
}

export function startGit(call: Omit<GitCall, "input">): GitProcess {
  return superviseChild(spawnGit(call), call.timeoutMs ?? GIT_TIMEOUT_MS);
}

/** Watches a started child: collects its output, ends its group at the timeout, settles on exit. */
export function superviseChild(child: GitChild, timeoutMs: number): GitProcess {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let timedOut = false;
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  const result = (code: number | null): GitResult => ({
    code,
    stdout: Buffer.concat(stdout),
    stderr: Buffer.concat(stderr).toString("utf8"),
    timedOut,
  });
  const ended = new Promise<GitResult>((resolve) => {
    child.on("error", (error) => {
      stderr.push(Buffer.from(error.message));
      resolve(result(null));
    });
    child.on("exit", (code) => {
      const drain = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve(result(code));
      }, DRAIN_MS);
      child.on("close", () => {
        clearTimeout(drain);
        resolve(result(code));
      });
    });
  });
  return {
    async finish(input) {
      const timer = setTimeout(() => {
        timedOut = true;
        endGroup(child);
      }, timeoutMs);
      child.stdin.end(input);
      const value = await ended;
      clearTimeout(timer);
      return value;
    },
  };
}

/** TERM to the whole group, KILL to what is left of it. */
export function endGroup(child: GitChild): void {
  signalGroup(child, "SIGTERM");
  const kill = setTimeout(() => signalGroup(child, "SIGKILL"), KILL_AFTER_TERM_MS);
  child.on("exit", () => clearTimeout(kill));
}

export function signalGroup(child: GitChild, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already, which is what was wanted.
  }
}

/** An idle child ends with its input; one that does not within this time is told to. */
const IDLE_END_MS = 1_000;

/** Resolves when the idle child is gone, so that nothing of ours outlives the driver, not even for a moment. */
export function endIdle(child: GitChild | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => endGroup(child), IDLE_END_MS);
    const gone = (): void => {
      clearTimeout(timer);
      resolve();
    };
    child.once("exit", gone);
    child.once("error", gone);
    child.stdin.end();
  });
}
