/** What the agent of the running iteration does at this moment, folded from its events. Pure. */
import type { AgentEvent } from "../../core/agent-event.js";
import { seenCharacters } from "../../core/context-warning.js";
import { applyUsage, UNKNOWN_USAGE, type Usage } from "../../core/usage.js";
import { oneLine } from "../../report/markdown-text.js";

export interface AgentNow {
  iteration: number;
  /** Null until it does something. */
  doing: { text: string; sinceMs: number } | null;
  /** As it reports it; null until it does. */
  contextTokens: number | null;
  /** What was seen to go into its context beside the prompt, for an estimate where it reports nothing. */
  characters: number;
  /** As it names it; null until it did. */
  model: string | null;
  usage: Usage;
}

export function newAgent(iteration: number): AgentNow {
  return { iteration, doing: null, contextTokens: null, characters: 0, model: null, usage: UNKNOWN_USAGE };
}

export function seeAgent(before: AgentNow, event: AgentEvent, atMs: number): AgentNow {
  const now = { ...before, characters: before.characters + seenCharacters(event) };
  if (event.type === "usage") {
    return { ...now, usage: applyUsage(now.usage, event), contextTokens: event.contextTokens ?? now.contextTokens };
  }
  if (event.type === "started" && event.model !== undefined) return { ...now, model: event.model, doing: { text: actionText(event) ?? "", sinceMs: atMs } };
  const text = event.type === "toolResult" ? afterwards(now) : actionText(event);
  return text === null ? now : { ...now, doing: { text, sinceMs: atMs } };
}

const THINKING = "thinking, after ";

/** A tool call that is over: what follows is the model's time, not the tool's. */
function afterwards({ doing }: AgentNow): string | null {
  if (doing === null || doing.text.startsWith(THINKING)) return null;
  return `${THINKING}${doing.text}`;
}

/** Null for events that say nothing about what it does. */
export function actionText(event: AgentEvent): string | null {
  switch (event.type) {
    case "started":
      return `${event.model ?? "the agent"} is up`;
    case "toolCall":
      return event.command !== undefined ? `$ ${oneLine(event.command)}` : oneLine(`${event.name} ${event.path ?? ""}`);
    case "text":
      return oneLine(event.text) === "" ? null : oneLine(event.text);
    case "limit":
      return `limit: ${oneLine(event.message)}`;
    case "error":
      return `${event.fatal ? "error" : "warning"}: ${oneLine(event.message)}`;
    case "noteTaken":
      return "told that its context fills up";
    case "toolResult":
    case "usage":
    case "finished":
    case "unknown":
      return null;
  }
}
