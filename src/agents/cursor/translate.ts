/** Cursor CLI's `stream-json` output as agent events, from its documentation. */
import type { AgentEvent } from "../../core/agent-event.js";
import type { Dialect } from "../cli/json-lines.js";
import { Speech } from "../cli/speech.js";
import { started } from "../cli/started.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { type JsonObject, asObject, asText, textParts } from "../json.js";
import { crashKind, failureOf } from "./failure.js";
import { callOf, resultOf } from "./tools.js";

export class CursorDialect implements Dialect {
  readonly name = "Cursor CLI";
  readonly crashKind = crashKind;
  readonly #context: TranslatorContext;
  readonly #speech = new Speech();
  readonly #open = new Set<string>();

  constructor(context: TranslatorContext) {
    this.#context = context;
  }

  event(event: JsonObject): AgentEvent[] | null {
    switch (event["type"]) {
      case "system":
        return event["subtype"] === "init" ? [started({ sessionId: event["session_id"], model: event["model"] })] : [];
      case "user":
      case "thinking":
        return [];
      case "assistant":
        return this.#speech.say(textParts(asObject(event["message"])?.["content"]).join(""));
      case "tool_call":
        return this.#toolCall(event);
      case "result":
        return this.#result(event);
      default:
        return null;
    }
  }

  #toolCall(event: JsonObject): AgentEvent[] {
    const call = callOf(event, this.#context.roots);
    if (call === null) return [];
    if (event["subtype"] === "started") {
      this.#open.add(call.id);
      return [call];
    }
    if (event["subtype"] !== "completed") return [];
    const known = this.#open.delete(call.id);
    return [...(known ? [] : [call]), resultOf(event, call.id)];
  }

  /** Its `result` text is all messages in one, so the last message is the agent's last word. */
  #result(event: JsonObject): AgentEvent[] {
    const said = asText(event["result"]);
    const ok = event["subtype"] === "success" && event["is_error"] === false;
    return [...(ok ? [] : [failureOf(said ?? "the run failed", this.#context)]), this.#speech.finished(ok, said)];
  }
}
