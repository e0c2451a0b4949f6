/** Reads the event lines of a process of this program: the built-in agent, or the bridge to an ACP agent. */
import type { AgentEvent, AgentExit } from "../../core/agent-event.js";
import { asObject, asText, parseJson } from "../json.js";
import { sanitize } from "../process/sanitize.js";
import type { Translator } from "../process/tree.js";
import { unknownEvent } from "../unknown-event.js";

const EVENT_TYPES: ReadonlySet<string> = new Set([
  "started",
  "text",
  "toolCall",
  "toolResult",
  "usage",
  "limit",
  "error",
  "noteTaken",
  "finished",
] satisfies AgentEvent["type"][]);

/** Enough of stderr to see a stack trace. */
const STDERR_LINES = 20;

/** `name`: who ended, for the message about an end without a last word. */
export function builtInTranslator(name = "the built-in agent"): Translator {
  let finished = false;
  let stderr: string[] = [];
  return {
    line: (line, stream) => {
      if (stream === "stderr") {
        // A log for people; it is on disk, and only a crash makes it worth telling.
        stderr = [...stderr, line].slice(-STDERR_LINES);
        return [];
      }
      const event = readEvent(line);
      finished ||= event.type === "finished";
      return [event];
    },
    end: (exit) => (finished || !unexpected(exit) ? [] : [crash(name, stderr)]),
  };
}

/** The shape behind `type` is taken on trust: the writer is the same build of this program. */
export function readEvent(line: string): AgentEvent {
  const object = asObject(parseJson(line));
  const type = asText(object?.["type"]);
  if (object === null || type === null || !EVENT_TYPES.has(type)) return unknownEvent(line);
  return withoutControl(object as unknown as AgentEvent);
}

function withoutControl(event: AgentEvent): AgentEvent {
  if (event.type === "text") return { ...event, text: sanitize(event.text) };
  if (event.type === "finished" && event.text !== null) return { ...event, text: sanitize(event.text) };
  if (event.type === "error" || event.type === "limit") return { ...event, message: sanitize(event.message) };
  return event;
}

/** Whoever was stopped by the driver owes no last word, and a failed start tells its own reason. */
function unexpected(exit: AgentExit): boolean {
  return exit.kind === "exited" || exit.kind === "signalled";
}

function crash(name: string, stderr: string[]): AgentEvent {
  const said = sanitize(stderr.join("\n")).trim();
  return { type: "error", kind: "crash", fatal: true, message: said === "" ? `${name} ended without a last word` : said };
}
