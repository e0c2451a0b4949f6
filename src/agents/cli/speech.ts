/** What an agent says: parts become whole messages, and the last message is its last word, in which alone a marker counts. */
import type { AgentEvent } from "../../core/agent-event.js";
import { sanitize } from "../process/sanitize.js";

export class Speech {
  #parts: string[] = [];
  #last: string | null = null;

  /** A part of the message that is coming in. */
  add(part: string): void {
    this.#parts.push(part);
  }

  /** The message is whole; no event for one without text. */
  flush(): AgentEvent[] {
    const text = sanitize(this.#parts.join(""));
    this.#parts = [];
    if (text === "") return [];
    this.#last = text;
    return [{ type: "text", text }];
  }

  /** A message that came in one piece, after what was still coming in. */
  say(text: string): AgentEvent[] {
    const before = this.flush();
    this.add(text);
    return [...before, ...this.flush()];
  }

  /** `otherwise`: the last word of an agent that said nothing before. */
  finished(ok: boolean, otherwise: string | null = null): AgentEvent {
    const text = this.#last ?? (otherwise === null ? null : sanitize(otherwise));
    return { type: "finished", ok, text: ok ? text : null };
  }
}
