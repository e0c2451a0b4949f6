/** Who sends a request to a running loop: said by the sender, and looked at by the receiver while the sender lives. */
import { readlinkSync } from "node:fs";
import { userInfo } from "node:os";
import * as v from "valibot";
import { markedAncestor } from "./ancestry.js";
import { processStart } from "./process-identity.js";

export const senderSchema = v.object({
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** Start time of the process, in the system's own unit. */
  start: v.nullable(v.string()),
  user: v.pipe(v.string(), v.nonEmpty()),
  /** `/dev/pts/3`; null without a terminal. */
  tty: v.nullable(v.string()),
  /** ISO 8601. */
  at: v.string(),
});
export type Sender = v.InferOutput<typeof senderSchema>;

export function thisSender(): Sender {
  return { pid: process.pid, start: processStart(process.pid), user: userName(), tty: terminal(), at: new Date().toISOString() };
}

/** `ann (/dev/pts/3, process 4711)`, as the journal names who asked. */
export function senderText({ user, tty, pid }: Sender): string {
  return `${user} (${tty ?? "no terminal"}, process ${pid})`;
}

/**
 * `agent`: the sender runs below an agent. `gone`: it has ended, so nothing can be said about it; a request is no less
 * a person's for that, since a command may be interrupted while it waits.
 */
export function inspectSender({ pid, start }: Sender): { kind: "person" } | { kind: "gone" } | { kind: "agent"; why: string } {
  if (start === null || processStart(pid) !== start) return { kind: "gone" };
  const above = markedAncestor(pid);
  return above === null ? { kind: "person" } : { kind: "agent", why: `process ${above.pid} carries ${above.mark}` };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry, as in containers: the request is still a person's.
    return "unknown user";
  }
}

function terminal(): string | null {
  const fd = [process.stdin, process.stderr, process.stdout].find((stream) => stream.isTTY)?.fd;
  if (fd === undefined) return null;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // No /proc: there is a terminal whose name can't be told.
    return "a terminal";
  }
}
