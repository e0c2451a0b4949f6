/** Turns a recorded neutral call into the tool that the client declared. */
import { resolve } from "node:path";
import type { ClientRequest, DeclaredTool } from "./client-request.js";
import type { RecordedCall } from "./recording.js";

export interface ToolUse {
  name: string;
  input: unknown;
}

export function translateCall(call: RecordedCall, request: ClientRequest): ToolUse {
  if ("tool" in call) return { name: call.tool.name, input: call.tool.input };
  if ("bash" in call) return bash(call.bash.command, call.bash.timeout_s, request);
  if ("read" in call) {
    const tool = declared(request, "read", "Read");
    return { name: tool.name, input: pathInput(tool, call.read.path, request) };
  }
  if ("edit" in call) {
    const tool = declared(request, "edit", "Edit");
    const input = pathInput(tool, call.edit.path, request);
    input[key(tool, "old_text", "old_string")] = call.edit.old;
    input[key(tool, "new_text", "new_string")] = call.edit.new;
    return { name: tool.name, input };
  }
  return write(call.write, request);
}

function bash(command: string, timeoutS: number | undefined, request: ClientRequest): ToolUse {
  const tool = declared(request, "bash", "Bash");
  // Only our own tool counts its timeout in seconds.
  const limited = timeoutS !== undefined && has(tool, "timeout_s");
  return { name: tool.name, input: { command, ...(limited ? { timeout_s: timeoutS } : {}) } };
}

/** Some clients in a reduced mode have no tool that writes; a shell can do it. */
function write(what: { path: string; content: string }, request: ClientRequest): ToolUse {
  const tool = find(request, "write", "Write");
  if (tool !== undefined) return { name: tool.name, input: { ...pathInput(tool, what.path, request), content: what.content } };
  const path = quote(what.path);
  return bash(`mkdir -p "$(dirname ${path})" && printf %s ${quote(what.content)} > ${path}`, undefined, request);
}

/** Claude Code's `file_path` must be absolute; its system prompt names the working directory. */
function pathInput(tool: DeclaredTool, path: string, request: ClientRequest): Record<string, string> {
  if (!has(tool, "file_path")) return { path };
  const cwd = workingDirectory(request);
  return { file_path: cwd === null ? path : resolve(cwd, path) };
}

function workingDirectory(request: ClientRequest): string | null {
  const prompt = JSON.stringify([request.system ?? null, request.messages]);
  const found = /working directory(?: is)?:? *(?:`|\\")?(\/[^\s"'`<>\\]+)/i.exec(prompt);
  return found?.[1]?.replace(/[.,]$/, "") ?? null;
}

function find(request: ClientRequest, ...names: string[]): DeclaredTool | undefined {
  return request.tools.find((tool) => names.includes(tool.name));
}

/** A client without such a tool gets the call all the same and can say that it does not know it. */
function declared(request: ClientRequest, ...names: [string, string]): DeclaredTool {
  return find(request, ...names) ?? { name: names[0] };
}

function key(tool: DeclaredTool, own: string, other: string): string {
  return has(tool, other) ? other : own;
}

function has(tool: DeclaredTool, property: string): boolean {
  return Object.hasOwn(tool.input_schema?.properties ?? {}, property);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
