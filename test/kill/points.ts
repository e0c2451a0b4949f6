/** Where a disturbance strikes a running program: when an event is to be seen in its journal, or at a random moment. Nothing in the program knows of it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalEvent } from "../../src/core/journal-event.js";
import type { Ran, Running, Scratch } from "../acceptance/harness.js";

export type Point = JournalEvent["type"] | "moment";

export interface Place {
  at: Point;
  /** Of a random moment, from the start of the program. */
  delayMs: number;
}

const THOUSAND = process.env["KILLS"];
/** Longer than an undisturbed run takes, so that every phase is met. */
export const MAX_DELAY_MS = 2_000;
export const SEED = Number(process.env["KILL_SEED"] ?? "1");

/** `npm run test:kill` does a thousand of all kinds together; the suite a few of each. */
export function share(percent: number, inSuite: number): number {
  return THOUSAND === undefined ? inSuite : Math.ceil((Number(THOUSAND) * percent) / 100);
}

/** Of a long run: how far it is, so that one which is broken off has still said something. */
export function tell(line: string): void {
  if (THOUSAND !== undefined) process.stdout.write(`${line}\n`);
}

/** One start of the program with one disturbance in it; `met` says whether there was somebody to disturb. */
export async function disturbed(running: Running, strike: (ended: AbortSignal) => Promise<boolean>): Promise<{ met: boolean; ran: Ran }> {
  const ended = new AbortController();
  void running.ended.then(() => ended.abort());
  const met = await strike(ended.signal);
  return { met, ran: await running.ended };
}

/** Looks again and again; what it waits for may never come before the program ends. */
export async function seenSoon(there: () => boolean, ended: AbortSignal): Promise<void> {
  while (!ended.aborted && !there()) await new Promise((resolve) => setTimeout(resolve, 3));
}

/** Whether the program still ran when the point came. */
export async function reached(place: Scratch, { at, delayMs }: Place, ended: AbortSignal): Promise<boolean> {
  const untilMs = performance.now() + delayMs;
  const before = at === "moment" ? 0 : seen(place, at);
  await seenSoon(() => (at === "moment" ? performance.now() >= untilMs : seen(place, at) !== before), ended);
  return !ended.aborted;
}

/** Read from outside, without asking git or the program. */
function seen(place: Scratch, type: JournalEvent["type"]): number {
  const runs = join(place.root, ".git/ralphd/runs");
  const run = existsSync(runs) ? readdirSync(runs).sort().at(-1) : undefined;
  const journal = run === undefined ? "" : join(runs, run, "journal.jsonl");
  return existsSync(journal) ? readFileSync(journal, "utf8").split(`"type":"${type}"`).length - 1 : 0;
}
