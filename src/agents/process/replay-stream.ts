/** Translates recorded raw output again, for an iteration whose driver died. */
import type { AgentEvent } from "../../core/agent-event.js";
import type { Translator } from "./tree.js";

export function replayStream(translator: Translator, raw: string): AgentEvent[] {
  const lines = raw.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const events = lines.flatMap((line) => translator.line(line, "stdout"));
  // Nobody saw how it ended; what the stream itself says about failures is still told.
  return [...events, ...translator.end({ kind: "stopped", cause: "human" })];
}
