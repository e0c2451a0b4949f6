/** A broken machine or a bug still ends with a status, so that nobody waits for a run that is dead. */
import type { BrakeHit } from "../core/brakes/types.js";
import { diskErrorOf } from "../core/disk-error.js";
import { ForgedObject } from "../core/forged-object.js";
import type { RunState } from "../core/run-state.js";
import type { Driver } from "../driver/driver.js";

/** `say` hears of bugs, with their stack. The state that is returned carries the status also where the journal can't. */
export function endBroken(driver: Driver, error: unknown, say: (line: string) => void): RunState {
  const refusal = diskErrorOf(error);
  const message = refusal?.message ?? (error instanceof Error ? error.message : String(error));
  const stopped = endOf(driver.state.hit, { cause: error instanceof ForgedObject ? "forged" : refusal === null ? "bug" : "disk", message });
  if (stopped.reason === "internal") say(`ralphd: internal error: ${error instanceof Error ? (error.stack ?? message) : message}`);
  try {
    driver.record({ type: "run.stopped", ...stopped });
    return driver.state;
  } catch {
    // The journal is what broke: the status can only be returned, and the next start continues the run.
    return { ...driver.state, stopped: { ...stopped, at: new Date(driver.world.clock.nowMs()).toISOString() } };
  }
}

function endOf(hit: BrakeHit | null, { cause, message }: { cause: "forged" | "disk" | "bug"; message: string }) {
  const verified = false;
  const safe = "What is committed is safe on the run branch; what is not is still in the working tree.";
  // Whoever removed the driver's own files is the cause, not what broke for want of them.
  if (hit?.reason === "tampering") {
    return { status: "escalated" as const, reason: hit.reason, verified, summary: hit.summary, evidence: [hit.advice, `Then: ${message}`, safe] };
  }
  switch (cause) {
    case "forged": {
      const evidence = [`${message}. An agent wrote into git's objects, or the disk is failing; \`git fsck\` names all that is damaged.`, safe];
      return { status: "escalated" as const, reason: "tampering" as const, verified, summary: "What git holds is not what was committed.", evidence };
    }
    case "disk":
      return { status: "failed" as const, reason: "disk" as const, verified, summary: `The disk refuses to write: ${message}`, evidence: [safe] };
    case "bug":
      return {
        status: "failed" as const,
        reason: "internal" as const,
        verified,
        summary: `A bug or a broken machine ended the run: ${message}`,
        evidence: [safe],
      };
  }
}
