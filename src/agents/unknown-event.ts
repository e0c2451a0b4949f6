/** The event for a line that nobody knows; the whole line is in the recorded stream. */
import type { AgentEvent } from "../core/agent-event.js";
import { sanitize } from "./process/sanitize.js";

const MAX_RAW = 2_000;

export function unknownEvent(raw: string): AgentEvent {
  return { type: "unknown", raw: sanitize(raw.slice(0, MAX_RAW)) };
}
