/** FIFOs without a name. Node can not make one, and a process for each would cost more than a short agent, so they come in batches. */
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownProgram } from "../../own-program.js";

export interface Fifo {
  /** Non-blocking. */
  readEnd: number;
  writeEnd: number;
}

/** A command that starts one program needs few, a loop many. Two file descriptors each, for as long as they wait; a process may usually have 1,024. */
const FIRST_BATCH = 4;
const LARGEST_BATCH = 128;

const spare: Fifo[] = [];
let batch = FIRST_BATCH;

/** null where FIFOs are not to be had. Each is used once: a leftover of the last user may still write into it. */
export function takeFifo(): Fifo | null {
  if (spare.length === 0) {
    spare.push(...makeFifos(batch));
    batch = Math.min(2 * batch, LARGEST_BATCH);
  }
  return spare.pop() ?? null;
}

function makeFifos(count: number): Fifo[] {
  const folder = mkdtempSync(join(tmpdir(), "ralphd-"));
  const made: Fifo[] = [];
  try {
    const paths = Array.from({ length: count }, (_, index) => join(folder, `${index}`));
    execFileSync(ownProgram("mkfifo"), ["-m", "600", ...paths], { stdio: "ignore" });
    for (const path of paths) made.push(openFifo(path));
  } catch {
    // No such program, a file system without FIFOs, or no more file descriptors: what there is has to do.
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return made;
}

function openFifo(path: string): Fifo {
  // The reader first and without blocking, since each end would wait for the other.
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { readEnd, writeEnd: openSync(path, constants.O_WRONLY) };
  } catch (error) {
    closeSync(readEnd);
    throw error;
  }
}
