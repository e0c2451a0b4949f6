/** pi's tool calls and their results. */
import type { AgentEvent } from "../../core/agent-event.js";
import { type ToolWords, toolCall } from "../cli/tool-words.js";
import { type JsonObject, asObject, asText, textParts } from "../json.js";
import { sanitize } from "../process/sanitize.js";

const WORDS: ToolWords = {
  shell: ["bash"],
  writes: ["write", "edit"],
  reads: ["read"],
  path: ["path"],
  whole: { tool: "write", argument: "content" },
};
/** The last line of a failed command's output; before 1.6.0 the only place of its code. Tried only where line breaks begin: a run of them costs no square. */
const EXIT_NOTE = /(?<!\n)\n*Command exited with code (\d+)\s*$/;

export function callOf(event: JsonObject, roots: readonly string[]): AgentEvent[] {
  const id = asText(event["toolCallId"]);
  const name = asText(event["toolName"]);
  return id === null || name === null ? [] : [toolCall({ id, name, input: asObject(event["args"]) ?? {} }, WORDS, roots)];
}

export function resultOf(event: JsonObject): AgentEvent[] {
  const id = asText(event["toolCallId"]);
  if (id === null) return [];
  const result = asObject(event["result"]);
  const ok = event["isError"] !== true;
  const text = sanitize(textParts(result?.["content"]).join(""));
  const typed = asObject(result?.["structuredContent"])?.["exit_code"];
  const exitCode = event["toolName"] === "bash" ? (typeof typed === "number" ? typed : wordedCode(ok, text)) : null;
  return [{ type: "toolResult", id, ok, exitCode, output: text.replace(EXIT_NOTE, "") }];
}

function wordedCode(ok: boolean, text: string): number | null {
  const code = EXIT_NOTE.exec(text)?.[1];
  return ok ? 0 : code === undefined ? null : Number(code);
}
