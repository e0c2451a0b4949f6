/** Lines with time stamps, for files, pipes and CI: nothing is ever redrawn. */
import { createColors } from "picocolors";
import { formatEvent } from "../format-event.js";
import { learningWording, utcTime } from "../wording.js";
import { actionText } from "./agent-now.js";
import type { Screen, WatchedRun } from "./screen.js";

/** Of what an agent does, this much tells a reader that it is alive. */
const MAX_ACTION = 100;

export function createPlainScreen({ write, colour }: { write: (line: string) => void; colour: boolean }): Screen {
  const palette = createColors(colour);
  let run: WatchedRun | null = null;
  const wording = learningWording(utcTime, () => (run === null ? null : allowedIterations(run)));
  const act = (iteration: number, action: string): void =>
    say(palette.dim(`#${iteration}   ${action.length > MAX_ACTION ? `${action.slice(0, MAX_ACTION - 1)}…` : action}`));
  let shown: string | null = null;
  const say = (line: string): void => write(`${palette.dim(utcTime(new Date().toISOString()))} ${line}`);
  return {
    observer: {
      journal: (event) => {
        wording.see(event);
        const line = formatEvent(event, palette, wording);
        if (line !== null) write(line);
      },
      agent: (iteration, event) => {
        const action = event.type === "started" ? null : actionText(event);
        if (action !== null) act(iteration, action);
      },
    },
    opened: (opened) => {
      run = opened;
      // A continued run has named its tasks long before.
      wording.learn(opened.state().tasks);
    },
    agentIs: ({ iteration, doing }) => {
      if (doing === null || doing.text === shown) return;
      shown = doing.text;
      act(iteration, doing.text);
    },
    say,
    notice: say,
    close: () => undefined,
  };
}

export function allowedIterations({ settings, state }: WatchedRun): number | null {
  return settings.limits.iterations === null ? null : settings.limits.iterations + state().granted.iterations;
}
