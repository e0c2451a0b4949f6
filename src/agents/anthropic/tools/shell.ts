/** Runs one shell command in a process group of its own and leaves nothing of the group behind. */
import { setTimeout as sleep } from "node:timers/promises";
import { type ChildEnd, openChild } from "../../process/child.js";
import { listProcesses } from "../../process/process-table.js";

export interface ShellRequest {
  command: string;
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  killGraceMs: number;
  signal: AbortSignal;
  /** stdout and stderr in the order they were written. */
  onOutput(chunk: Buffer): void;
}

export type ShellEnd =
  /** `leftovers`: processes of the command still ran after it ended, and were ended. */
  { kind: "exited"; code: number; leftovers: boolean } | Exclude<ChildEnd, { kind: "exited" }> | { kind: "timedOut" } | { kind: "aborted" };

/** One pipe for both streams keeps their order; `exec` means that no second shell stays around. */
const MERGED = 'exec bash -c "$1" 2>&1';
/** After SIGKILL only a hung kernel call survives. */
const KILL_BOUND_MS = 1_000;

export async function runShell(request: ShellRequest): Promise<ShellEnd> {
  const child = openChild({
    argv: ["bash", "-c", MERGED, "bash", request.command],
    cwd: request.cwd,
    env: request.env,
    stdin: null,
    onOutput: request.onOutput,
  });
  const end = await firstEnd(child.ended, request);
  if (child.pid === null) return end;
  const natural = end.kind === "exited" || end.kind === "signalled";
  // What it still wrote comes first; a process left behind can hold the pipe for ever, so this is bounded.
  if (natural) await child.drain();
  const leftovers = await endGroup(child.pid, request.killGraceMs);
  if (!natural) await child.drain();
  return end.kind === "exited" ? { ...end, leftovers } : end;
}

/** The first cause wins: exit, time or abort. */
async function firstEnd(ended: Promise<ChildEnd>, request: ShellRequest): Promise<ShellEnd> {
  return new Promise((resolve) => {
    const onAbort = () => settle({ kind: "aborted" });
    const timer = setTimeout(() => settle({ kind: "timedOut" }), request.timeoutMs);
    const settle = (end: ShellEnd) => {
      clearTimeout(timer);
      request.signal.removeEventListener("abort", onAbort);
      resolve(end);
    };
    if (request.signal.aborted) return onAbort();
    request.signal.addEventListener("abort", onAbort);
    void ended.then((end) => settle(end.kind === "exited" ? { ...end, leftovers: false } : end));
  });
}

/** TERM, grace, KILL to the group; true when something was still there. */
async function endGroup(group: number, graceMs: number): Promise<boolean> {
  if (await groupGone(group, 0)) return false;
  signalGroup(group, "SIGTERM");
  if (await groupGone(group, graceMs)) return true;
  signalGroup(group, "SIGKILL");
  await groupGone(group, KILL_BOUND_MS);
  return true;
}

/** Asks the process table, because a signal of 0 also reaches zombies that nobody waits for. */
async function groupGone(group: number, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const members = (await listProcesses()).filter((entry) => entry.group === group);
    if (members.length === 0) return true;
    if (performance.now() >= deadline) return false;
    await sleep(pauseMs);
  }
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // ESRCH: it went by itself. EPERM: it belongs to another user and is out of reach.
  }
}
