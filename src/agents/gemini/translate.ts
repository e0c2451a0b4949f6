/** Gemini CLI's `stream-json` output as agent events. Knows version 0.61.0. */
import type { AgentEvent, AgentExit } from "../../core/agent-event.js";
import type { Dialect } from "../cli/json-lines.js";
import { Speech } from "../cli/speech.js";
import { started } from "../cli/started.js";
import { type ToolWords, toolCall } from "../cli/tool-words.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { type JsonObject, asCount, asObject, asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";
import { blocked, crashOf, failureOf } from "./failure.js";

const WORDS: ToolWords = {
  shell: ["run_shell_command"],
  writes: ["write_file", "replace", "edit"],
  reads: ["read_file"],
  path: ["file_path", "absolute_path"],
  whole: { tool: "write_file", argument: "content" },
};
/** Typed reasons for a tool that was not run. */
const DENIALS: ReadonlySet<string> = new Set(["policy_violation", "execution_denied", "tool_not_allowed"]);

export class GeminiDialect implements Dialect {
  readonly name = "Gemini CLI";
  readonly #context: TranslatorContext;
  readonly #speech = new Speech();
  #warning: string | null = null;
  /** `error` of a failed result; judged at the end, because the HTTP status stands in the exit code alone. */
  #failed: JsonObject | null = null;

  constructor(context: TranslatorContext) {
    this.#context = context;
  }

  event(event: JsonObject): AgentEvent[] | null {
    switch (event["type"]) {
      case "init":
        return [started({ sessionId: event["session_id"], model: event["model"] })];
      case "message":
        return this.#message(event);
      case "tool_use":
        return [...this.flush(), this.#toolUse(event)];
      case "tool_result":
        return [...this.flush(), ...toolResult(event)];
      case "error":
        return this.#error(event);
      case "result":
        return [...this.flush(), ...this.#result(event)];
      default:
        return null;
    }
  }

  flush(): AgentEvent[] {
    return this.#speech.flush();
  }

  ending(exit: AgentExit, finished: boolean): AgentEvent[] {
    const code = exit.kind === "exited" ? exit.code : null;
    if (this.#failed !== null) {
      const named = asText(this.#failed["message"]) !== null || this.#warning === null;
      return [named ? failureOf(this.#failed, code, this.#context) : blocked(this.#warning ?? "")];
    }
    return !finished && code !== null && code !== 0 ? [crashOf(code, this.#warning ?? "", this.#context)] : [];
  }

  #message(event: JsonObject): AgentEvent[] {
    if (event["role"] !== "assistant") return this.flush();
    const content = asText(event["content"]) ?? "";
    if (event["delta"] !== true) return this.#speech.say(content);
    this.#speech.add(content);
    return [];
  }

  #toolUse(event: JsonObject): AgentEvent {
    const name = asText(event["tool_name"]) ?? "tool";
    return toolCall({ id: asText(event["tool_id"]) ?? name, name, input: asObject(event["parameters"]) ?? {} }, WORDS, this.#context.roots);
  }

  #error(event: JsonObject): AgentEvent[] {
    const message = sanitize(asText(event["message"]) ?? "");
    this.#warning = message;
    // Whether it was fatal, the result will say.
    return [{ type: "error", kind: "other", fatal: false, message }];
  }

  #result(event: JsonObject): AgentEvent[] {
    const ok = event["status"] === "success";
    this.#failed = ok ? null : (asObject(event["error"]) ?? {});
    return [...usageOf(event), this.#speech.finished(ok)];
  }
}

/** `exitCode` is not told: a failing command has `status: success` like any other. */
function toolResult(event: JsonObject): AgentEvent[] {
  const id = asText(event["tool_id"]);
  if (id === null) return [];
  const error = asObject(event["error"]);
  const output = sanitize(asText(event["output"]) ?? asText(error?.["message"]) ?? "");
  const denied = DENIALS.has(asText(error?.["type"]) ?? "");
  return [{ type: "toolResult", id, ok: event["status"] === "success", exitCode: null, output, ...(denied ? { denied: true } : {}) }];
}

/** `input_tokens` counts the cached ones too, and the total also counts thoughts, which are paid as output. */
function usageOf(event: JsonObject): AgentEvent[] {
  const stats = asObject(event["stats"]);
  const input = asCount(stats?.["input_tokens"]);
  if (stats === null || input === null) return [];
  const cached = asCount(stats["cached"]) ?? 0;
  const output = asCount(stats["output_tokens"]) ?? 0;
  const total = asCount(stats["total_tokens"]) ?? 0;
  return [
    {
      type: "usage",
      scope: "total",
      inputTokens: Math.max(0, input - cached),
      cachedInputTokens: cached,
      outputTokens: Math.max(output, total - input),
      costUsd: null,
    },
  ];
}
