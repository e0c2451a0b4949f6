/** Copilot CLI's tool calls and their results. */
import type { AgentEvent } from "../../core/agent-event.js";
import { type ToolWords, toolCall } from "../cli/tool-words.js";
import { type JsonObject, asCount, asObject, asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";

const WORDS: ToolWords = {
  shell: ["bash", "powershell"],
  writes: ["create", "edit", "str_replace", "insert"],
  reads: ["view"],
  path: ["path"],
  whole: { tool: "create", argument: "file_text" },
};
/** The line that its shell adds to every output; it differs each time and is no output of the command. */
const SHELL_NOTE = /\n?<shellId: \S+ completed with exit code (-?\d+)>\s*$/;

export function callOf(data: JsonObject, roots: readonly string[]): AgentEvent[] {
  const id = asText(data["toolCallId"]);
  const name = asText(data["toolName"]);
  return id === null || name === null ? [] : [toolCall({ id, name, input: asObject(data["arguments"]) ?? {} }, WORDS, roots)];
}

/** `success` of a shell tool says that the command ran, not that it succeeded. */
export function resultOf(data: JsonObject): AgentEvent[] {
  const id = asText(data["toolCallId"]);
  if (id === null) return [];
  const error = asObject(data["error"]);
  const said = asText(asObject(data["result"])?.["content"]) ?? asText(error?.["message"]) ?? "";
  const code = asObject(data["shellExecution"])?.["exitCode"];
  const exitCode = typeof code === "number" ? code : null;
  const ok = data["success"] === true && (exitCode ?? 0) === 0;
  const denied = asText(error?.["code"]) === "denied" || asText(data["resultType"]) === "denied";
  return [{ type: "toolResult", id, ok, exitCode, output: sanitize(said).replace(SHELL_NOTE, ""), ...(denied ? { denied: true } : {}) }];
}

/** How full the context is, by Copilot's own count; what it cost is not told. */
export function contextOf(data: JsonObject): AgentEvent[] {
  const tokens = asCount(asObject(asObject(data["toolTelemetry"])?.["metrics"])?.["context_current_tokens"]);
  if (tokens === null) return [];
  return [{ type: "usage", scope: "delta", inputTokens: null, cachedInputTokens: null, outputTokens: null, costUsd: null, contextTokens: tokens }];
}
