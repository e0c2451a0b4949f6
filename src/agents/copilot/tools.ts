/** Copilot CLI's tool calls and their results. */
import type { AgentEvent } from "../../core/agent-event.js";
import { treePath } from "../cli/tree-path.js";
import { type JsonObject, asCount, asObject, asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";

type ToolCall = Extract<AgentEvent, { type: "toolCall" }>;
type ToolResult = Extract<AgentEvent, { type: "toolResult" }>;

const SHELL_TOOLS: ReadonlySet<string> = new Set(["bash", "powershell"]);
const WRITE_TOOLS: ReadonlySet<string> = new Set(["create", "edit", "str_replace", "insert"]);
const READ_TOOLS: ReadonlySet<string> = new Set(["view"]);
/** The line that its shell adds to every output; it differs each time and is no output of the command. */
const SHELL_NOTE = /\n?<shellId: \S+ completed with exit code (-?\d+)>\s*$/;

export function toolCall(data: JsonObject, roots: readonly string[]): ToolCall | null {
  const id = asText(data["toolCallId"]);
  const name = asText(data["toolName"]);
  if (id === null || name === null) return null;
  const input = asObject(data["arguments"]) ?? {};
  const call: ToolCall = { type: "toolCall", id, name, input };
  const command = asText(input["command"]);
  if (SHELL_TOOLS.has(name) && command !== null) call.command = command;
  const path = asText(input["path"]);
  if (path === null || !(WRITE_TOOLS.has(name) || READ_TOOLS.has(name))) return call;
  call.path = treePath(roots, path);
  if (WRITE_TOOLS.has(name)) call.writes = true;
  const content = asText(input["file_text"]);
  if (name === "create" && content !== null) call.content = content;
  return call;
}

/** `success` of a shell tool says that the command ran, not that it succeeded. */
export function toolResult(data: JsonObject): ToolResult | null {
  const id = asText(data["toolCallId"]);
  if (id === null) return null;
  const said = asText(asObject(data["result"])?.["content"]) ?? asText(asObject(data["error"])?.["message"]) ?? "";
  const code = asObject(data["shellExecution"])?.["exitCode"];
  const exitCode = typeof code === "number" ? code : null;
  const denied = asText(asObject(data["error"])?.["code"]) === "denied" || asText(data["resultType"]) === "denied";
  return {
    type: "toolResult",
    id,
    ok: data["success"] === true && (exitCode ?? 0) === 0,
    exitCode,
    output: sanitize(said).replace(SHELL_NOTE, ""),
    ...(denied ? { denied: true } : {}),
  };
}

/** How full the context is, by Copilot's own count; what it cost is not told. */
export function contextOf(data: JsonObject): AgentEvent[] {
  const tokens = asCount(asObject(asObject(data["toolTelemetry"])?.["metrics"])?.["context_current_tokens"]);
  if (tokens === null) return [];
  return [{ type: "usage", scope: "delta", inputTokens: null, cachedInputTokens: null, outputTokens: null, costUsd: null, contextTokens: tokens }];
}
