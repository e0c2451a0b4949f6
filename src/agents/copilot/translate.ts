/** Copilot CLI's JSON events as agent events. Knows version 1.0.102. */
import type { AgentEvent, AgentExit } from "../../core/agent-event.js";
import { type Dialect, jsonLines } from "../cli/json-lines.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { type JsonObject, asCount, asObject, asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";
import type { Translator } from "../process/tree.js";
import { crashKind, failureOf, retryOf } from "./failure.js";
import { contextOf, toolCall, toolResult } from "./tools.js";

export function createCopilotTranslator(context: TranslatorContext): Translator {
  return jsonLines(new CopilotDialect(context));
}

/** Families of events that tell nothing the driver acts on. */
const SILENT = /^(?:session\.|system\.|assistant\.|model\.|user\.|tool\.(?:shell_output|execution_partial_result|execution_progress|user_requested)|permission\.|hook\.|subagent\.)/;

class CopilotDialect implements Dialect {
  readonly name = "Copilot CLI";
  readonly crashKind = crashKind;
  readonly #context: TranslatorContext;
  #started = false;
  #lastText: string | null = null;
  #failed = false;

  constructor(context: TranslatorContext) {
    this.#context = context;
  }

  event(event: JsonObject): AgentEvent[] | null {
    const type = asText(event["type"]) ?? "";
    const data = asObject(event["data"]) ?? {};
    switch (type) {
      case "session.tools_updated":
        return this.#start(data);
      case "assistant.message":
        return this.#message(data);
      case "tool.execution_start":
        return [toolCall(data, this.#context.roots)].filter((call) => call !== null);
      case "tool.execution_complete":
        return [...[toolResult(data)].filter((result) => result !== null), ...contextOf(data)];
      case "model.call_failure":
        return [retryOf(data)];
      case "session.error":
        this.#failed = true;
        return [failureOf(data, this.#context)];
      case "result":
        return this.#result(event);
      default:
        return SILENT.test(type) ? [] : null;
    }
  }

  ending(exit: AgentExit, finished: boolean): AgentEvent[] {
    if (!finished || exit.kind !== "exited" || exit.code === 0 || this.#failed) return [];
    return [{ type: "error", kind: "crash", fatal: true, message: `Copilot CLI ended with code ${exit.code}` }];
  }

  #start(data: JsonObject): AgentEvent[] {
    if (this.#started) return [];
    this.#started = true;
    const model = asText(data["model"]);
    return [{ type: "started", ...(model === null ? {} : { model }) }];
  }

  #message(data: JsonObject): AgentEvent[] {
    // A sub-agent's words are not the agent's.
    if (asText(data["parentToolCallId"]) !== null) return [];
    const text = sanitize(asText(data["content"]) ?? "");
    if (text === "") return [];
    this.#lastText = text;
    return [{ type: "text", text }];
  }

  /** The exit code that it is about to end with. */
  #result(event: JsonObject): AgentEvent[] {
    const code = asCount(event["exitCode"]);
    const ok = code === 0 && !this.#failed;
    return [{ type: "finished", ok, text: ok ? this.#lastText : null }];
  }
}
