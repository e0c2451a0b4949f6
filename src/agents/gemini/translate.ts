/** Gemini CLI's `stream-json` output as agent events. Knows version 0.61.0. */
import type { AgentEvent, AgentExit } from "../../core/agent-event.js";
import { type Dialect, jsonLines } from "../cli/json-lines.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { treePath } from "../cli/tree-path.js";
import { type JsonObject, asCount, asObject, asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";
import type { Translator } from "../process/tree.js";
import { blocked, crashOf, failureOf } from "./failure.js";

export function createGeminiTranslator(context: TranslatorContext): Translator {
  return jsonLines(new GeminiDialect(context));
}

const SHELL_TOOL = "run_shell_command";
const WRITE_TOOLS: ReadonlySet<string> = new Set(["write_file", "replace", "edit"]);
const READ_TOOLS: ReadonlySet<string> = new Set(["read_file"]);
/** Typed reasons for a tool that was not run. */
const DENIALS: ReadonlySet<string> = new Set(["policy_violation", "execution_denied", "tool_not_allowed"]);

class GeminiDialect implements Dialect {
  readonly name = "Gemini CLI";
  readonly #context: TranslatorContext;
  /** Parts of the message that is coming in. */
  #parts: string[] = [];
  #lastText: string | null = null;
  #warning: string | null = null;
  /** `error` of a failed result; judged at the end, because the HTTP status stands in the exit code alone. */
  #failed: JsonObject | null = null;

  constructor(context: TranslatorContext) {
    this.#context = context;
  }

  event(event: JsonObject): AgentEvent[] | null {
    switch (event["type"]) {
      case "init":
        return [{ type: "started", ...textField("sessionId", event["session_id"]), ...textField("model", event["model"]) }];
      case "message":
        return this.#message(event);
      case "tool_use":
        return [...this.flush(), ...this.#toolUse(event)];
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
    const text = sanitize(this.#parts.join(""));
    this.#parts = [];
    if (text === "") return [];
    this.#lastText = text;
    return [{ type: "text", text }];
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
    if (event["delta"] === true) {
      this.#parts.push(content);
      return [];
    }
    const before = this.flush();
    this.#parts.push(content);
    return [...before, ...this.flush()];
  }

  #toolUse(event: JsonObject): AgentEvent[] {
    const name = asText(event["tool_name"]) ?? "tool";
    const input = asObject(event["parameters"]) ?? {};
    const call: Extract<AgentEvent, { type: "toolCall" }> = { type: "toolCall", id: asText(event["tool_id"]) ?? name, name, input };
    const command = asText(input["command"]);
    if (name === SHELL_TOOL && command !== null) call.command = command;
    const path = asText(input["file_path"]) ?? asText(input["absolute_path"]);
    if (path === null || !(WRITE_TOOLS.has(name) || READ_TOOLS.has(name))) return [call];
    call.path = treePath(this.#context.roots, path);
    if (WRITE_TOOLS.has(name)) call.writes = true;
    const content = asText(input["content"]);
    if (name === "write_file" && content !== null) call.content = content;
    return [call];
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
    return [...usageOf(event), { type: "finished", ok, text: ok ? this.#lastText : null }];
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

function textField<K extends string>(name: K, value: unknown): { [key in K]?: string } {
  const text = asText(value);
  // A computed key widens to an index signature, which the type above narrows again.
  return (text === null ? {} : { [name]: text }) as { [key in K]?: string };
}
