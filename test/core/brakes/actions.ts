/** Builds actions for the brake tests and folds a list of them. */
import type { Action } from "../../../src/core/brakes/types.js";
import { watch, type WatchResult } from "../../../src/core/brakes/watch.js";
import { EMPTY_WATCH } from "../../../src/core/brakes/watch-state.js";
import { DEFAULT_SETTINGS } from "../../../src/core/defaults.js";
import type { BrakeSettings } from "../../../src/core/settings.js";

export const SETTINGS: BrakeSettings = DEFAULT_SETTINGS.brakes;
/** Any fixed moment; only differences count. */
export const T0 = 1_780_000_000_000;

export function failing(command: string, output: string, exitCode: number | null = 1): Action {
  return { kind: "command", command, failed: true, exitCode, output, atMs: T0 };
}

export function passing(command: string, output = "ok"): Action {
  return { kind: "command", command, failed: false, exitCode: 0, output, atMs: T0 };
}

export function write(path: string, before: string | null, after: string | null, seconds = 0): Action {
  return { kind: "write", path, before, after, atMs: T0 + seconds * 1000 };
}

export function tool(name: string, input: unknown): Action {
  return { kind: "tool", name, input, atMs: T0 };
}

/** Successive contents of one file as writes, `gap` seconds apart; the first comes from nothing. */
export function versions(path: string, contents: readonly (string | null)[], gap = 30): Action[] {
  return contents.map((content, index) => write(path, index === 0 ? null : (contents[index - 1] ?? null), content, index * gap));
}

export interface Played extends WatchResult {
  /** 1-based place of the action that hit; null without a hit. */
  hitAt: number | null;
  signs: number;
}

export function play(actions: readonly Action[], options: { settings?: BrakeSettings; baseline?: readonly string[]; exempt?: readonly string[] } = {}): Played {
  let result: WatchResult = { state: EMPTY_WATCH, hit: null, sign: null };
  let hitAt: number | null = null;
  let signs = 0;
  actions.forEach((action, index) => {
    result = watch(result.state, action, options.settings ?? SETTINGS, options.baseline ?? [], options.exempt ?? []);
    if (result.hit !== null) hitAt ??= index + 1;
    if (result.sign !== null) signs += 1;
  });
  return { ...result, hitAt, signs };
}
