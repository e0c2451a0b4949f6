/**
 * What a child gets as stdin, stdout and stderr. Node's own pipes are sockets, and on Linux a program that opens
 * `/dev/stdin` or `/dev/stderr` again, as shell scripts do, gets ENXIO from a socket. So stdin is a file and the
 * outputs are FIFOs, both without a name by the time the child runs.
 */
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

export interface ChildPipes {
  stdio: ["ignore" | number, "pipe" | number, "pipe" | number];
  /** null where Node's own pipe is used. */
  stdout: Readable | null;
  /** null also when stderr is merged into stdout. */
  stderr: Readable | null;
  /** Closes our copies of the child's ends, without which its end of file would never come. */
  release(): void;
}

/** Throws when the prompt can't be written. `merged`: one pipe for both outputs, which keeps their order. */
export function openChildPipes(stdin: string | null, merged: boolean): ChildPipes {
  const folder = mkdtempSync(join(tmpdir(), "ralphd-"));
  const files: number[] = [];
  try {
    const input = stdin === null ? null : openInput(join(folder, "stdin"), stdin);
    if (input !== null) files.push(input);
    const outputs = openOutputs(folder, merged ? 1 : 2);
    files.push(...outputs.map((output) => output.childEnd));
    const [out, err] = outputs;
    return {
      stdio: [input ?? "ignore", out?.childEnd ?? "pipe", (merged ? out : err)?.childEnd ?? "pipe"],
      stdout: out?.reader ?? null,
      stderr: err?.reader ?? null,
      release: () => {
        for (const file of files) closeSync(file);
      },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openInput(path: string, content: string): number {
  writeFileSync(path, content, { mode: 0o600 });
  return openSync(path, "r");
}

/** Empty where FIFOs are not to be had; other systems open `/dev/stderr` from a socket too. */
function openOutputs(folder: string, count: number): { childEnd: number; reader: Readable }[] {
  if (process.platform !== "linux") return [];
  const paths = Array.from({ length: count }, (_, index) => join(folder, `out${index}`));
  try {
    execFileSync("mkfifo", ["-m", "600", ...paths], { stdio: "ignore" });
  } catch {
    // No such program, or a file system without FIFOs: Node's pipes do for all but the reopening.
    return [];
  }
  return paths.map((path) => {
    // The reader first and without blocking, since each end would wait for the other.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const childEnd = openSync(path, constants.O_WRONLY);
    return { childEnd, reader: new Socket({ fd, readable: true, writable: false }) };
  });
}
