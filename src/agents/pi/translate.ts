/** pi's `--mode json` events as agent events. Knows versions 0.74.2 to 1.6.0. Its exit code is 0 whatever the API said. */
import type { AgentEvent } from "../../core/agent-event.js";
import { cutAnswer, warning } from "../cli/api-failure.js";
import type { Dialect } from "../cli/json-lines.js";
import { Speech } from "../cli/speech.js";
import { started } from "../cli/started.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { type JsonObject, asCount, asList, asObject, asText, textParts } from "../json.js";
import { crashKind, failureOf } from "./failure.js";
import { callOf, resultOf } from "./tools.js";

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

export class PiDialect implements Dialect {
  readonly name = "pi";
  readonly crashKind = crashKind;
  readonly #context: TranslatorContext;
  readonly #speech = new Speech();
  /** The last assistant message, which alone tells how the run went. */
  #last: JsonObject | null = null;

  constructor(context: TranslatorContext) {
    this.#context = context;
  }

  event(event: JsonObject): AgentEvent[] | null {
    const type = asText(event["type"]) ?? "";
    switch (type) {
      case "session":
        return [started({ sessionId: event["id"] })];
      case "message_end":
        return this.#message(asObject(event["message"]) ?? {});
      case "tool_execution_start":
        return callOf(event, this.#context.roots);
      case "tool_execution_end":
        return resultOf(event);
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
    const texts = asList(message["content"]).filter((part) => asObject(part)?.["type"] === "text");
    return [...usageOf(message), ...this.#speech.say(textParts(texts).join("\n"))];
  }

  /** Before 1.6.0 an end that will be retried looks like any other; then a later one corrects it. */
  #end(event: JsonObject): AgentEvent[] {
    if (event["willRetry"] === true) return [];
    const reason = asText(this.#last?.["stopReason"]);
    if (reason === "stop") return [this.#speech.finished(true)];
    const message = asText(this.#last?.["errorMessage"]) ?? `the run ended with ${reason ?? "no answer"}`;
    return [reason === "length" ? cutAnswer() : failureOf(message, this.#context), this.#speech.finished(false)];
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
