/** What people far from the terminal are told, and what of it a run's events amount to. Pure. */
import type { JournalEvent } from "./journal-event.js";
import type { FinalStatus } from "./words.js";

/** Every final status, a long wait for a limit, and a parked task with its question. */
export const NOTICE_KINDS = ["done", "capped", "escalated", "failed", "stopped", "wait", "needs_person"] as const satisfies readonly (
  | FinalStatus
  | "wait"
  | "needs_person"
)[];
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const NOTIFY_FORMATS = ["slack", "discord", "ntfy", "json"] as const;

interface Told {
  on: readonly NoticeKind[];
}
/** `url` may hold `${NAME}` of the driver's environment, so that no secret has to stand in a file. */
export type NotifySpec =
  | (Told & { kind: "desktop" })
  | (Told & { kind: "webhook"; url: string; format: (typeof NOTIFY_FORMATS)[number] })
  | (Told & { kind: "command"; argv: string[] });

export const HOOK_NAMES = ["onStart", "onIterationStart", "onIterationEnd", "onStop"] as const;
export type HookName = (typeof HOOK_NAMES)[number];
export interface HookSpec {
  argv: string[];
  timeoutMs: number;
}

export interface Notice {
  kind: NoticeKind;
  title: string;
  text: string;
  run: string;
  iteration: number;
  /** ISO 8601. */
  at: string;
}

/** A chat shows the beginning of a message; the report has the rest. */
const MAX_TEXT = 1_500;

/** `waitMs`: shorter waits are nobody's business. Null for events that nobody is called for. */
export function noticeOf(event: JournalEvent, waitMs: number): Notice | null {
  const about = { run: event.run, iteration: event.iteration, at: event.at };
  switch (event.type) {
    case "run.stopped": {
      const proof = event.status === "done" ? (event.verified ? ", verified" : ", NOT verified") : "";
      return {
        kind: event.status,
        title: `ralphd: ${event.status} (${event.reason}${proof})`,
        text: bounded([event.summary, ...event.evidence].join("\n")),
        ...about,
      };
    }
    case "wait.started": {
      const ms = event.untilMs - Date.parse(event.at);
      if (ms <= waitMs) return null;
      const until = new Date(event.untilMs).toISOString().slice(0, 16).replace("T", " ");
      return { kind: "wait", title: "ralphd: waiting for a limit", text: bounded(`Until ${until} UTC: ${event.why}\n\`ralphd resume\` tries now.`), ...about };
    }
    case "task.parked":
      return { kind: "needs_person", title: "ralphd: a task needs a person", text: bounded(`${event.task}: ${event.question}`), ...about };
    default:
      return null;
  }
}

function bounded(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
