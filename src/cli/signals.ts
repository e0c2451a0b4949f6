/** What a person at the terminal asks with signals, and the answer that is shown. One handler for each. */
import type { SignalControl } from "../run/control.js";

/** First Ctrl-C: finish the iteration. Second, or SIGTERM: stop now. A closed terminal changes nothing. */
export function handleSignals(control: SignalControl, answer: (line: string) => void): () => void {
  const interrupt = (): void => {
    const what = control.interrupt();
    answer(what === "finishing" ? "Stopping after this iteration. Press Ctrl-C again to stop now." : STOPPING);
  };
  const terminate = (): void => {
    answer(STOPPING);
    control.stopNow();
  };
  const hangUp = (): void => undefined;
  process.on("SIGINT", interrupt).on("SIGTERM", terminate).on("SIGHUP", hangUp);
  return () => void process.off("SIGINT", interrupt).off("SIGTERM", terminate).off("SIGHUP", hangUp);
}

const STOPPING = "Stopping now: ending the agent, keeping its work.";
