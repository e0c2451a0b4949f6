/** `ralphd stop`: asks the running loop to end; for people only. */
import { userInfo } from "node:os";
import { EXIT_CODES } from "../core/words.js";
import { statusOf } from "../report/status.js";
import { sendRequest } from "../workspace/inbox.js";
import { readLock } from "../workspace/lock.js";
import { agentAbove } from "./people-only.js";

export interface StopOptions {
  root: string;
  truthDir: string;
  /** End the running agent at once instead of after its iteration. */
  now: boolean;
  json: boolean;
  env: NodeJS.ProcessEnv;
  out(line: string): void;
  err(line: string): void;
}

/** Returns the exit code: 0 asked, 1 nothing runs, 2 refused. */
export function runStop({ root, truthDir, now, json, env, out, err }: StopOptions): number {
  const above = agentAbove(env);
  if (above !== null) {
    err(`ralphd: ${above}`);
    return EXIT_CODES.refused;
  }
  const lock = readLock(truthDir);
  if (lock.kind !== "held") {
    err(`ralphd: no run is going on in this working tree.${lock.kind === "stale" ? ` The last one is over: ${lock.why}.` : ""}`);
    return EXIT_CODES.failed;
  }
  sendRequest(truthDir, { kind: "stop", now, by: userName() });
  const reading = statusOf({ root, truthDir });
  const run = reading.kind === "status" ? (reading.status.run ?? lock.owner.run) : reading.run;
  if (json) out(JSON.stringify({ run, pid: lock.owner.pid, stop: now ? "now" : "after_iteration" }));
  else out(`${now ? `Run ${run} ends its agent now and keeps what was done.` : `Run ${run} stops after its iteration.`} \`ralphd logs -f\` shows it; \`ralphd run\` continues it later.`);
  return 0;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry, as in containers: the request is still a person's.
    return "unknown user";
  }
}
