/** How a run is shown while it goes on: a live block, plain lines, events as JSON, or nothing. */
import type { RunState } from "../../core/run-state.js";
import type { Settings } from "../../core/settings.js";
import type { Observer } from "../../driver/ports.js";
import { complain, print, wantsColour } from "../terminal.js";
import type { AgentNow } from "./agent-now.js";
import { createPlainScreen } from "./plain.js";

/** A run as it is known once it is open. */
export interface WatchedRun {
  /** Read whenever something is drawn. */
  state(): RunState;
  settings: Settings;
}

export interface Screen {
  observer: Observer;
  opened(run: WatchedRun): void;
  /** What the agent does, for a watcher who reads it from a recording instead of being told event by event. */
  agentIs(now: AgentNow): void;
  /** One line of the program itself. */
  say(line: string): void;
  /** An answer to a person at this terminal; a live screen keeps it in view. */
  notice(line: string): void;
  /** Leaves the terminal as it was found. Safe to call twice. */
  close(): void;
}

export interface ScreenChoice {
  json: boolean;
  quiet: boolean;
  env: NodeJS.ProcessEnv;
}

const SILENT: Observer = { journal: () => undefined, agent: () => undefined };

/** The live block comes with what measures characters, so that only a terminal loads it. */
export async function openScreen({ json, quiet, env }: ScreenChoice): Promise<Screen> {
  const still = { opened: () => undefined, agentIs: () => undefined, say: complain, notice: complain, close: () => undefined };
  if (json) return { ...still, observer: jsonObserver(print) };
  if (quiet) return { ...still, observer: SILENT };
  const colour = wantsColour(process.stderr, env);
  if (isInteractive(process.stderr, env)) return (await import("./live.js")).createLiveScreen({ stream: process.stderr, colour });
  return createPlainScreen({ write: complain, colour });
}

/** Redrawing needs a terminal that obeys; logs of CI systems keep every byte. */
export function isInteractive(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && (env["CI"] ?? "") === "" && env["TERM"] !== "dumb";
}

/** One event a line: the journal's, and `agent.*` for what the agent does. */
function jsonObserver(write: (line: string) => void): Observer {
  let run: string | null = null;
  return {
    journal: (event) => {
      run = event.run;
      write(JSON.stringify(event));
    },
    agent: (iteration, event) => write(JSON.stringify({ ...event, type: `agent.${event.type}`, at: new Date().toISOString(), run, iteration })),
  };
}
