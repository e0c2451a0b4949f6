/** Runs a reviewer's process to its end, with standard output apart from the rest: that is the answer. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChildEnd } from "../process/child.js";
import { supervise } from "../process/supervise.js";
import type { ReviewRequest } from "./reviewer.js";

/** An answer is a few kilobytes; more is no answer. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_ERROR_CHARS = 300;

export interface ProcessAnswer {
  stdout: string;
  /** null for a clean exit with code 0. */
  problem: string | null;
  /** False when no process came to life. */
  started: boolean;
}

export async function runReviewer(argv: string[], cwd: string, env: Record<string, string>, request: ReviewRequest): Promise<ProcessAnswer> {
  const out: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  const sizes = { stdout: 0, stderr: 0 };
  const tree = supervise({
    argv,
    cwd,
    env,
    stdin: request.prompt,
    token: request.token,
    killGraceMs: request.killGraceMs,
    wrap: request.wrap,
    onOutput(chunk, stream) {
      sizes[stream] += chunk.length;
      if (sizes[stream] <= MAX_ANSWER_BYTES) out[stream].push(chunk);
    },
  });
  let cut: string | null = null;
  const end = (why: string): void => {
    cut ??= why;
    tree.end();
  };
  const timer = setTimeout(() => end(`gave no answer within ${request.timeoutMs / 1000} s`), Math.min(request.timeoutMs, 2 ** 31 - 1));
  const onAbort = (): void => end("was stopped by a person");
  request.signal.addEventListener("abort", onAbort, { once: true });
  if (request.signal.aborted) onAbort();
  const exit = await tree.exited;
  clearTimeout(timer);
  request.signal.removeEventListener("abort", onAbort);
  await tree.gone;
  const said = Buffer.concat(out.stderr).toString("utf8").trim().slice(-MAX_ERROR_CHARS);
  const tooMuch = sizes.stdout > MAX_ANSWER_BYTES ? "printed more than an answer can be" : null;
  return { stdout: Buffer.concat(out.stdout).toString("utf8"), problem: cut ?? tooMuch ?? endProblem(exit, said), started: exit.kind !== "cannotStart" };
}

function endProblem(exit: ChildEnd, said: string): string | null {
  const tail = said === "" ? "" : `: ${said}`;
  if (exit.kind === "cannotStart") return exit.message;
  if (exit.kind === "signalled") return `was killed by ${exit.signal}${tail}`;
  return exit.code === 0 ? null : `ended with exit code ${exit.code}${tail}`;
}

/** A folder with nothing in it: no project file of the maker's can speak to the reviewer. */
export async function inEmptyFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "ralphd-review-"));
  try {
    return await action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
