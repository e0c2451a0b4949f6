/** Tool calls of any product: which of its tools run commands, write or read files, and what their arguments are called. */
import type { AgentEvent } from "../../core/agent-event.js";
import { asObject, asText } from "../json.js";
import { treePath } from "./tree-path.js";

export type ToolCall = Extract<AgentEvent, { type: "toolCall" }>;
export type ToolResult = Extract<AgentEvent, { type: "toolResult" }>;

export interface ToolWords {
  /** Tools whose `command` is a command line. */
  shell: readonly string[];
  writes: readonly string[];
  reads: readonly string[];
  /** Arguments that name the file; the first that is there counts. */
  path: readonly string[];
  /** The tool that writes a whole file, and its argument that holds the text. */
  whole: { tool: string; argument: string };
}

export interface NamedCall {
  id: string;
  name: string;
  input: unknown;
}

export function toolCall({ id, name, input }: NamedCall, words: ToolWords, roots: readonly string[]): ToolCall {
  const call: ToolCall = { type: "toolCall", id, name, input };
  const given = asObject(input) ?? {};
  const command = asText(given["command"]);
  if (words.shell.includes(name) && command !== null) call.command = command;
  const path = words.path.map((argument) => asText(given[argument])).find((text) => text !== null);
  const writes = words.writes.includes(name);
  if (path === undefined || !(writes || words.reads.includes(name))) return call;
  call.path = treePath(roots, path);
  if (writes) call.writes = true;
  const content = asText(given[words.whole.argument]);
  if (name === words.whole.tool && content !== null) call.content = content;
  return call;
}
