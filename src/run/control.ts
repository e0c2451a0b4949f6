/** What people ask of this process by signals of the terminal. */
import type { Control } from "../driver/ports.js";

export interface SignalControl extends Control {
  /** First call: finish the iteration. Second call: stop now. Returns which of the two it was. */
  interrupt(): "finishing" | "now";
  stopNow(): void;
}

/** Signals alone; the run adds its inbox. */
export function createControl(): SignalControl {
  const now = new AbortController();
  let finishing = false;
  return {
    now: now.signal,
    finishing: () => finishing,
    poll: () => [],
    taken: () => undefined,
    interrupt: () => {
      if (finishing) {
        now.abort();
        return "now";
      }
      finishing = true;
      return "finishing";
    },
    stopNow: () => {
      finishing = true;
      now.abort();
    },
  };
}
