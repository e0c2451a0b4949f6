/** `ralphd stop`: asks the running loop to end; for people only. */
import { askLoop, type ControlOptions } from "./ask-loop.js";

export interface StopOptions extends ControlOptions {
  /** End the running agent at once instead of after its iteration. */
  now: boolean;
}

/** Returns the exit code: 0 asked, 1 nothing runs, 2 refused. */
export function runStop(options: StopOptions): Promise<number> {
  const { now } = options;
  return askLoop(options, ({ run }) => ({
    kind: "ask",
    ask: { kind: "stop", now },
    says: `${now ? `Run ${run} ends its agent now and keeps what was done.` : `Run ${run} stops after its iteration.`} \`ralphd logs -f\` shows it; \`ralphd run\` continues it later.`,
    json: { stop: now ? "now" : "after_iteration" },
  }));
}
