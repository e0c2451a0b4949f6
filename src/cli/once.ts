/** `ralphd once KEY -- CMD`: a write at most once per key and window. Meant for agents as well as for people. */
import { userInfo } from "node:os";
import { parsePositiveDuration } from "../config/values.js";
import { EXIT_CODES } from "../core/words.js";
import { derivedKey, type KeyReading, literalKey } from "../once/key.js";
import { NOT_RUN, resolveOnce, runOnce } from "../once/once.js";
import { allStores, onceStore, UnreadableRepository } from "../once/store.js";
import { agentAbove } from "./people-only.js";
import { complain, print } from "./terminal.js";

export interface OnceOptions {
  window?: string;
  ordinal?: string;
  from?: string[];
  resolve?: string;
}

export async function once(key: string | null, options: OnceOptions, argv: string[]): Promise<number> {
  const ordinal = Number(options.ordinal ?? "1");
  const window = parsePositiveDuration(options.window ?? "24h");
  if (!Number.isSafeInteger(ordinal) || ordinal < 1) return refuse(`--ordinal wants a number from 1, not ${options.ordinal}`);
  if (window.kind === "bad") return refuse(`--window: ${window.message}`);
  if (options.resolve !== undefined) return settle({ key: options.resolve, ordinal, decision: key });
  const reading = keyOf(key, options.from ?? []);
  if (reading.kind === "refused") return refuse(reading.message);
  if (argv.length === 0) return refuse("what is to be run stands after --, such as: ralphd once notify-release-1.2 -- ./notify.sh 1.2");
  return recorded(async () => {
    const store = await onceStore(process.cwd(), process.env);
    return runOnce({ store, key: reading.key, ordinal, windowMs: window.value, argv, cwd: process.cwd(), nowMs: Date.now, err: complain });
  });
}

function keyOf(key: string | null, from: string[]): KeyReading {
  if (from.length > 0) return key === null ? derivedKey(from, Date.now()) : { kind: "refused", message: "give a key, or the inputs with --from, not both" };
  return key === null ? { kind: "refused", message: "a key is missing, or inputs with --from" } : literalKey(key, Date.now());
}

async function settle(request: { key: string; ordinal: number; decision: string | null }): Promise<number> {
  const { decision, key } = request;
  const above = agentAbove(process.env);
  if (above !== null) return refuse(`${above} Whether a write happened is for a person to find out; say it in your last message with BLOCKED.`);
  if (decision !== "done" && decision !== "retry") return refuse("--resolve KEY wants `done` (it happened) or `retry` (it did not)");
  return recorded(async () => {
    let found = false;
    for (const store of await allStores(process.cwd(), process.env))
      found ||= await resolveOnce({ ...request, store, decision, by: userName(), err: complain, nowMs: Date.now });
    if (!found) {
      complain(`ralphd once: ${key} has no open question here; nothing was changed.`);
      return EXIT_CODES.failed;
    }
    print(decision === "done" ? `${key} counts as done; further calls run nothing.` : `${key} is free again; the next call runs it.`);
    return 0;
  });
}

/** A write that can not be recorded is not made. */
async function recorded(action: () => Promise<number>): Promise<number> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof UnreadableRepository) {
      complain(`ralphd once: the records of this repository can't be found, so nothing was run. ${error.message}`);
      return NOT_RUN;
    }
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    if (!(cause instanceof Error) || !("code" in cause)) throw error;
    complain(
      `ralphd once: the record can't be written (${cause.message}). When the command had not started, nothing was run; else its next call asks what became of it.`,
    );
    return NOT_RUN;
  }
}

function refuse(message: string): number {
  complain(`ralphd once: ${message}.`);
  complain("Nothing was run.");
  return EXIT_CODES.refused;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry, as in containers.
    return "unknown user";
  }
}
