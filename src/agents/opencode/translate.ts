/** The events of `opencode run --format json` as agent events. Knows version 1.18.33. */
import type { AgentEvent, AgentExit } from "../../core/agent-event.js";
import { cutAnswer, fatal } from "../cli/api-failure.js";
import type { Dialect } from "../cli/json-lines.js";
import { Speech } from "../cli/speech.js";
import { started } from "../cli/started.js";
import { type ToolResult, type ToolWords, toolCall } from "../cli/tool-words.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { type JsonObject, asCount, asObject, asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";
import { crashKind, failureOf, isDenied, isOverflow } from "./failure.js";

const WORDS: ToolWords = {
  shell: ["bash"],
  writes: ["write", "edit", "patch", "multiedit"],
  reads: ["read"],
  path: ["filePath"],
  whole: { tool: "write", argument: "content" },
};
/** So many overflows with no tool used in between are a compaction that will not end by itself. */
const MAX_OVERFLOWS = 3;

export class OpencodeDialect implements Dialect {
  readonly name = "OpenCode";
  readonly crashKind = crashKind;
  readonly #context: TranslatorContext;
  readonly #speech = new Speech();
  #started = false;
  /** The reason of the last step, while nothing followed it. There is no other final event. */
  #lastReason: string | null = null;
  #denied = false;
  #overflows = 0;
  #givenUp = false;

  constructor(context: TranslatorContext) {
    this.#context = context;
  }

  event(event: JsonObject): AgentEvent[] | null {
    const events = this.#read(event);
    if (events === null || this.#started || event["type"] === "error") return events;
    this.#started = true;
    return [started({ sessionId: event["sessionID"] }), ...events];
  }

  /** The end is a last step with the reason `stop` and exit code 0; it was told as it came, unless the process then failed. */
  ending(exit: AgentExit, finished: boolean): AgentEvent[] {
    if (exit.kind !== "exited" || this.#lastReason === "stop") return [];
    if (finished) return [this.#speech.finished(false)];
    return this.#denied ? [fatal("other", "OpenCode ended because a tool was not permitted; see `permission` in its configuration")] : [];
  }

  #read(event: JsonObject): AgentEvent[] | null {
    // In an endless compaction every further event is noise, and must not look like life.
    if (this.#givenUp) return [];
    const part = asObject(event["part"]) ?? {};
    switch (event["type"]) {
      case "step_start":
        this.#lastReason = null;
        return [];
      case "text":
        return part["synthetic"] === true ? [] : this.#speech.say(asText(part["text"]) ?? "");
      case "reasoning":
        return [];
      case "tool_use":
        return this.#toolUse(part);
      case "step_finish":
        return this.#stepFinish(part);
      case "error":
        return this.#error(asObject(event["error"]) ?? {});
      default:
        return null;
    }
  }

  /** One event when the tool is through; nothing while it runs. */
  #toolUse(part: JsonObject): AgentEvent[] {
    const id = asText(part["callID"]) ?? asText(part["id"]) ?? "call";
    const name = asText(part["tool"]) ?? "tool";
    const state = asObject(part["state"]) ?? {};
    const input = asObject(state["input"]) ?? {};
    this.#overflows = 0;
    this.#lastReason = null;
    const result = resultOf(id, name, state);
    this.#denied = result.denied === true;
    return [toolCall({ id, name, input }, WORDS, this.#context.roots), result];
  }

  #stepFinish(part: JsonObject): AgentEvent[] {
    const reason = asText(part["reason"]);
    this.#lastReason = reason;
    const usage = usageOf(part);
    if (reason === "stop") return [...usage, this.#speech.finished(true)];
    if (reason === "length") return [...usage, cutAnswer()];
    if (reason === "content-filter") return [...usage, fatal("refusal", "the model's answer was filtered")];
    return usage;
  }

  #error(error: JsonObject): AgentEvent[] {
    this.#lastReason = null;
    const failure = failureOf(error, this.#context);
    if (!isOverflow(error)) return [failure];
    this.#overflows += 1;
    this.#givenUp = this.#overflows >= MAX_OVERFLOWS;
    return this.#givenUp ? [failure, this.#speech.finished(false)] : [failure];
  }
}

function resultOf(id: string, name: string, state: JsonObject): ToolResult {
  const problem = asText(state["error"]);
  const exit = asObject(state["metadata"])?.["exit"];
  const failedCall = name === "invalid" || state["status"] === "error";
  const exitCode = name === "bash" && typeof exit === "number" ? exit : null;
  return {
    type: "toolResult",
    id,
    ok: !failedCall && (exitCode ?? 0) === 0,
    exitCode,
    output: sanitize(problem ?? asText(state["output"]) ?? ""),
    ...(problem !== null && isDenied(problem) ? { denied: true } : {}),
  };
}

/** Each step brings its own counts. `cost` is OpenCode's, from its table of prices; 0 for a model that is not in it. */
function usageOf(part: JsonObject): AgentEvent[] {
  const tokens = asObject(part["tokens"]);
  const input = asCount(tokens?.["input"]);
  if (tokens === null || input === null) return [];
  const cache = asObject(tokens["cache"]);
  const read = asCount(cache?.["read"]) ?? 0;
  const written = asCount(cache?.["write"]) ?? 0;
  const cost = asCount(part["cost"]);
  return [
    {
      type: "usage",
      scope: "delta",
      inputTokens: input + written,
      cachedInputTokens: read,
      // Reasoning is in the total, and in `output` only with some providers.
      outputTokens: Math.max(asCount(tokens["output"]) ?? 0, (asCount(tokens["total"]) ?? 0) - input - read - written),
      costUsd: cost === 0 ? null : cost,
      contextTokens: input + written + read,
    },
  ];
}
