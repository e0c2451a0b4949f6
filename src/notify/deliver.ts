/** Brings one notice to one receiver within ten seconds; what goes wrong is a sentence without the address, which may be a secret. */
import { partToken } from "../agents/process/process-table.js";
import { runCommand } from "../agents/process/run-command.js";
import type { Notice, NotifySpec } from "../core/notice.js";
import { messageFor } from "./bodies.js";

export interface Carrier {
  /** The driver's own, for `${NAME}` in addresses. */
  env: NodeJS.ProcessEnv;
  /** What commands get. */
  commandEnv: Record<string, string>;
  cwd: string;
  token: string;
  signal: AbortSignal;
}

const DELIVERY_MS = 10_000;
const KILL_GRACE_MS = 500;

/** null when it arrived. Never rejects. */
export function deliver(spec: NotifySpec, notice: Notice, carrier: Carrier): Promise<string | null> {
  switch (spec.kind) {
    case "webhook":
      return post(spec.url, messageFor(spec.format, notice), carrier);
    case "command":
      return command(spec.argv, JSON.stringify(notice), carrier);
    case "desktop":
      return command(desktopArgv(notice), null, carrier);
  }
}

export async function request(url: string, init: RequestInit, { env, signal }: Pick<Carrier, "env" | "signal">): Promise<string | null> {
  const filled = fillIn(url, env);
  if ("missing" in filled) return `${filled.missing} is not set`;
  if (!URL.canParse(filled.url)) return "its address is no URL";
  const { host } = new URL(filled.url);
  try {
    const response = await fetch(filled.url, { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(DELIVERY_MS)]) });
    await response.body?.cancel();
    return response.ok ? null : `${host} answered ${response.status}`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return `${host}: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`;
  }
}

async function post(url: string, message: { headers: Record<string, string>; body: string }, carrier: Carrier): Promise<string | null> {
  const problem = await request(url, { method: "POST", ...message }, carrier);
  return problem === null ? null : `the webhook could not be told: ${problem}`;
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

async function command(argv: string[], stdin: string | null, { commandEnv, cwd, signal, ...carrier }: Carrier): Promise<string | null> {
  const token = partToken(carrier.token, `notify-${started++}`);
  const { exit } = await runCommand({ argv, cwd, env: commandEnv, stdin, timeoutMs: DELIVERY_MS, outputPath: null, signal, token, killGraceMs: KILL_GRACE_MS });
  const name = argv[0] ?? "";
  switch (exit.kind) {
    case "exited":
      return exit.code === 0 ? null : `${name} exited ${exit.code}`;
    case "signalled":
      return `${name} was killed by ${exit.signal}`;
    case "timedOut":
      return `${name} took longer than ${DELIVERY_MS / 1_000} s`;
    case "aborted":
      return `${name} was not waited for any longer`;
    case "cannotStart":
      return `${name} could not be started: ${exit.message}`;
  }
}

/** Title and text are arguments and never part of a script. */
function desktopArgv({ title, text }: Notice): string[] {
  if (process.platform !== "darwin") return ["notify-send", "--app-name=ralphd", "--", title, text];
  const script = ["on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run"];
  return ["osascript", ...script.flatMap((line) => ["-e", line]), title, text];
}
