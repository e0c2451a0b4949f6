/** What other ralphd processes ask of a running loop: one file a request, written whole, taken in the order of sending. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { INBOX_DIR } from "../core/paths.js";
import type { ControlRequest } from "../driver/ports.js";

const by = z.string().min(1);
const amount = z.number().int().positive().exactOptional();

const requestSchema: z.ZodType<ControlRequest> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("stop"), now: z.boolean(), by }),
  z.object({ kind: z.literal("pause"), by }),
  z.object({ kind: z.literal("resume"), by }),
  z.object({ kind: z.literal("skip"), task: z.string().min(1), by }),
  z.object({ kind: z.literal("note"), text: z.string().min(1), by }),
  z.object({
    kind: z.literal("budget"),
    add: z.object({ iterations: amount, tokens: amount, costMicroUsd: amount, timeMs: amount }),
    by,
  }),
]);

export interface Taken {
  requests: ControlRequest[];
  /** Files that were no request; they stay beside the inbox with this new name. */
  invalid: { file: string; why: string }[];
}

const SUFFIX = ".json";
const INVALID_SUFFIX = ".invalid";
/** Distinguishes requests of one process within one millisecond. */
let sent = 0;

export function sendRequest(truthDir: string, request: ControlRequest): void {
  const inbox = join(truthDir, INBOX_DIR);
  mkdirSync(inbox, { recursive: true });
  const order = `${String(Date.now()).padStart(15, "0")}-${String(sent++).padStart(6, "0")}`;
  const name = `${order}-${process.pid}-${randomBytes(3).toString("hex")}`;
  const temporary = join(inbox, `.${name}.tmp`);
  writeFileSync(temporary, `${JSON.stringify(request)}\n`, { flag: "wx" });
  renameSync(temporary, join(inbox, `${name}${SUFFIX}`));
}

/** Takes what waits; each request is returned once. */
export function takeRequests(truthDir: string): Taken {
  const inbox = join(truthDir, INBOX_DIR);
  const taken: Taken = { requests: [], invalid: [] };
  for (const name of waiting(inbox)) {
    const file = join(inbox, name);
    const read = readRequest(file);
    if (read.kind === "request") {
      taken.requests.push(read.request);
      rmSync(file, { force: true });
    } else if (read.kind === "invalid") {
      renameSync(file, `${file}${INVALID_SUFFIX}`);
      taken.invalid.push({ file: `${name}${INVALID_SUFFIX}`, why: read.why });
    }
  }
  return taken;
}

function waiting(inbox: string): string[] {
  try {
    return readdirSync(inbox).filter((name) => name.endsWith(SUFFIX)).sort();
  } catch {
    // Nobody has asked for anything yet.
    return [];
  }
}

type Read = { kind: "request"; request: ControlRequest } | { kind: "invalid"; why: string } | { kind: "gone" };

function readRequest(file: string): Read {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    return code === "ENOENT" ? { kind: "gone" } : { kind: "invalid", why: code };
  }
  try {
    const parsed = requestSchema.safeParse(JSON.parse(text));
    return parsed.success ? { kind: "request", request: parsed.data } : { kind: "invalid", why: z.prettifyError(parsed.error) };
  } catch {
    // JSON.parse only throws for text that is no JSON.
    return { kind: "invalid", why: "not JSON" };
  }
}
