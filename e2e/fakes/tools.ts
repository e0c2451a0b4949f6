/** Turns a neutral call into one of a tool that the connected CLI declared. */
import type { Call } from "./turns.js";

export interface Tool {
  name: string;
  /** JSON schema of its parameters; undefined for a tool that takes plain text. */
  schema?: { properties?: Record<string, { description?: string; type?: string }>; required?: string[] };
}

export interface ToolUse {
  name: string;
  /** Text for a tool that takes plain text. */
  input: Record<string, unknown> | string;
}

const SHELLS = ["exec_command", "run_shell_command", "bash", "shell"];
const WRITERS = ["write_file", "write", "create", "apply_patch"];

export function useOf(call: Call, tools: readonly Tool[]): ToolUse {
  return "shell" in call ? shellUse(call.shell, tools) : writeUse(call.write, tools);
}

function shellUse(command: string, tools: readonly Tool[]): ToolUse {
  const tool = pick(tools, SHELLS);
  return {
    name: tool.name,
    input: { [parameter(tool, ["command", "cmd"])]: command, ...required(tool, { description: "Run a command", is_background: false }) },
  };
}

function writeUse({ path, content }: { path: string; content: string }, tools: readonly Tool[]): ToolUse {
  const tool = pick(tools, WRITERS);
  const patch = `*** Begin Patch\n*** Add File: ${path}\n${content
    .trimEnd()
    .split("\n")
    .map((line) => `+${line}`)
    .join("\n")}\n*** End Patch\n`;
  if (tool.name === "apply_patch") return { name: tool.name, input: tool.schema === undefined ? patch : { input: patch } };
  return { name: tool.name, input: { [parameter(tool, ["file_path", "filePath", "path"])]: path, [parameter(tool, ["content", "file_text"])]: content } };
}

function pick(tools: readonly Tool[], names: readonly string[]): Tool {
  const found = names.map((name) => tools.find((tool) => tool.name === name)).find((tool) => tool !== undefined);
  if (found === undefined) throw new Error(`none of ${names.join(", ")} among the declared tools: ${tools.map(({ name }) => name).join(", ")}`);
  return found;
}

function parameter(tool: Tool, names: readonly string[]): string {
  const found = names.find((name) => Object.hasOwn(tool.schema?.properties ?? {}, name));
  if (found === undefined) throw new Error(`${tool.name} has none of the parameters ${names.join(", ")}`);
  return found;
}

function required(tool: Tool, values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => tool.schema?.required?.includes(name) ?? false));
}
