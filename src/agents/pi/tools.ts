/** pi's tool calls and their results. */
import type { AgentEvent } from "../../core/agent-event.js";
import { treePath } from "../cli/tree-path.js";
import { type JsonObject, asList, asObject, asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";

type ToolCall = Extract<AgentEvent, { type: "toolCall" }>;
type ToolResult = Extract<AgentEvent, { type: "toolResult" }>;

const WRITE_TOOLS: ReadonlySet<string> = new Set(["write", "edit"]);
/** The last line of a failed command's output; before 1.6.0 the only place of its code. */
const EXIT_NOTE = /\n*Command exited with code (\d+)\s*$/;

export function toolCall(event: JsonObject, roots: readonly string[]): ToolCall | null {
  const id = asText(event["toolCallId"]);
  const name = asText(event["toolName"]);
  if (id === null || name === null) return null;
  const input = asObject(event["args"]) ?? {};
  const call: ToolCall = { type: "toolCall", id, name, input };
  const command = asText(input["command"]);
  if (name === "bash" && command !== null) call.command = command;
  const path = asText(input["path"]);
  if (path === null || !(WRITE_TOOLS.has(name) || name === "read")) return call;
  call.path = treePath(roots, path);
  if (WRITE_TOOLS.has(name)) call.writes = true;
  const content = asText(input["content"]);
  if (name === "write" && content !== null) call.content = content;
  return call;
}

export function toolResult(event: JsonObject): ToolResult | null {
  const id = asText(event["toolCallId"]);
  if (id === null) return null;
  const result = asObject(event["result"]);
  const ok = event["isError"] !== true;
  const text = sanitize(
    asList(result?.["content"])
      .map((part) => asText(asObject(part)?.["text"]) ?? "")
      .join(""),
  );
  const typed = asObject(result?.["structuredContent"])?.["exit_code"];
  const exitCode = event["toolName"] === "bash" ? (typeof typed === "number" ? typed : wordedCode(ok, text)) : null;
  return { type: "toolResult", id, ok, exitCode, output: text.replace(EXIT_NOTE, "") };
}

function wordedCode(ok: boolean, text: string): number | null {
  const code = EXIT_NOTE.exec(text)?.[1];
  return ok ? 0 : code === undefined ? null : Number(code);
}
