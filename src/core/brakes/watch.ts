/** Live gutter brakes: folds the agent's actions, within and across iterations. */
import type { BrakeSettings } from "../settings.js";
import type { Action, BrakeHit, SignDraft } from "./types.js";

/** Serialisable and bounded; journaled with every `agent.ended`. */
export interface WatchState {
  commands: { signature: string; outcome: string; count: number; commandFailures: number }[];
  writes: { path: string; hits: { atMs: number; hash: string; from: number; to: number }[] }[];
  repeat: { signature: string; count: number } | null;
  last: string[];
}

export const EMPTY_WATCH: WatchState = { commands: [], writes: [], repeat: null, last: [] };

export interface WatchResult {
  state: WatchState;
  hit: BrakeHit | null;
  /** Drafted when the next equal failure would hit. */
  sign: SignDraft | null;
}

export declare function watch(state: WatchState, action: Action, settings: BrakeSettings, baseline: readonly string[]): WatchResult;
export declare function afterTaskDone(state: WatchState): WatchState;
