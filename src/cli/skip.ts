/** `ralphd skip`: parks a task of the running loop. */
import { findTask } from "../core/plan/find-task.js";
import { oneLine } from "../report/markdown-text.js";
import { type Asked, askLoop, type ControlOptions, type Request } from "./ask-loop.js";
import { planNow } from "./plan-now.js";

export function runSkip(options: ControlOptions & { task: string }): Promise<number> {
  return askLoop(options, (asked) => skipRequest(asked, options));
}

function skipRequest({ run, state }: Asked, options: ControlOptions & { task: string }): Request {
  const plan = state?.started.plan ?? null;
  const tasks = plan === null ? null : planNow(options, plan, new Set(Object.keys(state?.parked ?? {})));
  if (tasks === null) return { kind: "cannot", why: `run ${run} has no plan whose tasks could be read, so there is none to skip.` };
  const found = findTask(tasks, options.task);
  const list = (some: readonly (typeof tasks)[number][]): string => some.map((task) => `\n  ${tasks.indexOf(task) + 1}. ${oneLine(task.text, 100)}`).join("");
  if (found.kind === "none")
    return {
      kind: "cannot",
      why: `no task is "${options.task}". Open tasks by their number in the plan:${list(tasks.filter((task) => task.state === "open"))}`,
    };
  if (found.kind === "several") return { kind: "cannot", why: `"${options.task}" fits several tasks; name one by its number:${list(found.tasks)}` };
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
