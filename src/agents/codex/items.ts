/** Codex's items: commands, file changes and other tools, as calls and results. */
import type { AgentEvent } from "../../core/agent-event.js";
import { splitShell } from "../../core/signature/shell-words.js";
import { treePath } from "../cli/tree-path.js";
import { type JsonObject, asList, asObject, asText, textParts } from "../json.js";
import { sanitize } from "../process/sanitize.js";

const SHELL = /(?:^|\/)(?:ba|z|da|k)?sh$/;
/** Items that are no actions. */
const SILENT: ReadonlySet<string> = new Set(["reasoning", "todo_list", "agent_message", "error"]);

/** The calls that an item stands for: one, or one for each file that it changes. null: an item nobody knows. */
export function itemCalls(item: JsonObject, roots: readonly string[]): Extract<AgentEvent, { type: "toolCall" }>[] | null {
  const id = asText(item["id"]) ?? "item";
  const type = asText(item["type"]) ?? "";
  if (SILENT.has(type)) return [];
  switch (type) {
    case "command_execution": {
      const command = innerCommand(asText(item["command"]) ?? "");
      return [{ type: "toolCall", id, name: "shell", input: { command }, command }];
    }
    case "file_change":
      return changesOf(item).map(({ path, kind }, index) => ({
        type: "toolCall",
        id: `${id}:${index}`,
        name: "apply_patch",
        input: { path, kind },
        path: treePath(roots, path),
        writes: true,
      }));
    case "mcp_tool_call":
      return [{ type: "toolCall", id, name: `${asText(item["server"]) ?? "mcp"}.${asText(item["tool"]) ?? "tool"}`, input: item["arguments"] ?? {} }];
    case "web_search":
      return [{ type: "toolCall", id, name: "web_search", input: { query: item["query"] ?? null } }];
    default:
      return null;
  }
}

/** One result for each of the calls. */
export function itemResults(item: JsonObject, calls: readonly { id: string }[]): AgentEvent[] {
  const status = asText(item["status"]);
  const code = item["exit_code"];
  const shell = item["type"] === "command_execution";
  const ok = status !== "failed" && status !== "declined" && item["error"] == null;
  return calls.map(({ id }) => ({
    type: "toolResult",
    id,
    ok,
    exitCode: shell && typeof code === "number" ? code : null,
    output: sanitize(outputOf(item)),
    ...(status === "declined" ? { denied: true } : {}),
  }));
}

/** `/bin/bash -lc 'npm test'` is Codex's own way to run `npm test`. */
export function innerCommand(command: string): string {
  const words = splitShell(command.slice(0, 200))
    .slice(0, 2)
    .map((piece) => piece.text);
  if (words.length < 2 || !SHELL.test(words[0] ?? "") || !/^-l?c$/.test(words[1] ?? "")) return command;
  const [script, ...rest] = splitShell(command).slice(2);
  return script?.kind === "word" && rest.length === 0 ? script.text : command;
}

function changesOf(item: JsonObject): { path: string; kind: string }[] {
  return asList(item["changes"]).flatMap((value) => {
    const path = asText(asObject(value)?.["path"]);
    return path === null ? [] : [{ path, kind: asText(asObject(value)?.["kind"]) ?? "update" }];
  });
}

function outputOf(item: JsonObject): string {
  const output = asText(item["aggregated_output"]);
  if (output !== null) return output;
  const problem = asText(asObject(item["error"])?.["message"]);
  if (problem !== null) return problem;
  return textParts(asObject(item["result"])?.["content"]).join("\n");
}
