/** A broken machine or a bug still ends with a status, so that nobody waits for a run that is dead. */
import type { BrakeHit } from "../core/brakes/types.js";
import { diskErrorOf } from "../core/disk-error.js";
import type { RunState } from "../core/run-state.js";
import type { Driver } from "../driver/driver.js";

/** `say` hears of bugs, with their stack. The state that is returned carries the status also where the journal can't. */
export function endBroken(driver: Driver, error: unknown, say: (line: string) => void): RunState {
  const refusal = diskErrorOf(error);
  const message = refusal?.message ?? (error instanceof Error ? error.message : String(error));
  const stopped = endOf(driver.state.hit, { disk: refusal !== null, message });
  if (stopped.reason === "internal") say(`ralphd: internal error: ${error instanceof Error ? (error.stack ?? message) : message}`);
  try {
    driver.record({ type: "run.stopped", ...stopped });
    return driver.state;
  } catch {
    // The journal is what broke: the status can only be returned, and the next start continues the run.
    return { ...driver.state, stopped: { ...stopped, at: new Date(driver.world.clock.nowMs()).toISOString() } };
  }
}

function endOf(hit: BrakeHit | null, { disk, message }: { disk: boolean; message: string }) {
  const verified = false;
  const safe = "What is committed is safe on the run branch; what is not is still in the working tree.";
  // Whoever removed the driver's own files is the cause, not what broke for want of them.
  if (hit?.reason === "tampering") {
    return { status: "escalated" as const, reason: hit.reason, verified, summary: hit.summary, evidence: [hit.advice, `Then: ${message}`, safe] };
  }
  return disk
    ? { status: "failed" as const, reason: "disk" as const, verified, summary: `The disk refuses to write: ${message}`, evidence: [safe] }
    : { status: "failed" as const, reason: "internal" as const, verified, summary: `A bug or a broken machine ended the run: ${message}`, evidence: [safe] };
}
