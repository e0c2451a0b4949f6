/** Events between the reader of a process and the driver, in order, with a high-water mark. */
import type { AgentEvent } from "../../core/agent-event.js";

/** More waiting events than this, or events of more output, make the agent wait. */
const HIGH_WATER = { events: 1_000, bytes: 16 * 1024 * 1024 };

export interface EventQueue {
  /** `bytes`: the output that they were made of, a measure of what they hold in memory. */
  push(events: AgentEvent[], bytes: number): void;
  close(): void;
  /** null once closed and empty. */
  next(): Promise<AgentEvent | null>;
}

export function createEventQueue(hold: (on: boolean) => void): EventQueue {
  let waiting: { event: AgentEvent; bytes: number }[] = [];
  let bytesWaiting = 0;
  let read = 0;
  let closed = false;
  let held = false;
  let readers: ((event: AgentEvent | null) => void)[] = [];

  const take = (): AgentEvent | null => {
    const entry = waiting[read];
    bytesWaiting -= entry?.bytes ?? 0;
    read += 1;
    if (read >= waiting.length) {
      waiting = [];
      read = 0;
    }
    return entry?.event ?? null;
  };
  const level = (): void => {
    const fill = Math.max((waiting.length - read) / HIGH_WATER.events, bytesWaiting / HIGH_WATER.bytes);
    if (!held && fill > 1) hold((held = true));
    if (held && fill < 0.5) hold((held = false));
  };

  return {
    push(events, bytes) {
      for (const event of events) {
        const reader = readers.shift();
        const share = bytes / events.length;
        if (reader !== undefined) {
          reader(event);
          continue;
        }
        waiting.push({ event, bytes: share });
        bytesWaiting += share;
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
