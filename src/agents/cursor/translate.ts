/** Cursor CLI's `stream-json` output as agent events, from its documentation. */
import type { AgentEvent } from "../../core/agent-event.js";
import { type Dialect, jsonLines } from "../cli/json-lines.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { type JsonObject, asList, asObject, asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";
import type { Translator } from "../process/tree.js";
import { crashKind, failureOf } from "./failure.js";
import { toolCall, toolResult } from "./tools.js";

export function createCursorTranslator(context: TranslatorContext): Translator {
  return jsonLines(new CursorDialect(context));
}

class CursorDialect implements Dialect {
  readonly name = "Cursor CLI";
  readonly crashKind = crashKind;
  readonly #context: TranslatorContext;
  readonly #open = new Set<string>();
  #lastText: string | null = null;

  constructor(context: TranslatorContext) {
    this.#context = context;
  }

  event(event: JsonObject): AgentEvent[] | null {
    switch (event["type"]) {
      case "system":
        return event["subtype"] === "init" ? [started(event)] : [];
      case "user":
      case "thinking":
        return [];
      case "assistant":
        return this.#assistant(event);
      case "tool_call":
        return this.#toolCall(event);
      case "result":
        return this.#result(event);
      default:
        return null;
    }
  }

  #assistant(event: JsonObject): AgentEvent[] {
    const text = sanitize(
      asList(asObject(event["message"])?.["content"])
        .map((part) => asText(asObject(part)?.["text"]) ?? "")
        .join(""),
    );
    if (text === "") return [];
    this.#lastText = text;
    return [{ type: "text", text }];
  }

  #toolCall(event: JsonObject): AgentEvent[] {
    const call = toolCall(event, this.#context.roots);
    if (call === null) return [];
    if (event["subtype"] === "started") {
      this.#open.add(call.id);
      return [call];
    }
    if (event["subtype"] !== "completed") return [];
    const known = this.#open.delete(call.id);
    return [...(known ? [] : [call]), toolResult(event, call.id)];
  }

  /** Its `result` text is all messages in one, so the last message is the agent's last word. */
  #result(event: JsonObject): AgentEvent[] {
    const ok = event["subtype"] === "success" && event["is_error"] === false;
    const text = this.#lastText ?? asText(event["result"]);
    if (ok) return [{ type: "finished", ok, text: text === null ? null : sanitize(text) }];
    return [failureOf(asText(event["result"]) ?? "the run failed", this.#context), { type: "finished", ok, text: null }];
  }
}

function started(event: JsonObject): AgentEvent {
  const sessionId = asText(event["session_id"]);
  const model = asText(event["model"]);
  return { type: "started", ...(sessionId === null ? {} : { sessionId }), ...(model === null ? {} : { model }) };
}
