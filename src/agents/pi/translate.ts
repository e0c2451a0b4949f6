/** pi's `--mode json` events as agent events. Knows versions 0.74.2 to 1.6.0. Its exit code is 0 whatever the API said. */
import type { AgentEvent } from "../../core/agent-event.js";
import { warning } from "../cli/api-failure.js";
import { type Dialect, jsonLines } from "../cli/json-lines.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { type JsonObject, asCount, asList, asObject, asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";
import type { Translator } from "../process/tree.js";
import { crashKind, failureOf } from "./failure.js";
import { toolCall, toolResult } from "./tools.js";

export function createPiTranslator(context: TranslatorContext): Translator {
  return jsonLines(new PiDialect(context));
}

const SILENT: ReadonlySet<string> = new Set([
  "agent_start",
  "turn_start",
  "turn_end",
  "message_start",
  "message_update",
  "tool_execution_update",
  "auto_retry_end",
  "entry_appended",
  "agent_settled",
  "queue_update",
  "compaction_start",
  "compaction_end",
  "auto_compaction_start",
  "auto_compaction_end",
]);

class PiDialect implements Dialect {
  readonly name = "pi";
  readonly crashKind = crashKind;
  readonly #context: TranslatorContext;
  #lastText: string | null = null;
  /** The last assistant message, which alone tells how the run went. */
  #last: JsonObject | null = null;

  constructor(context: TranslatorContext) {
    this.#context = context;
  }

  event(event: JsonObject): AgentEvent[] | null {
    const type = asText(event["type"]) ?? "";
    switch (type) {
      case "session": {
        const sessionId = asText(event["id"]);
        return [{ type: "started", ...(sessionId === null ? {} : { sessionId }) }];
      }
      case "message_end":
        return this.#message(asObject(event["message"]) ?? {});
      case "tool_execution_start":
        return [toolCall(event, this.#context.roots)].filter((call) => call !== null);
      case "tool_execution_end":
        return [toolResult(event)].filter((result) => result !== null);
      case "auto_retry_start":
        return [warning(failureOf(asText(event["errorMessage"]) ?? "", this.#context))];
      case "agent_end":
        return this.#end(event);
      default:
        return SILENT.has(type) ? [] : null;
    }
  }

  #message(message: JsonObject): AgentEvent[] {
    if (message["role"] !== "assistant") return [];
    this.#last = message;
    const text = sanitize(
      asList(message["content"])
        .map(asObject)
        .map((part) => (part?.["type"] === "text" ? (asText(part["text"]) ?? "") : ""))
        .filter((part) => part !== "")
        .join("\n"),
    );
    const events = usageOf(message);
    if (text === "") return events;
    this.#lastText = text;
    return [...events, { type: "text", text }];
  }

  /** Before 1.6.0 an end that will be retried looks like any other; then a later one corrects it. */
  #end(event: JsonObject): AgentEvent[] {
    if (event["willRetry"] === true) return [];
    const reason = asText(this.#last?.["stopReason"]);
    if (reason === "stop") return [{ type: "finished", ok: true, text: this.#lastText }];
    const failed: AgentEvent = { type: "finished", ok: false, text: null };
    if (reason === "length") return [{ type: "error", kind: "other", fatal: true, message: "the answer was cut at the model's output limit" }, failed];
    const message = asText(this.#last?.["errorMessage"]) ?? `the run ended with ${reason ?? "no answer"}`;
    return [failureOf(message, this.#context), failed];
  }
}

/** `cost` is pi's own, from its table of prices. */
function usageOf(message: JsonObject): AgentEvent[] {
  const usage = asObject(message["usage"]);
  const input = asCount(usage?.["input"]);
  if (usage === null || input === null) return [];
  const read = asCount(usage["cacheRead"]) ?? 0;
  const written = asCount(usage["cacheWrite"]) ?? 0;
  const output = asCount(usage["output"]) ?? 0;
  // A request that failed reports zeros, which say nothing about the context.
  if (input + read + written + output === 0) return [];
  const cost = asCount(asObject(usage["cost"])?.["total"]);
  return [
    {
      type: "usage",
      scope: "delta",
      inputTokens: input + written,
      cachedInputTokens: read,
      outputTokens: output,
      costUsd: cost === 0 ? null : cost,
      contextTokens: input + read + written,
    },
  ];
}
