/** Brings one notice to one receiver within ten seconds; what goes wrong is a sentence without the address, which may be a secret. */
import { partToken } from "../agents/process/process-table.js";
import { runCommand } from "../agents/process/run-command.js";
import type { Notice, NotifySpec } from "../core/notice.js";
import { messageFor } from "./bodies.js";
import { ownOrNamed } from "../own-program.js";

export interface Carrier {
  /** The driver's own, for `${NAME}` in addresses. */
  env: NodeJS.ProcessEnv;
  /** What commands get. */
  commandEnv: Record<string, string>;
  cwd: string;
  token: string;
  signal: AbortSignal;
}

export type Delivery =
  | { kind: "arrived" }
  /** Nobody was told: there is no receiver, or it says so itself. */
  | { kind: "refused"; why: string }
  | { kind: "unknown"; why: string };

/** Of a connection that never stood. */
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

const DELIVERY_MS = 10_000;
const KILL_GRACE_MS = 500;

/** Never rejects. */
export function deliver(spec: NotifySpec, notice: Notice, carrier: Carrier): Promise<Delivery> {
  switch (spec.kind) {
    case "webhook":
      return post(spec.url, messageFor(spec.format, notice), carrier);
    case "command":
      return command(spec.argv, JSON.stringify(notice), carrier);
    case "desktop":
      return command(desktopArgv(notice), null, carrier);
  }
}

export async function request(url: string, init: RequestInit, { env, signal }: Pick<Carrier, "env" | "signal">): Promise<Delivery> {
  const filled = fillIn(url, env);
  if ("missing" in filled) return { kind: "refused", why: `${filled.missing} is not set` };
  if (!URL.canParse(filled.url)) return { kind: "refused", why: "its address is no URL" };
  const { host } = new URL(filled.url);
  try {
    const response = await fetch(filled.url, { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(DELIVERY_MS)]) });
    await response.body?.cancel();
    return response.ok ? { kind: "arrived" } : { kind: "refused", why: `${host} answered ${response.status}` };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const never = cause instanceof Error && "code" in cause && NEVER_SENT.has(String(cause.code));
    return { kind: never ? "refused" : "unknown", why: `${host}: ${cause instanceof Error ? cause.message || cause.name : String(cause)}` };
  }
}

async function post(url: string, message: { headers: Record<string, string>; body: string }, carrier: Carrier): Promise<Delivery> {
  const delivery = await request(url, { method: "POST", ...message }, carrier);
  return delivery.kind === "arrived" ? delivery : { ...delivery, why: `the webhook could not be told: ${delivery.why}` };
}

function fillIn(url: string, env: NodeJS.ProcessEnv): { url: string } | { missing: string } {
  let missing: string | null = null;
  const filled = url.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = env[name] ?? "";
    if (value === "") missing ??= name;
    return value;
  });
  return missing === null ? { url: filled } : { missing };
}

/** Distinguishes commands of one run: each is swept by its own token, or one that ends would end the others. */
let started = 0;

async function command(argv: string[], stdin: string | null, { commandEnv, cwd, signal, ...carrier }: Carrier): Promise<Delivery> {
  const token = partToken(carrier.token, `notify-${started++}`);
  const [name = "", ...args] = argv;
  const { exit } = await runCommand({
    argv: [ownOrNamed(name), ...args],
    cwd,
    env: commandEnv,
    stdin,
    timeoutMs: DELIVERY_MS,
    outputPath: null,
    signal,
    token,
    killGraceMs: KILL_GRACE_MS,
  });
  switch (exit.kind) {
    case "exited":
      return exit.code === 0 ? { kind: "arrived" } : { kind: "refused", why: `${name} exited ${exit.code}` };
    case "signalled":
      return { kind: "unknown", why: `${name} was killed by ${exit.signal}` };
    case "timedOut":
      return { kind: "unknown", why: `${name} took longer than ${DELIVERY_MS / 1_000} s` };
    case "aborted":
      return { kind: "unknown", why: `${name} was not waited for any longer` };
    case "cannotStart":
      return { kind: "refused", why: `${name} could not be started: ${exit.message}` };
  }
}

/** Title and text are arguments and never part of a script. */
function desktopArgv({ title, text }: Notice): string[] {
  if (process.platform !== "darwin") return ["notify-send", "--app-name=ralphd", "--", title, text];
  const script = ["on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run"];
  return ["osascript", ...script.flatMap((line) => ["-e", line]), title, text];
}
