/** Session updates of the Agent Client Protocol (version 1) as agent events. */
import type { PromptResponse, SessionUpdate, ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { AgentEvent } from "../../core/agent-event.js";
import { cutAnswer, fatal } from "../cli/api-failure.js";
import { Speech } from "../cli/speech.js";
import type { ToolCall } from "../cli/tool-words.js";
import { treePath } from "../cli/tree-path.js";
import { type JsonObject, asList, asObject, asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";

/** Kinds of tools that write the file at their location. */
const WRITE_KINDS: ReadonlySet<string> = new Set(["edit", "delete", "move"]);

export class AcpTranslator {
  readonly #roots: readonly string[];
  readonly #speech = new Speech();
  #message: string | null = null;
  /** What is known of each call; updates bring only what is new. */
  readonly #calls = new Map<string, ToolCallUpdate>();
  readonly #told = new Set<string>();

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  update(update: SessionUpdate): AgentEvent[] {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#chunk(update.messageId ?? null, update.content.type === "text" ? update.content.text : "");
      case "tool_call":
      case "tool_call_update":
        return [...this.flush(), ...this.#tool(update)];
      case "usage_update": {
        const costUsd = update.cost?.currency === "USD" ? update.cost.amount : null;
        return [{ type: "usage", scope: "total", inputTokens: null, cachedInputTokens: null, outputTokens: null, costUsd, contextTokens: update.used }];
      }
      default:
        return [];
    }
  }

  flush(): AgentEvent[] {
    return this.#speech.flush();
  }

  /** Only `end_turn` is a good ending. */
  stopped({ stopReason }: PromptResponse): AgentEvent[] {
    const text = this.flush();
    const failure = failureOf(stopReason);
    return [...text, ...failure, this.#speech.finished(failure.length === 0)];
  }

  /** Answered with a refusal by us or by a person: the call will not run. */
  denied(id: string): AgentEvent[] {
    return [{ type: "toolResult", id, ok: false, exitCode: null, output: "permission denied", denied: true }];
  }

  #chunk(message: string | null, text: string): AgentEvent[] {
    const before = message !== this.#message ? this.flush() : [];
    this.#message = message;
    this.#speech.add(text);
    return before;
  }

  /** Told once its input is known: with the first word of progress, or with the result. */
  #tool(update: ToolCallUpdate): AgentEvent[] {
    const id = update.toolCallId;
    const known = { ...this.#calls.get(id), ...defined(update) } as ToolCallUpdate;
    this.#calls.set(id, known);
    const over = known.status === "completed" || known.status === "failed";
    const tell = !this.#told.has(id) && (over || known.status === "in_progress");
    if (tell) this.#told.add(id);
    const events: AgentEvent[] = tell ? [this.#call(known)] : [];
    if (over) this.#calls.delete(id);
    return over ? [...events, resultOf(known)] : events;
  }

  #call(known: ToolCallUpdate): ToolCall {
    const input = asObject(known.rawInput) ?? {};
    const kind = known.kind ?? "other";
    const call: ToolCall = { type: "toolCall", id: known.toolCallId, name: known.name ?? kind, input: { title: known.title ?? "", ...input } };
    if (kind === "execute") call.command = commandOf(input) ?? known.title ?? "";
    const diff = (known.content ?? []).find((part) => part.type === "diff");
    const path = diff?.path ?? known.locations?.[0]?.path;
    if (path === undefined || !(WRITE_KINDS.has(kind) || kind === "read")) return call;
    call.path = treePath(this.#roots, path);
    if (WRITE_KINDS.has(kind)) call.writes = true;
    return call;
  }
}

function failureOf(stopReason: PromptResponse["stopReason"]): AgentEvent[] {
  switch (stopReason) {
    case "end_turn":
      return [];
    case "refusal":
      return [fatal("refusal", "the agent refused to go on")];
    case "max_turn_requests":
      return [fatal("turn_cap", "the agent reached its own limit of turns")];
    case "max_tokens":
      return [cutAnswer()];
    default:
      return [fatal("other", `the turn ended as ${stopReason}`)];
  }
}

function resultOf(known: ToolCallUpdate): AgentEvent {
  const raw = asObject(known.rawOutput);
  const code = raw?.["exit_code"] ?? raw?.["exitCode"];
  const output = (known.content ?? [])
    .map(textOf)
    .filter((text) => text !== "")
    .join("\n");
  return {
    type: "toolResult",
    id: known.toolCallId,
    ok: known.status === "completed",
    exitCode: typeof code === "number" ? code : null,
    output: sanitize(output === "" ? (asText(known.rawOutput) ?? asText(raw?.["output"]) ?? "") : output),
  };
}

function textOf(part: ToolCallContent): string {
  return part.type === "content" && part.content.type === "text" ? part.content.text : "";
}

function commandOf(input: JsonObject): string | null {
  const list = asList(input["command"]);
  return asText(input["command"]) ?? (list.length > 0 ? list.map(String).join(" ") : null);
}

/** Updates repeat a field only to change it; null and absent both mean: as before. */
function defined(update: ToolCallUpdate): object {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined && value !== null));
}
