/** The events of `codex exec --json` as agent events. Knows version 0.171.0. */
import type { AgentEvent, AgentExit } from "../../core/agent-event.js";
import { type Failure, warning } from "../cli/api-failure.js";
import type { Dialect } from "../cli/json-lines.js";
import { Speech } from "../cli/speech.js";
import { started } from "../cli/started.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { type JsonObject, asCount, asObject, asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";
import { crashKind, failureOf, isRetry } from "./failure.js";
import { itemCalls, itemResults } from "./items.js";

export class CodexDialect implements Dialect {
  readonly name = "Codex";
  readonly crashKind = crashKind;
  readonly #context: TranslatorContext;
  /** Calls that were told at their start. */
  readonly #open = new Set<string>();
  readonly #speech = new Speech();
  /** The latest try that failed and was not followed by anything: with a long `retry-after` Codex then falls silent. */
  #stuck: Failure | null = null;

  constructor(context: TranslatorContext) {
    this.#context = context;
  }

  event(event: JsonObject): AgentEvent[] | null {
    switch (event["type"]) {
      case "thread.started":
        return [started({ sessionId: event["thread_id"] })];
      case "turn.started":
        return [];
      case "item.started":
      case "item.updated":
      case "item.completed":
        this.#stuck = null;
        return this.#item(event["type"], asObject(event["item"]) ?? {});
      case "error":
        return this.#error(asText(event["message"]) ?? "");
      case "turn.completed":
        return [...usageOf(event), this.#speech.finished(true)];
      case "turn.failed":
        return [failureOf(asText(asObject(event["error"])?.["message"]) ?? "the turn failed", this.#context), this.#speech.finished(false)];
      default:
        return null;
    }
  }

  ending(exit: AgentExit, finished: boolean): AgentEvent[] {
    // Ended by our own watchdog, or killed, while it waited for the end of a limit.
    return !finished && exit.kind !== "exited" && this.#stuck?.type === "limit" ? [this.#stuck] : [];
  }

  #item(phase: "item.started" | "item.updated" | "item.completed", item: JsonObject): AgentEvent[] | null {
    if (item["type"] === "agent_message") return phase === "item.completed" ? this.#speech.say(asText(item["text"]) ?? "") : [];
    // An error as an item is a warning: the turn goes on, or fails with an event of its own.
    if (item["type"] === "error") return [{ type: "error", kind: "other", fatal: false, message: sanitize(asText(item["message"]) ?? "") }];
    const calls = itemCalls(item, this.#context.roots);
    if (calls === null || phase === "item.updated") return calls === null ? null : [];
    const fresh = calls.filter(({ id }) => !this.#open.has(id));
    for (const { id } of fresh) this.#open.add(id);
    if (phase === "item.started") return fresh;
    for (const { id } of calls) this.#open.delete(id);
    return [...fresh, ...itemResults(item, calls)];
  }

  #error(message: string): AgentEvent[] {
    const failure = failureOf(message, this.#context);
    if (isRetry(message)) this.#stuck = failure;
    // What really ends the turn comes again as `turn.failed`.
    return [warning(failure)];
  }
}

/** Counts are of the whole thread, so after a resume they hold what came before; a fresh thread begins at zero. */
function usageOf(event: JsonObject): AgentEvent[] {
  const usage = asObject(event["usage"]);
  const input = asCount(usage?.["input_tokens"]);
  if (usage === null || input === null) return [];
  const cached = asCount(usage["cached_input_tokens"]);
  return [
    {
      type: "usage",
      scope: "total",
      inputTokens: Math.max(0, input - (cached ?? 0)),
      cachedInputTokens: cached,
      outputTokens: asCount(usage["output_tokens"]),
      costUsd: null,
    },
  ];
}
