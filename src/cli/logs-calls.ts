/** `ralphd logs --tool`: the calls of one tool, iteration by iteration, from the recorded output of the agents. */
import type { JournalEvent } from "../core/journal-event.js";
import type { RunStore } from "../journal/run-store.js";
import type { ActivityLine } from "../report/activity.js";
import { oneLine } from "../report/markdown-text.js";
import { type Actions, actionText } from "./recorded-actions.js";

/** Secrets are taken out by whoever reads. */
export type ReadActions = (store: RunStore, iteration: number, agent: string) => Promise<Actions>;

interface Options {
  tool: string;
  read: ReadActions;
  store: RunStore;
  iteration: number | null;
  errors: boolean;
  json: boolean;
  out(line: string): void;
  err(line: string): void;
}

export interface CallsPrinter {
  see(event: JournalEvent): Promise<void>;
  /** Shows what an iteration that still goes on has recorded so far, and says which tools there are when none matched. */
  end(): Promise<void>;
}

export function printsCalls(options: Options): CallsPrinter {
  const { tool, read, store, iteration, errors, json, out, err } = options;
  const seen = new Map<string, number>();
  let open: { iteration: number; agent: string } | null = null;
  const show = async (which: { iteration: number; agent: string }): Promise<void> => {
    const { lines, problem } = await read(store, which.iteration, which.agent);
    if (problem !== null) err(`#${which.iteration} ${problem}`);
    for (const line of lines) {
      if (line.tool === null) continue;
      seen.set(line.tool, (seen.get(line.tool) ?? 0) + 1);
      if (!isCalled(line, tool) || (errors && line.ok !== false)) continue;
      out(json ? JSON.stringify({ run: store.run, ...line }) : `#${which.iteration} ${actionText(line)}`);
    }
  };
  return {
    see: async (event) => {
      if (iteration !== null && event.iteration !== iteration) return;
      if (event.type === "iteration.started") open = { iteration: event.iteration, agent: event.agent ?? "" };
      if (event.type !== "agent.ended" || open === null) return;
      const ended = open;
      open = null;
      await show(ended);
    },
    end: async () => {
      if (open !== null) await show(open);
      if ([...seen.keys()].some((name) => isCalled({ tool: name }, tool))) return;
      const called = [...seen].map(([name, times]) => `${oneLine(name, 40)} (${times})`).join(", ");
      err(`ralphd: no call of ${oneLine(tool, 40)} is on record; ${called === "" ? "nothing was called" : `called were ${called}`}.`);
    },
  };
}

/** Agents differ in how they write the names of their tools: `Bash` and `bash` are one to a person. */
function isCalled(line: Pick<ActivityLine, "tool">, tool: string): boolean {
  return line.tool?.toLowerCase() === tool.trim().toLowerCase();
}
