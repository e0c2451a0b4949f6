/** The machine's clocks. */
import type { Clock } from "../driver/ports.js";

/** Node's timers overflow at 2^31 ms. */
const MAX_SLEEP_MS = 60_000;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  async sleep(ms, signal) {
    const untilMs = performance.now() + ms;
    while (!signal.aborted && performance.now() < untilMs) await nap(Math.min(MAX_SLEEP_MS, untilMs - performance.now()), signal);
  },
};

function nap(ms: number, signal: AbortSignal): Promise<void> {
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
