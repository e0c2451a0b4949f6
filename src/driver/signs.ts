/** Writes the driver's own lessons as draft signs, for the next agent and for a person to review. */
import { GUARDRAILS_DIR } from "../core/paths.js";
import { hashText } from "../core/hash.js";
import type { OpenIteration } from "../core/run-state.js";
import { formatSign } from "../core/sign.js";
import type { Driver } from "./driver.js";

export function draftSigns(driver: Driver, open: OpenIteration): void {
  for (const sign of open.signs) {
    const path = `${GUARDRAILS_DIR}/draft-${hashText(sign.signature).slice(0, 8)}.md`;
    if (driver.world.files.read(path) !== null) continue;
    const text = formatSign({
      trigger: sign.trigger,
      addedAfter: `iteration ${open.number} of run ${driver.state.run}`,
      status: "draft",
      instruction: sign.instruction,
    });
    if (driver.world.files.write(path, text)) driver.record({ type: "sign.drafted", sign, path });
    else driver.record({ type: "warning", message: `The sign ${path} could not be written.` });
  }
}
