/** The same action signature in a row with no change in between. */
import type { StopReason } from "../words.js";
import type { BrakeHit } from "./types.js";
import type { WatchState } from "./watch-state.js";

type Repeat = WatchState["repeat"];

/**
 * `key` decides equality, `shown` is for people. There is no stop reason of its own: repeated commands and calls end
 * as `gutter_command`, repeated writes as `gutter_thrash`. Failing commands never come here; `gutter_command` counts them.
 */
export function foldRepeat(
  repeat: Repeat,
  action: { key: string; shown: string; reason: StopReason },
  threshold: number,
): { repeat: Repeat; hit: Omit<BrakeHit, "lastActions"> | null } {
  const count = repeat?.signature === action.key ? repeat.count + 1 : 0;
  const next = { signature: action.key, count };
  if (count < Math.max(1, threshold)) return { repeat: next, hit: null };
  return {
    repeat: next,
    hit: {
      reason: action.reason,
      summary: `The same action came ${count + 1} times in a row without a change in between (${count} repeats, threshold ${threshold}): ${action.shown}`,
      signature: action.shown,
      advice:
        "The agent waits for something that does not come, or does not see that it is done. Look at the action's result and say in the task what should follow it.",
    },
  };
}
