/** `ralphd pause`, `resume` and `note`: a person's hand on a running loop. */
import { moment } from "../report/format.js";
import { oneLine } from "../report/markdown-text.js";
import { askLoop, type ControlOptions } from "./ask-loop.js";

export function runPause(options: ControlOptions): Promise<number> {
  return askLoop(options, ({ run, state }) => ({
    kind: "ask",
    ask: { kind: "pause" },
    says:
      state?.paused === true
        ? `Run ${run} is paused already. \`ralphd resume\` lets it go on.`
        : `Run ${run} pauses ${state?.open == null ? "before its next iteration" : `when iteration ${state.open.number} is over`}; time paused does not count. \`ralphd resume\` lets it go on.`,
    json: { pause: state?.open == null ? "now" : "after_iteration" },
  }));
}

export function runResume(options: ControlOptions): Promise<number> {
  return askLoop(options, ({ run, state }) => {
    const json = { resume: state?.paused === true ? "paused" : state?.waiting != null ? "waiting" : "running" };
    const ask = { kind: "resume" } as const;
    if (state?.paused === true) return { kind: "ask", ask, says: `Run ${run} goes on.`, json };
    if (state?.waiting != null) {
      return {
        kind: "ask",
        ask,
        says: `Run ${run} waited until ${moment(new Date(state.waiting.untilMs).toISOString())}: ${oneLine(state.waiting.why)}. It tries again now.`,
        json,
      };
    }
    const away = state === null ? undefined : Object.entries(state.resting)[0];
    if (away !== undefined) {
      const when = state?.open == null ? "now" : `after iteration ${state.open.number}`;
      return {
        kind: "ask",
        ask,
        says: `Run ${run} tries its first agent again ${when}; ${away[0]} rested: ${oneLine(away[1].why)}.`,
        json: { resume: "agent" },
      };
    }
    return { kind: "cannot", why: `run ${run} is neither paused nor waiting; it goes on by itself. \`ralphd status\` shows where it stands.` };
  });
}

export function runNote(options: ControlOptions & { text: string }): Promise<number> {
  const text = options.text.trim();
  return askLoop(options, ({ run, state }) => {
    if (text === "") return { kind: "cannot", why: "the note is empty; put its text in quotes." };
    const when = state?.open == null ? "The next iteration" : `The iteration after ${state.open.number}`;
    return {
      kind: "ask",
      ask: { kind: "note", text },
      says: `${when} of run ${run} is shown the note and asked to answer it in .ralph/progress.md. An unanswered note is shown once more.`,
      json: { note: text },
    };
  });
}
