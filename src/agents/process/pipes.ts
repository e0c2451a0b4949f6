/**
 * What a child gets as stdin, stdout and stderr. Node's own pipes are sockets, and on Linux a program that opens
 * `/dev/stdin` or `/dev/stderr` again, as shell scripts do, gets ENXIO from a socket. So stdin is a file and the
 * outputs are FIFOs, both without a name by the time the child runs.
 */
import { randomUUID } from "node:crypto";
import { closeSync, constants, openSync, unlinkSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { takeFifo } from "./fifos.js";

export interface ChildPipes {
  stdio: ["ignore" | "pipe" | number, "pipe" | number, "pipe" | number];
  /** null where Node's own pipe is used. */
  stdout: Readable | null;
  /** null also when stderr is merged into stdout. */
  stderr: Readable | null;
  /** Closes our copies of the child's ends, without which its end of file would never come. */
  release(): void;
}

/**
 * Throws when the prompt can't be written. `merged`: one pipe for both outputs, which keeps their order.
 * `open`: more input comes later, which needs Node's own pipe.
 */
export function openChildPipes(
  stdin: string | null,
  { merged = false, open = false }: { merged?: boolean | undefined; open?: boolean | undefined },
): ChildPipes {
  const input = open ? "pipe" : stdin === null ? null : openInput(stdin);
  const [out, err] = openOutputs(merged ? 1 : 2);
  const files = [input, out?.childEnd, err?.childEnd].filter((file) => typeof file === "number");
  return {
    stdio: [input ?? "ignore", out?.childEnd ?? "pipe", (merged ? out : err)?.childEnd ?? "pipe"],
    stdout: out?.reader ?? null,
    stderr: err?.reader ?? null,
    release: () => {
      for (const file of files) closeSync(file);
    },
  };
}

/** The name must be new, so that nobody else's file or link is written to, and is gone again at once. */
function openInput(content: string): number {
  const path = join(tmpdir(), `ralphd-${randomUUID()}`);
  writeFileSync(path, content, { mode: 0o600, flag: "wx" });
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } finally {
    unlinkSync(path);
  }
}

/** Empty where FIFOs are not to be had; other systems open `/dev/stderr` from a socket too. */
function openOutputs(count: number): { childEnd: number; reader: Readable }[] {
  if (process.platform !== "linux") return [];
  const outputs: { childEnd: number; reader: Readable }[] = [];
  for (let made = 0; made < count; made++) {
    const fifo = takeFifo();
    // Node's own pipes do for all but the reopening.
    if (fifo === null) break;
    outputs.push({ childEnd: fifo.writeEnd, reader: new Socket({ fd: fifo.readEnd, readable: true, writable: false }) });
  }
  return outputs;
}
