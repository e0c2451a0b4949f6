/** One receiver is told one thing at most once, however often its fact is journaled or its driver dies on the way. */
import type { Notice, NotifySpec } from "../core/notice.js";
import { atMostOnce, type WriteEnd } from "../once/at-most-once.js";
import { NO_OUTPUT } from "../once/entry.js";
import { keyFrom } from "../once/key.js";
import { howToResolve } from "../once/once.js";
import type { Delivery } from "./deliver.js";

/** A run that is continued after days still knows what it told. */
const WINDOW_MS = 7 * 24 * 60 * 60_000;

/** What went wrong, in words; null when the receiver knows. Never rejects. */
export async function tellOnce(store: string, { spec, notice }: { spec: NotifySpec; notice: Notice }, send: () => Promise<Delivery>): Promise<string | null> {
  const key = keyFrom("notify", partsOf(spec, notice));
  let problem: string | null = null;
  let begun = false;
  try {
    const outcome = await atMostOnce(
      { store, key, ordinal: 1, windowMs: WINDOW_MS, argv: ["notify", spec.kind, notice.kind, notice.run], cwd: "", nowMs: Date.now },
      async () => {
        begun = true;
        const delivery = await send();
        problem = problemOf(delivery);
        return endOf(delivery);
      },
    );
    if (outcome.kind === "unknown" || outcome.kind === "damaged")
      return `whether the ${spec.kind} was told that a run is ${notice.kind} is unknown, so it is not told again. ${howToResolve({ key, ordinal: 1 })}`;
    return problem;
  } catch (error) {
    // People hear of a full disk twice rather than never.
    const why = `its record can't be written (${error instanceof Error ? error.message : String(error)})`;
    return begun ? (problem ?? why) : (problemOf(await send()) ?? why);
  }
}

/** The end of a run is news each time; other facts may be journaled twice by a restart. The address is part of the hash alone. */
function partsOf(spec: NotifySpec, { kind, run, iteration, title, text, at }: Notice): string[] {
  const again = kind === "wait" || kind === "needs_person" ? "" : at;
  return [JSON.stringify(spec), kind, run, String(iteration), title, text, again];
}

function endOf(delivery: Delivery): WriteEnd {
  switch (delivery.kind) {
    case "arrived":
      return { kind: "happened", exitCode: 0, output: NO_OUTPUT };
    case "refused":
      return { kind: "didNot" };
    case "unknown":
      return { kind: "unknown", why: "the receiver did not answer", output: NO_OUTPUT };
  }
}

export function problemOf(delivery: Delivery): string | null {
  return delivery.kind === "arrived" ? null : delivery.why;
}
