/** The signature of any tool call: its name and the arguments that say what it is about. */
import { hashText } from "../hash.js";
import { commandSignature } from "./command.js";
import { replaceVolatile } from "./volatile.js";

/** Arguments that name the subject of a call, in the order of preference. */
const SUBJECTS = ["path", "file_path", "filePath", "filename", "url", "pattern", "query"];
const COMMANDS = ["command", "cmd", "script"];
/** What agents add for people or for bookkeeping; a new wording is not a new action. */
const REMARKS = new Set(["description", "explanation", "reason", "thought", "id", "tool_use_id", "call_id", "timeout", "timeout_ms", "workdir", "cwd"]);

const MAX_SUBJECT = 160;
const MAX_DEPTH = 8;

export function actionSignature(name: string, input: unknown): string {
  const tool = name.trim();
  if (typeof input === "string") return `${tool} ${shown(replaceVolatile(input.trim()))}`.trim();
  if (!isRecord(input)) return input === null || input === undefined ? tool : `${tool} #${hashText(canonical(input, 0))}`;
  const command = commandOf(input);
  if (command !== null) return `${tool} ${shown(commandSignature(command))}`;
  const key = SUBJECTS.find((candidate) => typeof input[candidate] === "string");
  const subject = key === undefined ? "" : shown(replaceVolatile(String(input[key])));
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => name !== key && !REMARKS.has(name)));
  const details = Object.keys(rest).length === 0 ? "" : `#${hashText(canonical(rest, 0))}`;
  return [tool, subject, details].filter((part) => part !== "").join(" ");
}

/** The command line of a shell tool's input; argv arrays read like the line they stand for. */
export function commandOf(input: unknown): string | null {
  if (!isRecord(input)) return null;
  for (const key of COMMANDS) {
    const value = input[key];
    if (typeof value === "string") return value;
    if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "string")) {
      return value.map((part) => (/^[\w./:=@%+-]+$/.test(part) ? part : `'${part.replace(/'/g, `'\\''`)}'`)).join(" ");
    }
  }
  return null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A long subject keeps its start for people and a hash for equality. */
function shown(text: string): string {
  return text.length <= MAX_SUBJECT ? text : `${text.slice(0, MAX_SUBJECT)}… #${hashText(text)}`;
}

/** JSON with sorted keys and without what is volatile. */
function canonical(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) return "…";
  if (typeof value === "string") return JSON.stringify(value.length > 10_000 ? value : replaceVolatile(value));
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(",")}]`;
  if (isRecord(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key], depth + 1)}`);
    return `{${entries.join(",")}}`;
  }
  return String(value);
}
