/** Claude Code's tool calls and their results. */
import type { AgentEvent } from "../../core/agent-event.js";
import { treePath } from "../cli/tree-path.js";
import { type JsonObject, asList, asObject, asText } from "../json.js";
import { sanitize } from "../process/sanitize.js";

type ToolCall = Extract<AgentEvent, { type: "toolCall" }>;
type ToolResult = Extract<AgentEvent, { type: "toolResult" }>;

const SHELL_TOOLS: ReadonlySet<string> = new Set(["Bash", "PowerShell"]);
const WRITE_TOOLS: ReadonlySet<string> = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);
const READ_TOOLS: ReadonlySet<string> = new Set(["Read", "NotebookRead"]);

/** What the CLI answers in place of a tool that it did not run; there is no field for it before 2.1.332. */
const DENIALS: readonly RegExp[] = [
  /^Claude requested permissions? to /,
  /^Permission to use .* has been denied/,
  /was blocked\. For security, Claude Code may only/,
  /^The user doesn't want to proceed with this tool use/,
];

export function toolCall(block: JsonObject, roots: readonly string[]): ToolCall | null {
  const id = asText(block["id"]);
  const name = asText(block["name"]);
  if (id === null || name === null) return null;
  const input = asObject(block["input"]) ?? {};
  const call: ToolCall = { type: "toolCall", id, name, input: block["input"] ?? {} };
  const command = asText(input["command"]);
  if (SHELL_TOOLS.has(name) && command !== null) call.command = command;
  const path = asText(input["file_path"]) ?? asText(input["notebook_path"]);
  if (path === null || !(WRITE_TOOLS.has(name) || READ_TOOLS.has(name))) return call;
  call.path = treePath(roots, path);
  if (WRITE_TOOLS.has(name)) call.writes = true;
  const content = asText(input["content"]);
  if (name === "Write" && content !== null) call.content = content;
  return call;
}

/** `meta` is the event's entry of `tool_result_meta` for this call, from 2.1.332 on. */
export function toolResult(block: JsonObject, tool: string | undefined, details: unknown, meta: JsonObject | null): ToolResult | null {
  const id = asText(block["tool_use_id"]);
  if (id === null) return null;
  const ok = block["is_error"] !== true;
  const output = sanitize(textOf(block["content"]));
  const shell = tool !== undefined && SHELL_TOOLS.has(tool);
  const result: ToolResult = { type: "toolResult", id, ok, exitCode: shell ? exitCodeOf(ok, output, details) : null, output };
  if (!ok && isDenied(output, meta)) result.denied = true;
  return result;
}

/** A failing command tells its code only in the first line of its output. */
function exitCodeOf(ok: boolean, output: string, details: unknown): number | null {
  const code = /^(?:Error: )?Exit code (\d+)/.exec(output)?.[1];
  if (!ok) return code === undefined ? null : Number(code);
  const how = asObject(details);
  // A command moved to the background or cut short has not exited.
  return how?.["interrupted"] === true || typeof how?.["backgroundTaskId"] === "string" ? null : 0;
}

function isDenied(output: string, meta: JsonObject | null): boolean {
  const decision = asText(asObject(meta?.["permission_decision"])?.["decision"]);
  if (decision !== null) return decision !== "accept";
  if (meta?.["non_execution_kind"] === "user-rejected") return true;
  return DENIALS.some((pattern) => pattern.test(output));
}

function textOf(content: unknown): string {
  const text = asText(content);
  if (text !== null) return text;
  return asList(content)
    .map((part) => asText(asObject(part)?.["text"]) ?? "")
    .filter((part) => part !== "")
    .join("\n");
}
