/** Raw output to a file, in order and before anybody acts on it. A full disk is a value, never a throw. */
import { closeSync, openSync, writeSync } from "node:fs";

export interface DiskSink {
  write(chunk: Buffer): void;
  /** Why the file is incomplete; null while it is whole. */
  problem(): string | null;
  close(): void;
}

/**
 * Writing is synchronous on purpose: the event that a line becomes is never ahead of its line on disk, a driver
 * that dies loses nothing, and the pipe slows the child down when the disk is slow.
 */
export function openDiskSink(path: string | null, made: "atOnce" | "atFirstWrite" = "atOnce"): DiskSink {
  let problem: string | null = null;
  let file: number | null = null;
  let closed = false;
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      problem ??= `cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  const open = (): void => {
    if (path === null || closed || file !== null || problem !== null) return;
    attempt(() => {
      file = openSync(path, "a");
    });
  };
  if (made === "atOnce") open();
  return {
    write(chunk) {
      open();
      const target = file;
      if (target === null || problem !== null) return;
      attempt(() => {
        for (let from = 0; from < chunk.length; ) from += writeSync(target, chunk, from);
      });
    },
    problem: () => problem,
    close() {
      const target = file;
      file = null;
      closed = true;
      if (target !== null) attempt(() => closeSync(target));
    },
  };
}
