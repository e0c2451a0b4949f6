/** The first event of an agent's stream, from whatever it tells about itself. */
import type { AgentEvent } from "../../core/agent-event.js";
import { asText } from "../json.js";

export function started(told: { sessionId?: unknown; model?: unknown }): AgentEvent {
  const sessionId = asText(told.sessionId);
  const model = asText(told.model);
  return { type: "started", ...(sessionId === null ? {} : { sessionId }), ...(model === null ? {} : { model }) };
}
