/** Hands a person's request to the running loop, and says what comes of it. One path for every control. */
import { EXIT_CODES } from "../core/words.js";
import type { RunState } from "../core/run-state.js";
import { newestState } from "../report/newest-run.js";
import { type Ask, sendRequest, waitUntilTaken } from "../workspace/inbox.js";
import { readLock } from "../workspace/lock-state.js";
import { agentAbove } from "./people-only.js";

/** Longer than the loop's rhythm in an iteration, a pause or a wait; while gates run it does not look at all. */
const TAKEN_WAIT_MS = 2_500;

/** Longer than any gate that people wait for. */
const BUDGET_WAIT_MS = 60 * 60_000;

export interface ControlOptions {
  root: string;
  truthDir: string;
  json: boolean;
  env: NodeJS.ProcessEnv;
  /** How long to wait for the loop to take the request. */
  waitMs?: number;
  out(line: string): void;
  err(line: string): void;
}

/** Where the run stands when somebody asks; `state` is null before its first event. */
export interface Asked {
  run: string;
  state: RunState | null;
}

export type Request =
  /** `says` is what happens next; `json` goes into the object of `--json`. */
  | { kind: "ask"; ask: Ask; says: string; json: Record<string, unknown> }
  /** Nothing was asked: why, and what to do. */
  | { kind: "cannot"; why: string };

/** Returns the exit code: 0 asked, 1 nothing runs or it makes no sense now, 2 refused. `idle` says what to do when nothing runs. */
export async function askLoop(options: ControlOptions, make: (asked: Asked) => Request, idle?: (state: RunState | null) => string | null): Promise<number> {
  const { truthDir, json, env, out, err, waitMs = TAKEN_WAIT_MS } = options;
  const above = agentAbove(env);
  if (above !== null) {
    err(`ralphd: ${above}`);
    return EXIT_CODES.refused;
  }
  const lock = readLock(truthDir);
  const state = newestState(truthDir);
  if (lock.kind !== "held") {
    const over = lock.kind === "stale" ? ` The last one is over: ${lock.why}.` : "";
    err(`ralphd: no run is going on in this working tree.${over} ${idle?.(state) ?? "`ralphd run` starts one, or continues what was interrupted."}`);
    return EXIT_CODES.failed;
  }
  const run = state?.run ?? lock.owner.run;
  const request = make({ run, state });
  if (request.kind === "cannot") {
    err(`ralphd: ${request.why}`);
    return EXIT_CODES.failed;
  }
  const path = sendRequest(truthDir, request.ask);
  let taken = await waitUntilTaken(path, waitMs);
  if (!taken && waitMs > 0 && request.ask.kind === "budget") {
    // The loop believes a raise only while it can look at who asks.
    err("Waiting until the running gates are over; a raise counts only while its sender lives.");
    taken = await waitUntilTaken(path, BUDGET_WAIT_MS);
  }
  if (json) out(JSON.stringify({ run, pid: lock.owner.pid, ...request.json, taken }));
  else out(request.says);
  if (!taken && !json && waitMs > 0) err("It is not taken in yet: the loop hears it when the running gates are over.");
  return 0;
}
