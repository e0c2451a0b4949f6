/** The screen of a person: lines worth keeping scroll by, and below them the live block is redrawn when something changed. */
import { createColors } from "picocolors";
import type { JournalEvent } from "../../core/journal-event.js";
import { formatEvent } from "../format-event.js";
import { localTime, taskText, type Wording } from "../wording.js";
import { type AgentNow, newAgent, seeAgent } from "./agent-now.js";
import { blockLines } from "./block.js";
import { wrap } from "./fit.js";
import { allowedIterations } from "./plain.js";
import type { Screen, WatchedRun } from "./screen.js";
import { openTerminal, type TerminalStream } from "./terminal-writer.js";

/** Seconds are shown, so that the block changes this often by itself. */
const TICK_MS = 1_000;

export function createLiveScreen({ stream, colour }: { stream: TerminalStream; colour: boolean }): Screen {
  const palette = createColors(colour);
  let run: WatchedRun | null = null;
  let agent: AgentNow | null = null;
  let notice: string | null = null;
  const terminal = openTerminal(stream, (size) => {
    if (run === null) return notice === null ? [] : wrap(palette.yellow(notice), Math.max(1, size.columns - 1));
    const view = { state: run.state(), settings: run.settings, agent, nowMs: Date.now(), notice, clock: localTime };
    return blockLines(view, size, palette);
  });
  const ticking = setInterval(terminal.changed, TICK_MS);
  ticking.unref();
  const wording: Wording = {
    task: (id) => (run === null ? id : taskText(run.state().tasks, id)),
    iterations: () => (run === null ? null : allowedIterations(run)),
    clock: (iso) => localTime(Date.parse(iso)),
  };
  const say = (line: string): void => terminal.keep(`${palette.dim(localTime(Date.now()))} ${line}`);
  return {
    observer: {
      journal: (event) => {
        if (event.type === "iteration.started") agent = newAgent(event.iteration);
        const line = isWorthKeeping(event) ? formatEvent(event, palette, wording) : null;
        if (line !== null) terminal.keep(line);
        else terminal.changed();
      },
      agent: (iteration, event) => {
        agent = seeAgent(agent?.iteration === iteration ? agent : newAgent(iteration), event, Date.now());
        terminal.changed();
      },
    },
    opened: (opened) => {
      run = opened;
      terminal.changed();
    },
    agentIs: (now) => {
      agent = now;
      terminal.changed();
    },
    say,
    notice: (line) => {
      notice = line;
      say(line);
    },
    close: () => {
      clearInterval(ticking);
      terminal.close();
    },
  };
}

/** The end is said by the outcome below, and an agent that ended as expected by the end of its iteration. */
export function isWorthKeeping(event: JournalEvent): boolean {
  if (event.type === "run.stopped") return false;
  if (event.type !== "agent.ended") return true;
  return event.ending.error !== null || event.ending.limit !== null || event.ending.exit.kind !== "exited" || event.ending.exit.code !== 0;
}
