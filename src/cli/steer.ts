/** `ralphd pause`, `resume`, `skip` and `note`: a person's hand on a running loop. */
import { findTask } from "../core/plan/find-task.js";
import { readPlanTasks } from "../report/plan-tasks.js";
import { moment } from "../report/format.js";
import { oneLine } from "../report/markdown-text.js";
import { type Asked, askLoop, type ControlOptions, type Request } from "./ask-loop.js";
import { frozenSections } from "./frozen-sections.js";

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

export function runSkip(options: ControlOptions & { task: string }): Promise<number> {
  return askLoop(options, (asked) => skipRequest(asked, options));
}

function skipRequest({ run, state }: Asked, { root, truthDir, task: wanted }: ControlOptions & { task: string }): Request {
  const parked = new Set(Object.keys(state?.parked ?? {}));
  const tasks = readPlanTasks({ root, path: state?.started.plan ?? null, sections: frozenSections(truthDir), parked });
  if (tasks === null) return { kind: "cannot", why: `run ${run} has no plan whose tasks could be read, so there is none to skip.` };
  const found = findTask(tasks, wanted);
  const list = (some: readonly (typeof tasks)[number][]): string => some.map((task) => `\n  ${tasks.indexOf(task) + 1}. ${oneLine(task.text, 100)}`).join("");
  if (found.kind === "none")
    return { kind: "cannot", why: `no task is "${wanted}". Open tasks by their number in the plan:${list(tasks.filter((task) => task.state === "open"))}` };
  if (found.kind === "several") return { kind: "cannot", why: `"${wanted}" fits several tasks; name one by its number:${list(found.tasks)}` };
  const { id, text, state: now } = found.task;
  if (now !== "open") return { kind: "cannot", why: `"${oneLine(text, 100)}" is ${now}, not open; there is nothing to skip.` };
  const running = state?.open?.task === id ? ` Iteration ${state.open.number} is at work on it and is finished first; \`ralphd stop --now\` would end it.` : "";
  return {
    kind: "ask",
    ask: { kind: "skip", task: id },
    says: `Run ${run} leaves "${oneLine(text, 100)}" parked and goes on with the next task.${running} It counts as blocked in the report.`,
    json: { skip: id },
  };
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
