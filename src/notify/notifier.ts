/** Tells people what matters while the run goes on: fired and forgotten, bounded, never in its way. */
import { type Notice, noticeOf, type NotifySpec } from "../core/notice.js";
import type { JournalEvent } from "../core/journal-event.js";
import { type Carrier, deliver, type Delivery } from "./deliver.js";
import { problemOf, tellOnce } from "./told.js";

export interface NotifierOptions {
  specs: readonly NotifySpec[];
  /** Shorter waits are not told. */
  waitMs: number;
  redact(text: string): string;
  carrier: Omit<Carrier, "signal">;
  /** Where it is recorded who was told what; null: nowhere. */
  store: string | null;
  /** Wall clock, epoch ms. */
  nowMs?(): number;
}

export interface Notifier {
  journal(event: JournalEvent): void;
  /** For an ending that no journal could hold; once the run's end was told this does nothing. */
  ended(notice: Notice): void;
  /** What could not be told since the last call, each problem once. */
  take(): string[];
  /** Waits for what is on its way, then gives up on it. */
  close(graceMs: number): Promise<void>;
}

/** More news than this in ten minutes is noise; the end of a run is always told. */
const MAX_IN_WINDOW = 6;
const WINDOW_MS = 600_000;

export function createNotifier({ specs, waitMs, redact, carrier, store, nowMs = Date.now }: NotifierOptions): Notifier {
  const abort = new AbortController();
  const pending = new Set<Promise<void>>();
  const problems: string[] = [];
  const named = new Set<string>();
  let sentAt: number[] = [];
  let told = false;

  const problem = (text: string): void => {
    if (named.has(text)) return;
    named.add(text);
    problems.push(`notification: ${redact(text)}`);
  };
  const send = (notice: Notice): void => {
    const clean: Notice = { ...notice, title: redact(notice.title), text: redact(notice.text) };
    for (const spec of specs.filter((one) => one.on.includes(notice.kind))) {
      const bring = (): Promise<Delivery> => deliver(spec, clean, { ...carrier, signal: abort.signal });
      const delivery = (store === null ? bring().then(problemOf) : tellOnce(store, { spec, notice: clean }, bring)).then((why) => {
        if (why !== null) problem(why);
      });
      const done: Promise<void> = delivery.finally(() => pending.delete(done));
      pending.add(done);
    }
  };
  const bounded = (notice: Notice): void => {
    sentAt = sentAt.filter((at) => nowMs() - at < WINDOW_MS);
    if (sentAt.length >= MAX_IN_WINDOW) return problem(`more than ${MAX_IN_WINDOW} in ten minutes; the rest is only in the journal`);
    sentAt.push(nowMs());
    send(notice);
  };
  return {
    journal(event) {
      const notice = noticeOf(event, waitMs);
      if (notice === null) return;
      if (event.type !== "run.stopped") return bounded(notice);
      told = true;
      send(notice);
    },
    ended(notice) {
      if (told) return;
      told = true;
      send(notice);
    },
    take: () => problems.splice(0),
    async close(graceMs) {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([Promise.all(pending), patience]);
      clearTimeout(timer);
      abort.abort();
      // What was cut off says so; that takes no longer than ending a command.
      await Promise.all(pending);
    },
  };
}
