/** The machine's clocks. */
import type { Clock } from "../driver/ports.js";

/** Node's timers overflow at 2^31 ms; a wait against the wall clock looks again after this long. */
const MAX_SLEEP_MS = 60_000;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  async sleepUntil(wallMs, signal) {
    while (!signal.aborted && Date.now() < wallMs) await sleep(Math.min(MAX_SLEEP_MS, wallMs - Date.now()), signal);
  },
};

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(0, ms));
    signal.addEventListener("abort", done);
  });
}
