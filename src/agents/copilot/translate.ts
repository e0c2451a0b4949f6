/** Copilot CLI's JSON events as agent events. Knows version 1.0.102. */
import type { AgentEvent, AgentExit } from "../../core/agent-event.js";
import type { Dialect } from "../cli/json-lines.js";
import { Speech } from "../cli/speech.js";
import { started } from "../cli/started.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { type JsonObject, asObject, asText } from "../json.js";
import { crashKind, failureOf, retryOf } from "./failure.js";
import { callOf, contextOf, resultOf } from "./tools.js";

/** Families of events that tell nothing the driver acts on. */
const SILENT =
  /^(?:session\.|system\.|assistant\.|model\.|user\.|tool\.(?:shell_output|execution_partial_result|execution_progress|user_requested)|permission\.|hook\.|subagent\.)/;

export class CopilotDialect implements Dialect {
  readonly name = "Copilot CLI";
  readonly crashKind = crashKind;
  readonly #context: TranslatorContext;
  readonly #speech = new Speech();
  #started = false;
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
        // A sub-agent's words are not the agent's.
        return asText(data["parentToolCallId"]) === null ? this.#speech.say(asText(data["content"]) ?? "") : [];
      case "tool.execution_start":
        return callOf(data, this.#context.roots);
      case "tool.execution_complete":
        return [...resultOf(data), ...contextOf(data)];
      case "model.call_failure":
        return [retryOf(data)];
      case "session.error":
        this.#failed = true;
        return [failureOf(data, this.#context)];
      case "result":
        // The exit code that it is about to end with.
        return [this.#speech.finished(event["exitCode"] === 0 && !this.#failed)];
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
    return [started({ model: data["model"] })];
  }
}
