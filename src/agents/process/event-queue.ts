/** Events between the reader of a process and the driver, in order, with a high-water mark. */
import type { AgentEvent } from "../../core/agent-event.js";

/** More waiting events than this make the agent wait. */
const HIGH_WATER = 1_000;

export interface EventQueue {
  push(events: AgentEvent[]): void;
  close(): void;
  /** null once closed and empty. */
  next(): Promise<AgentEvent | null>;
}

export function createEventQueue(hold: (on: boolean) => void): EventQueue {
  let waiting: AgentEvent[] = [];
  let read = 0;
  let closed = false;
  let held = false;
  let readers: ((event: AgentEvent | null) => void)[] = [];

  const take = (): AgentEvent | null => {
    const event = waiting[read] ?? null;
    read += 1;
    if (read >= waiting.length) {
      waiting = [];
      read = 0;
    }
    return event;
  };
  const level = (): void => {
    const left = waiting.length - read;
    if (!held && left > HIGH_WATER) hold((held = true));
    if (held && left < HIGH_WATER / 2) hold((held = false));
  };

  return {
    push(events) {
      for (const event of events) {
        const reader = readers.shift();
        if (reader === undefined) waiting.push(event);
        else reader(event);
      }
      level();
    },
    close() {
      closed = true;
      for (const reader of readers) reader(null);
      readers = [];
    },
    next() {
      if (read < waiting.length) {
        const event = take();
        level();
        return Promise.resolve(event);
      }
      if (closed) return Promise.resolve(null);
      return new Promise((resolve) => readers.push(resolve));
    },
  };
}
