/** The memory of the live brakes. Serialisable and bounded; journaled with every `agent.ended`. */
import type { BrakeHit } from "./types.js";

/** Half-open range of 0-based lines. */
export type LineRange = [from: number, to: number];

export interface CommandRecord {
  signature: string;
  outcome: string;
  /** Failures in a row with this outcome. */
  count: number;
  /** Failures with any outcome since the last success. */
  commandFailures: number;
  /** Hashes of the outcome's last lines, to recognise a shortened view of the same outcome. */
  view: string[];
  /** Exit code or output were seen through a viewer such as `| tail`. */
  partial: boolean;
}

export interface WriteRecord {
  atMs: number;
  /** Hashes of the content before and after; null when unknown. */
  before: string | null;
  after: string | null;
  /** The content had been there earlier within the window. */
  returned: boolean;
  /** A formatter went over it right after. */
  formatted: boolean;
  /** Lines that this write touched, in the coordinates of the file as it is now. */
  ranges: LineRange[];
}

export interface WatchState {
  /** Least recently failed first. */
  commands: CommandRecord[];
  /** Least recently written first. */
  writes: { path: string; hits: WriteRecord[] }[];
  /** The action that repeats; `count` is the number of repeats after the first. */
  repeat: { signature: string; count: number } | null;
  /** The last three actions in words. */
  last: string[];
  /** The first hit stands; nothing that comes later replaces it. */
  hit: BrakeHit | null;
}

export const EMPTY_WATCH: WatchState = { commands: [], writes: [], repeat: null, last: [], hit: null };

/** A finished task shows that the agent was not stuck: every count starts again. A hit stays. */
export function afterTaskDone(state: WatchState): WatchState {
  return { ...EMPTY_WATCH, last: state.last, hit: state.hit };
}

/** Sized so that the state stays below 64 KB as JSON, since it is journaled with every iteration. */
export const BOUNDS = { commands: 32, paths: 40, writes: 160, ranges: 6, keyChars: 140, textChars: 240, lastActions: 3 };
