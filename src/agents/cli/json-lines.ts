/** The part of a translator that all products with one JSON object a line share: reading lines, and endings nobody announced. */
import type { AgentErrorKind, AgentEvent, AgentExit } from "../../core/agent-event.js";
import { type JsonObject, asObject, parseJson } from "../json.js";
import { sanitize } from "../process/sanitize.js";
import type { Translator } from "../process/tree.js";
import { unknownEvent } from "../unknown-event.js";

/** One product's words. */
export interface Dialect {
  /** The product's name, for messages. */
  name: string;
  /** null: nobody knows this event. An empty list: known, and nothing to tell. */
  event(event: JsonObject): AgentEvent[] | null;
  /** What is still to tell before the ending is judged, such as a message that was coming in parts. */
  flush?(): AgentEvent[];
  /** After the last line, with whether a final event came. Must not repeat what `event` told. */
  ending?(exit: AgentExit, finished: boolean): AgentEvent[];
  /** What the text on stderr means for a process that ended without a final event. */
  crashKind?(text: string): AgentErrorKind;
}

/** Of what was not JSON, this much of the end is kept to explain an ending without a result. */
const STRAY_CHARACTERS = 8_000;
const MESSAGE_CHARACTERS = 2_000;

export function jsonLines(dialect: Dialect): Translator {
  return new JsonLines(dialect);
}

class JsonLines implements Translator {
  readonly #dialect: Dialect;
  #stray = "";
  /** The part of it that came on stdout, the only place of events. */
  #strayOutput = "";
  #finished = false;
  #explained = false;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  line(line: string, stream: "stdout" | "stderr"): AgentEvent[] {
    if (line.trim() === "") return [];
    const events = stream === "stdout" ? eventsOf(line) : null;
    if (events !== null) return this.#read(events);
    this.#stray = `${this.#stray}${line}\n`.slice(-STRAY_CHARACTERS);
    if (stream === "stdout") this.#strayOutput = `${this.#strayOutput}${line}\n`.slice(-STRAY_CHARACTERS);
    return [unknownEvent(line)];
  }

  end(exit: AgentExit): AgentEvent[] {
    // One JSON value spread over several lines, as a person or a wrapper may print it.
    const spread = this.#finished ? [] : this.#read(eventsOf(this.#strayOutput) ?? []);
    const late = this.#note([...spread, ...(this.#dialect.flush?.() ?? []), ...(this.#dialect.ending?.(exit, this.#finished) ?? [])]);
    if (this.#finished || exit.kind === "stopped" || exit.kind === "cannotStart") return late;
    // Exit code 0 is no success by itself: without a final event nobody said that the work came to its end.
    const crash: AgentEvent[] = this.#explained ? [] : [this.#crash(exit)];
    return [...late, ...crash, { type: "finished", ok: false, text: null }];
  }

  #read(events: JsonObject[]): AgentEvent[] {
    return this.#note(events.flatMap((event) => this.#dialect.event(event) ?? [unknownEvent(JSON.stringify(event))]));
  }

  #note(events: AgentEvent[]): AgentEvent[] {
    for (const event of events) {
      if (event.type === "finished") this.#finished = true;
      if (event.type === "limit" || (event.type === "error" && event.fatal)) this.#explained = true;
    }
    return events;
  }

  #crash(exit: Extract<AgentExit, { kind: "exited" | "signalled" }>): AgentEvent {
    const stray = sanitize(this.#stray).trim();
    const how = exit.kind === "exited" ? `ended with code ${exit.code}` : `was killed by ${exit.signal}`;
    const kind = this.#dialect.crashKind?.(stray) ?? "crash";
    const message = `${this.#dialect.name} ${how} without a final event${stray === "" ? "" : `:\n${stray.slice(-MESSAGE_CHARACTERS)}`}`;
    return { type: "error", kind, fatal: true, message };
  }
}

/** Events, which have a `type`: one on its line, or an array of them; a log prefix before the object is tolerated. null: none of them. */
export function eventsOf(text: string): JsonObject[] | null {
  // Nearly every line is one whole event.
  const whole = text.startsWith("{") ? asObject(parseJson(text)) : null;
  if (typeof whole?.["type"] === "string") return [whole];
  if (!/[[{]/.test(text)) return null;
  const value = parseJson(text) ?? parseJson(text.slice(text.indexOf('{"')));
  const values = (Array.isArray(value) ? value : [value]).map(asObject).filter((entry) => entry !== null);
  const typed = values.filter((entry) => typeof entry["type"] === "string");
  return typed.length > 0 ? typed : null;
}
