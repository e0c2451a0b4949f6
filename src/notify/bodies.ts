/** A notice in the words of each receiver. */
import type { Notice, NoticeKind, NotifySpec } from "../core/notice.js";

type Format = Extract<NotifySpec, { kind: "webhook" }>["format"];

export interface Message {
  headers: Record<string, string>;
  body: string;
}

/** Discord refuses longer ones. */
const MAX_DISCORD = 2_000;
/** ntfy's scale from 1 to 5; 3 makes a sound. */
const PRIORITY: Readonly<Record<NoticeKind, string>> = { done: "3", capped: "3", escalated: "4", failed: "5", stopped: "2", wait: "2", needs_person: "4" };

export function messageFor(format: Format, notice: Notice): Message {
  const text = `${notice.title}\n${notice.text}`;
  const json = (value: unknown): Message => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(value) });
  switch (format) {
    case "slack":
      return json({ text: slackText(text) });
    case "discord":
      // What an agent wrote must not call everyone.
      return json({ content: text.slice(0, MAX_DISCORD), allowed_mentions: { parse: [] } });
    case "ntfy":
      return {
        headers: { "content-type": "text/plain; charset=utf-8", title: ascii(notice.title), priority: PRIORITY[notice.kind], tags: `ralphd,${notice.kind}` },
        body: notice.text,
      };
    case "json":
      return json(notice);
  }
}

/** Slack reads these three as markup, `<!channel>` among it. */
function slackText(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** Header values hold no line breaks and nothing beyond ASCII. */
function ascii(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, "?");
}
