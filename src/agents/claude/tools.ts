/** Claude Code's tool calls and their results. */
import { type ToolCall, type ToolResult, type ToolWords, toolCall } from "../cli/tool-words.js";
import { type JsonObject, asObject, asText, textParts } from "../json.js";
import { sanitize } from "../process/sanitize.js";

const WORDS: ToolWords = {
  shell: ["Bash", "PowerShell"],
  writes: ["Write", "Edit", "MultiEdit", "NotebookEdit"],
  reads: ["Read", "NotebookRead"],
  path: ["file_path", "notebook_path"],
  whole: { tool: "Write", argument: "content" },
};

/** What the CLI answers in place of a tool that it did not run; there is no field for it before 2.1.332. */
const DENIALS: readonly RegExp[] = [
  /^Claude requested permissions? to /,
  /^Permission to use .* has been denied/,
  /was blocked\. For security, Claude Code may only/,
  /^The user doesn't want to proceed with this tool use/,
];

export function callOf(block: JsonObject, roots: readonly string[]): ToolCall | null {
  const id = asText(block["id"]);
  const name = asText(block["name"]);
  return id === null || name === null ? null : toolCall({ id, name, input: block["input"] ?? {} }, WORDS, roots);
}

/** `meta` is the event's entry of `tool_result_meta` for this call, from 2.1.332 on. */
export function resultOf(block: JsonObject, tool: string | undefined, details: unknown, meta: JsonObject | null): ToolResult | null {
  const id = asText(block["tool_use_id"]);
  if (id === null) return null;
  const ok = block["is_error"] !== true;
  const output = sanitize(textOf(block["content"]));
  const shell = tool !== undefined && WORDS.shell.includes(tool);
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
  return asText(content) ?? textParts(content).join("\n");
}
