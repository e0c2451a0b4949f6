/**
 * What other ralphd processes ask of a running loop: one file a request, written whole, read in the order of sending, deleted once the journal has it.
 * A request names its sender. That keeps no one out who writes files as this user does (the sandbox does that); it
 * gives the journal someone to name, and shows an agent that asks by the ordinary way while its process still lives.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { misfitOf } from "../core/misfit.js";
import { noList } from "../core/no-list.js";
import { INBOX_DIR } from "../core/paths.js";
import type { ControlRequest } from "../driver/ports.js";
import { inspectSender, type Sender, senderSchema, senderText, thisSender } from "./sender.js";

const amount = v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)));

const someText = v.pipe(v.string(), v.nonEmpty());

const askSchema = v.variant("kind", [
  v.object({ kind: v.literal("stop"), now: v.boolean() }),
  v.object({ kind: v.literal("pause") }),
  v.object({ kind: v.literal("resume") }),
  v.object({ kind: v.literal("skip"), task: someText }),
  v.object({ kind: v.literal("note"), text: someText }),
  v.object({ kind: v.literal("budget"), add: noList(v.object({ iterations: amount, tokens: amount, costMicroUsd: amount, timeMs: amount })) }),
]);
/** A request without its sender, who is added when it is sent. */
export type Ask = v.InferOutput<typeof askSchema>;
/** Every ask becomes a request of the port by naming who asks. */
export type NamedAsk = Ask & { by: string };

const envelopeSchema = v.object({ from: senderSchema });

export interface Taken {
  /** `id`: of the request, for `forgetRequest`. */
  requests: (Extract<ControlRequest, NamedAsk> & { id: string })[];
  /** Requests from below an agent, in words. */
  refused: { id: string; why: string }[];
  /** Files that were no request; they stay beside the inbox with this new name. */
  invalid: { file: string; why: string }[];
}

const SUFFIX = ".json";
const INVALID_SUFFIX = ".invalid";
/** Distinguishes requests of one process within one millisecond. */
let sent = 0;

/** Returns the path of the request; it is gone once it is in the loop's journal. */
export function sendRequest(truthDir: string, ask: Ask, from: Sender = thisSender()): string {
  const inbox = join(truthDir, INBOX_DIR);
  mkdirSync(inbox, { recursive: true });
  const order = `${String(Date.now()).padStart(15, "0")}-${String(sent++).padStart(6, "0")}`;
  const name = `${order}-${process.pid}-${randomBytes(3).toString("hex")}`;
  const temporary = join(inbox, `.${name}.tmp`);
  writeFileSync(temporary, `${JSON.stringify({ ...ask, from })}\n`, { flag: "wx" });
  const path = join(inbox, `${name}${SUFFIX}`);
  renameSync(temporary, path);
  return path;
}

const TAKEN_POLL_MS = 50;

/** Whether the loop took the request within the time. It does not look while gates run, so that false is no failure. */
export async function waitUntilTaken(path: string, waitMs: number): Promise<boolean> {
  const until = performance.now() + waitMs;
  while (existsSync(path)) {
    if (performance.now() >= until) return false;
    await new Promise((resolve) => setTimeout(resolve, TAKEN_POLL_MS));
  }
  return true;
}

/** What waits. Requests come again until they are forgotten; what is none is set aside. */
export function readRequests(truthDir: string): Taken {
  const inbox = join(truthDir, INBOX_DIR);
  const taken: Taken = { requests: [], refused: [], invalid: [] };
  for (const name of waiting(inbox)) {
    const file = join(inbox, name);
    const read = readRequest(file);
    if (read.kind === "request") {
      admit(name.slice(0, -SUFFIX.length), read, taken);
    } else if (read.kind === "invalid") {
      renameSync(file, `${file}${INVALID_SUFFIX}`);
      taken.invalid.push({ file: `${name}${INVALID_SUFFIX}`, why: read.why });
    }
  }
  return taken;
}

/** Its file goes; nothing happens when it is gone already. */
export function forgetRequest(truthDir: string, id: string): void {
  rmSync(join(truthDir, INBOX_DIR, `${id}${SUFFIX}`), { force: true });
}

function admit(id: string, { ask, from }: Extract<Read, { kind: "request" }>, taken: Taken): void {
  const seen = inspectSender(from);
  if (seen.kind === "agent") {
    taken.refused.push({ id, why: `a request to ${ask.kind} was refused: it came from below an agent (${senderText(from)}; ${seen.why})` });
    return;
  }
  if (seen.kind === "gone" && ask.kind === "budget") {
    // What cannot be looked at any more may as well be the agent's own file, and a limit is raised by people alone.
    taken.refused.push({
      id,
      why: `a request to raise limits was refused: its sender (${senderText(from)}) had ended before it could be looked at; if that was you, run \`ralphd budget\` again and leave it until it is taken`,
    });
    return;
  }
  const by = `${senderText(from)}${seen.kind === "gone" ? ", which had ended before it could be looked at" : ""}`;
  taken.requests.push({ ...ask, by, id });
}

function waiting(inbox: string): string[] {
  try {
    return readdirSync(inbox)
      .filter((name) => name.endsWith(SUFFIX))
      .sort();
  } catch {
    // Nobody has asked for anything yet.
    return [];
  }
}

type Read = { kind: "request"; ask: Ask; from: Sender } | { kind: "invalid"; why: string } | { kind: "gone" };

function readRequest(file: string): Read {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    return code === "ENOENT" ? { kind: "gone" } : { kind: "invalid", why: code };
  }
  try {
    const value: unknown = JSON.parse(text);
    const misfit = misfitOf(askSchema, value);
    if (misfit !== null) return { kind: "invalid", why: misfit };
    if (!v.is(envelopeSchema, value)) return { kind: "invalid", why: "it names no sender" };
    const { from, ...ask } = value;
    return { kind: "request", ask: ask as Ask, from };
  } catch {
    // JSON.parse only throws for text that is no JSON.
    return { kind: "invalid", why: "not JSON" };
  }
}
