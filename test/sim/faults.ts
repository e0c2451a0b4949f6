/** What the world does to a night, and when: counted in effects of the driver and its agents. */
import type { Random } from "./random.js";

export type Fault = { at: number } & (
  | { kind: "crash" } // the driver's process is gone; the disk stays as it is
  /** The machine is gone: of what was not flushed, this share from 0 to 1 is kept. */
  | { kind: "power"; keeps: number }
  /** No space for so many attempts to write. */
  | { kind: "full"; effects: number }
  /** Files of the working tree can't be written for so many effects. */
  | { kind: "readOnly"; effects: number }
  /** The wall clock is set, or the machine slept while the monotonic clock stood still. */
  | { kind: "clock"; byMs: number }
  /** Somebody kills the agent that is at work. */
  | { kind: "killed" }
  /** Another git holds its lock for so many commits. */
  | { kind: "gitLock"; calls: number }
  | { kind: "watcher" }
);

/** Ends the driver's process in the simulation: thrown after the effect that it names. */
export class Crash extends Error {
  constructor(label: string) {
    super(`crash after ${label}`);
  }
}

/** Nights have some 30 to 300 effects; most of them begin with the first iterations. */
const REACH = 150;
const HOUR = 3_600_000;

export function drawFaults(rng: Random): Fault[] {
  const count = rng.chance(0.5) ? 0 : 1 + rng.below(3);
  return Array.from({ length: count }, () => drawFault(rng)).sort((a, b) => a.at - b.at);
}

function drawFault(rng: Random): Fault {
  const at = 1 + rng.below(REACH);
  switch (rng.below(8)) {
    case 0:
      return { at, kind: "crash" };
    case 1:
      return { at, kind: "power", keeps: rng.next() };
    case 2:
      return { at, kind: "full", effects: 1 + rng.below(6) };
    case 3:
      return { at, kind: "readOnly", effects: 1 + rng.below(20) };
    case 4:
      return { at, kind: "clock", byMs: (1 + rng.below(12)) * (rng.chance(0.5) ? HOUR : -HOUR) };
    case 5:
      return { at, kind: "killed" };
    case 6:
      return { at, kind: "gitLock", calls: 1 + rng.below(2) };
    default:
      return { at, kind: "watcher" };
  }
}
