/** Claude Code's `stream-json` output as agent events. Knows versions 2.1.197 to 2.1.332. */
import type { AgentEvent, AgentExit } from "../../core/agent-event.js";
import { eventsOf } from "../cli/json-lines.js";
import { started } from "../cli/started.js";
import type { TranslatorContext } from "../cli/translator-context.js";
import { type JsonObject, asCount, asList, asObject, asText, textParts } from "../json.js";
import { sanitize } from "../process/sanitize.js";
import type { Translator } from "../process/tree.js";
import { unknownEvent } from "../unknown-event.js";
import { crashOf, failureOf, retryOf } from "./failure.js";
import { callOf, resultOf } from "./tools.js";
import { messageUsage, outputUsage, resultUsage } from "./usage.js";

/** Of what was not JSON, this much of the end is kept to explain an ending without a result. */
const STRAY_CHARACTERS = 8_000;
/** System events that tell nothing the driver acts on. */
const SILENT_SYSTEM: ReadonlySet<string> = new Set(["thinking_tokens", "status", "model_refusal_no_fallback", "compact_boundary"]);

export function createClaudeTranslator(context: TranslatorContext): Translator {
  return new ClaudeTranslator(context);
}

class ClaudeTranslator implements Translator {
  readonly #context: TranslatorContext;
  readonly #roots: string[];
  /** Tool names by call id, since a result does not repeat its tool. */
  readonly #tools = new Map<string, string>();
  readonly #denied = new Set<string>();
  /** API messages that were counted: one message comes as several events with the same usage. */
  readonly #counted = new Set<string>();
  #started = false;
  /** The CLI repeats each message when it takes it in: the prompt first, then notes of the driver. */
  #sawPrompt = false;
  #stray = "";
  /** The part of it that came on stdout, the only place of events. */
  #strayOutput = "";
  #apiError: string | null = null;
  #limitResetMs: number | null = null;
  #limitRejected = false;
  /** The last one counts: background work can be followed by another turn. */
  #result: JsonObject | null = null;

  constructor(context: TranslatorContext) {
    this.#context = context;
    this.#roots = [...context.roots];
  }

  line(line: string, stream: "stdout" | "stderr"): AgentEvent[] {
    if (line.trim() === "") return [];
    const values = stream === "stdout" ? eventsOf(line) : null;
    if (values !== null) return values.flatMap((value) => this.#event(value));
    this.#stray = `${this.#stray}${line}\n`.slice(-STRAY_CHARACTERS);
    if (stream === "stdout") this.#strayOutput = `${this.#strayOutput}${line}\n`.slice(-STRAY_CHARACTERS);
    return [unknownEvent(line)];
  }

  end(exit: AgentExit): AgentEvent[] {
    const late = this.#result === null ? this.#spreadObject() : [];
    const result = this.#result;
    if (result !== null) return result["is_error"] === true ? [...late, failureOf(this.#facts(result))] : late;
    if (this.#limitRejected) return [failureOf(this.#facts({ api_error_status: 429, result: "account limit" }))];
    if (exit.kind === "exited") return [crashOf(sanitize(this.#stray), `ended with code ${exit.code}`)];
    return exit.kind === "signalled" ? [crashOf("", `was killed by ${exit.signal}`)] : [];
  }

  /** One JSON value spread over several lines, as a person or a wrapper may print it. */
  #spreadObject(): AgentEvent[] {
    return (eventsOf(this.#strayOutput) ?? []).flatMap((value) => this.#event(value));
  }

  #facts(result: JsonObject) {
    return {
      result,
      apiError: this.#apiError,
      limitResetMs: this.#limitResetMs,
      limitRejected: this.#limitRejected,
      nowMs: this.#context.nowMs(),
      localZone: this.#context.localZone,
    };
  }

  #event(event: JsonObject): AgentEvent[] {
    switch (event["type"]) {
      case "system":
        return this.#system(event);
      case "assistant":
        return this.#assistant(event);
      case "user":
        return this.#user(event);
      case "result":
        return this.#takeResult(event);
      case "rate_limit_event":
        return this.#rateLimit(event);
      case "stream_event": {
        const usage = outputUsage(asObject(event["event"]) ?? {});
        return usage === null ? [] : [usage];
      }
      default:
        return [unknownEvent(JSON.stringify(event))];
    }
  }

  #system(event: JsonObject): AgentEvent[] {
    const subtype = asText(event["subtype"]) ?? "";
    if (subtype === "api_retry") return [retryOf(event)];
    if (SILENT_SYSTEM.has(subtype)) return [];
    if (subtype !== "init") return [unknownEvent(JSON.stringify(event))];
    const cwd = asText(event["cwd"]);
    if (cwd !== null && !this.#roots.includes(cwd)) this.#roots.push(cwd);
    if (this.#started) return [];
    this.#started = true;
    return [started({ sessionId: event["session_id"], model: event["model"] })];
  }

  #assistant(event: JsonObject): AgentEvent[] {
    const message = asObject(event["message"]);
    if (message === null) return [unknownEvent(JSON.stringify(event))];
    const apiError = asText(event["error"]);
    if (apiError !== null) this.#apiError = apiError;
    // The CLI speaks through such messages when the model could not; they are no word of the agent.
    if (message["model"] === "<synthetic>") return [];
    const ofSubagent = asText(event["parent_tool_use_id"]) !== null;
    const events: AgentEvent[] = this.#countMessage(message, ofSubagent);
    for (const block of asList(message["content"]).map(asObject)) {
      const text = block?.["type"] === "text" ? sanitize(asText(block["text"]) ?? "") : "";
      if (text !== "" && !ofSubagent) events.push({ type: "text", text });
      const call = block?.["type"] === "tool_use" ? callOf(block, this.#roots) : null;
      if (call === null) continue;
      this.#tools.set(call.id, call.name);
      events.push(call);
    }
    return events;
  }

  #countMessage(message: JsonObject, ofSubagent: boolean): AgentEvent[] {
    const id = asText(message["id"]);
    if (id === null || this.#counted.has(id)) return [];
    const usage = messageUsage(message, ofSubagent);
    if (usage === null) return [];
    this.#counted.add(id);
    return [usage];
  }

  #user(event: JsonObject): AgentEvent[] {
    if (event["isReplay"] === true) return this.#replayed(event);
    const metas = asList(event["tool_result_meta"]).map(asObject);
    return asList(asObject(event["message"])?.["content"])
      .map(asObject)
      .flatMap((block) => {
        if (block?.["type"] !== "tool_result") return [];
        const id = asText(block["tool_use_id"]) ?? "";
        const meta = metas.find((entry) => entry?.["id"] === id) ?? null;
        const result = resultOf(block, this.#tools.get(id), event["tool_use_result"], meta);
        if (result?.denied === true) this.#denied.add(id);
        return result === null ? [] : [result];
      });
  }

  #replayed(event: JsonObject): AgentEvent[] {
    const note = this.#sawPrompt;
    this.#sawPrompt = true;
    return note ? [{ type: "noteTaken", text: sanitize(textParts(asObject(event["message"])?.["content"]).join("\n")) }] : [];
  }

  #rateLimit(event: JsonObject): AgentEvent[] {
    const info = asObject(event["rate_limit_info"]);
    if (info === null) return [unknownEvent(JSON.stringify(event))];
    // With extra usage switched on the account's own limit does not stop it.
    this.#limitRejected = info["status"] === "rejected" && info["isUsingOverage"] !== true;
    const resetsAt = asCount(info["resetsAt"]);
    this.#limitResetMs = this.#limitRejected && resetsAt !== null ? resetsAt * 1_000 : null;
    return [];
  }

  #takeResult(result: JsonObject): AgentEvent[] {
    this.#result = result;
    const usage = resultUsage(result, this.#context.prices, this.#counted.size > 0);
    const ok = result["is_error"] === false;
    const text = ok ? asText(result["result"]) : null;
    return [...(usage === null ? [] : [usage]), ...this.#lateDenials(result), { type: "finished", ok, text: text === null ? null : sanitize(text) }];
  }

  /** Denials that could not be told from the tool's own words. */
  #lateDenials(result: JsonObject): AgentEvent[] {
    return asList(result["permission_denials"]).flatMap((value) => {
      const id = asText(asObject(value)?.["tool_use_id"]);
      if (id === null || this.#denied.has(id)) return [];
      this.#denied.add(id);
      return [{ type: "toolResult", id, ok: false, exitCode: null, output: "permission denied", denied: true }];
    });
  }
}
