/** What people ask of this process: signals of the terminal and the inbox of other ralphd processes. */
import type { Control, ControlRequest } from "../driver/ports.js";

export interface SignalControl extends Control {
  /** First call: finish the iteration. Second call: stop now. Returns which of the two it was. */
  interrupt(): "finishing" | "now";
  stopNow(): void;
}

export function createControl(takeRequests: () => ControlRequest[]): SignalControl {
  const now = new AbortController();
  let finishing = false;
  return {
    now: now.signal,
    finishing: () => finishing,
    poll: takeRequests,
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
