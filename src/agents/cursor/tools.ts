/** Cursor CLI's tool calls: one key such as `shellToolCall` names the tool and holds its arguments and its result. */
import { type ToolCall, type ToolResult, type ToolWords, toolCall } from "../cli/tool-words.js";
import { type JsonObject, asObject, asText, parseJson } from "../json.js";
import { sanitize } from "../process/sanitize.js";

const KEY = /^(.*)ToolCall$/;
const WORDS: ToolWords = {
  shell: ["shell"],
  writes: ["write", "edit", "delete"],
  reads: ["read"],
  path: ["path"],
  whole: { tool: "write", argument: "fileText" },
};
const OUTPUT_CHARACTERS = 65_536;

export function callOf(event: JsonObject, roots: readonly string[]): ToolCall | null {
  const id = asText(event["call_id"]);
  const tool = toolOf(event);
  return id === null || tool === null ? null : toolCall({ id, name: tool.name, input: tool.input }, WORDS, roots);
}

/** `result` has one key: `success`, or what went wrong. */
export function resultOf(event: JsonObject, id: string): ToolResult {
  const result = toolOf(event)?.result ?? {};
  const success = asObject(result["success"]);
  const [why = "success", told] = success === null ? (Object.entries(result)[0] ?? []) : ["success", success];
  const details = asObject(told) ?? {};
  const code = details["exitCode"];
  const exitCode = typeof code === "number" ? code : null;
  return {
    type: "toolResult",
    id,
    ok: success !== null && (exitCode ?? 0) === 0,
    exitCode,
    output: sanitize(outputOf(details).slice(0, OUTPUT_CHARACTERS)),
    ...(/^rejected$|permissionDenied/.test(why) ? { denied: true } : {}),
  };
}

function toolOf(event: JsonObject): { name: string; input: JsonObject; result: JsonObject } | null {
  const entries = Object.entries(asObject(event["tool_call"]) ?? {});
  const [key, value] = entries.find(([name]) => KEY.test(name) || name === "function") ?? [];
  const tool = asObject(value);
  if (key === undefined || tool === null) return null;
  const result = asObject(tool["result"]) ?? {};
  if (key !== "function") return { name: KEY.exec(key)?.[1] ?? key, input: asObject(tool["args"]) ?? {}, result };
  return { name: asText(tool["name"]) ?? "function", input: asObject(parseJson(asText(tool["arguments"]) ?? "")) ?? {}, result };
}

function outputOf(details: JsonObject): string {
  const streams = [details["stdout"], details["stderr"]].map((text) => asText(text) ?? "").filter((text) => text !== "");
  if (streams.length > 0) return streams.join("\n");
  return asText(details["content"]) ?? asText(details["errorMessage"]) ?? asText(details["error"]) ?? asText(details["reason"]) ?? JSON.stringify(details);
}
