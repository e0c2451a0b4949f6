/** One journal event as one line for people, with or without colours; shared by `logs` and the live screen. */
import type { Colors } from "picocolors/types.js";
import type { AgentExit } from "../core/agent-event.js";
import type { JournalEvent } from "../core/journal-event.js";
import { countedTokens, type Usage } from "../core/usage.js";
import type { FinalStatus, IterationClass } from "../core/words.js";
import { count, duration, moment, money, plural, shortCommit } from "../report/format.js";
import { oneLine } from "../report/markdown-text.js";
import { leftoverWords, warningWords } from "../report/words.js";
import { IDS, ofAllowed, type Wording } from "./wording.js";

/** Null for events that only the machine needs. Free of control characters whatever the event says. */
export function formatEvent(event: JournalEvent, colours: Colors, wording: Wording = IDS): string | null {
  const text = describe(event, colours, wording);
  if (text === null) return null;
  const where = event.iteration === 0 ? "" : `#${event.iteration} `;
  return `${colours.dim(wording.clock(event.at))} ${colours.dim(where)}${text}`;
}

function describe(event: JournalEvent, colours: Colors, wording: Wording): string | null {
  switch (event.type) {
    case "run.started": {
      const goal = event.plan ?? `objective ${oneLine(event.objective ?? "", 80)}`;
      const gates =
        event.requiredGates.length === 0 ? colours.yellow("no required gate") : `gates ${event.requiredGates.map((name) => oneLine(name, 40)).join(", ")}`;
      return `${colours.bold(`run ${event.run}`)} on ${goal} with ${oneLine(event.agent, 40)}, ${plural(event.tasks.length, "task")}, ${gates}`;
    }
    case "run.resumed":
      return `run goes on in process ${event.pid}`;
    case "iteration.started":
      return colours.bold(iterationStart(event, wording));
    case "agent.ended":
      return agentEnding(event, colours);
    case "iteration.ended":
      return `ended: ${classColour(event.class, colours)}, ${plural(event.files, "file")}, ${usageText(event.usage)}, ${duration(event.activeMs)}`;
    case "commit.created":
      return `commit ${shortCommit(event.commit)}, ${plural(event.files, "file")}`;
    case "claims.taken":
    case "iteration.judged":
    case "gate.sideEffects":
    case "request.taken":
      return null;
    default:
      return describeFinding(event, colours, wording);
  }
}

type Finding = Exclude<
  JournalEvent,
  {
    type:
      | "run.started"
      | "run.resumed"
      | "iteration.started"
      | "agent.ended"
      | "iteration.ended"
      | "commit.created"
      | "claims.taken"
      | "iteration.judged"
      | "gate.sideEffects"
      | "request.taken";
  }
>;

function describeFinding(event: Finding, colours: Colors, wording: Wording): string {
  const task = (id: string): string => oneLine(wording.task(id), 80);
  switch (event.type) {
    case "gate.verdict": {
      const { name, verdict, reason, required, flaky } = event;
      const mark = verdict === "pass" ? colours.green("pass") : colours.red("fail");
      return `gate ${oneLine(name, 40)} ${mark}${flaky ? " (flaky)" : ""}${required ? "" : " (advisory)"} at ${event.moment}: ${oneLine(reason)}`;
    }
    case "plan.restored":
      return colours.yellow(`plan restored: ${oneLine(event.what.join("; "))}`);
    case "plan.edited":
      return (event.keptAs === null ? colours.reset : colours.yellow)(
        `edited: ${oneLine(event.what.join("; "))}${event.keptAs === null ? "" : ` (kept as ${event.keptAs})`}`,
      );
    case "path.restored":
      return colours.yellow(`restored ${oneLine(event.path)} (${event.rule}): ${oneLine(event.why)}`);
    case "task.unticked":
      return colours.yellow(`unticked ${task(event.task)}: ${oneLine(event.why)}`);
    case "task.proved":
      return colours.green(`proved ${task(event.task)} by ${oneLine(event.gates.join(", ") || "no gate")}`);
    case "task.accepted":
      return `ticked ${task(event.task)}; no gate could refuse it${event.changed ? "" : ", and no file changed"}`;
    case "task.added":
      return `task added: ${oneLine(event.task.text, 120)}`;
    case "task.parked":
      return colours.yellow(`parked ${task(event.task)}: ${oneLine(event.question)}`);
    case "commit.refused":
      return colours.red(`commit refused: ${oneLine(event.output)}`);
    case "repo.moved":
      return colours.yellow(oneLine(event.what));
    case "work.saved":
      return `saved ${shortCommit(event.commit)} as ${oneLine(event.ref)}: ${oneLine(event.why)}`;
    case "tree.excluded":
      return colours.yellow(`not committed: ${oneLine(event.paths.map(({ path, reason }) => `${path} (${reason})`).join(", "))}`);
    case "sign.drafted":
      return `sign drafted: ${oneLine(event.path)}`;
    default:
      return describeControl(event, colours);
  }
}

type ControlEvent = Extract<
  JournalEvent,
  {
    type:
      | "control.requested"
      | "brake.hit"
      | "wait.started"
      | "wait.ended"
      | "agent.rests"
      | "agent.switched"
      | "note.added"
      | "note.unanswered"
      | "limits.raised"
      | "run.paused"
      | "run.unpaused"
      | "warning"
      | "run.proved"
      | "run.refused"
      | "run.stopped";
  }
>;

function describeControl(event: ControlEvent, colours: Colors): string {
  switch (event.type) {
    case "control.requested":
      return `${oneLine(event.by, 60)} asks: ${oneLine(event.request, 60)}${event.detail === null ? "" : ` ${oneLine(event.detail)}`}`;
    case "brake.hit":
      return colours.red(`brake ${event.hit.reason}: ${oneLine(event.hit.summary)}`);
    case "wait.started":
      return `waiting until ${moment(new Date(event.untilMs).toISOString())}: ${oneLine(event.why)}`;
    case "wait.ended":
      return `waited ${duration(event.waitedMs)}`;
    case "agent.rests":
      return colours.yellow(
        `${oneLine(event.agent, 60)} rests ${event.untilMs === null ? "until a person has it tried again" : `until ${moment(new Date(event.untilMs).toISOString())}`} (${event.class}): ${oneLine(event.why)}`,
      );
    case "agent.switched":
      return colours.bold(
        `${oneLine(event.to, 60)} goes on${event.from === event.to ? "" : ` instead of ${oneLine(event.from, 60)}`} (${event.class}): ${oneLine(event.why)}`,
      );
    case "note.added":
      return `note by ${oneLine(event.by, 60)}: ${oneLine(event.text)}`;
    case "note.unanswered":
      return colours.yellow(`note not answered, shown once more: ${oneLine(event.text)}`);
    case "limits.raised":
      return `limits raised by ${oneLine(event.by, 60)}: ${raised(event)}`;
    case "run.paused":
      return `paused by ${oneLine(event.by, 60)}`;
    case "run.unpaused":
      return `resumed by ${oneLine(event.by, 60)}`;
    case "warning":
      return colours.yellow(`warning: ${oneLine(event.message)}`);
    case "run.proved":
      return colours.green(
        `proved on ${shortCommit(event.commit)}${event.clean ? " in a clean worktree" : ""}: ${oneLine(event.gates.join(", ") || "no gate")}`,
      );
    case "run.refused":
      return colours.yellow(`the end was refused: ${oneLine(event.why)}`);
    case "run.stopped":
      return `${statusColour(event.status, colours)} (${event.reason}${event.status === "done" ? (event.verified ? ", verified" : ", NOT verified") : ""}): ${oneLine(event.summary)}`;
  }
}

function raised({ iterations, tokens, costMicroUsd, timeMs }: Extract<JournalEvent, { type: "limits.raised" }>): string {
  const parts = [
    iterations === 0 ? null : plural(iterations, "iteration"),
    tokens === 0 ? null : plural(tokens, "token"),
    costMicroUsd === 0 ? null : money(costMicroUsd),
    timeMs === 0 ? null : duration(timeMs),
  ];
  return parts.filter((part) => part !== null).join(", ") || "by nothing";
}

function iterationStart(event: Extract<JournalEvent, { type: "iteration.started" }>, wording: Wording): string {
  const mode = event.mode === "work" ? "" : event.mode === "wrapUp" ? " (wrap-up)" : " (step back)";
  const task = event.task === null ? "" : `: ${oneLine(wording.task(event.task), 80)}`;
  return `iteration ${ofAllowed(event.iteration, event.spent, wording.iterations())}${mode}${task}`;
}

function agentEnding({ ending, usage, warned, leftovers }: Extract<JournalEvent, { type: "agent.ended" }>, colours: Colors): string {
  const trouble =
    ending.error !== null
      ? `, ${ending.error.kind}: ${oneLine(ending.error.message)}`
      : ending.limit !== null
        ? `, limit: ${oneLine(ending.limit.message)}`
        : "";
  const words = leftovers === undefined ? "" : leftoverWords(leftovers);
  const left = words === "" ? "" : `, left running: ${words}`;
  const line = `agent ${exitText(ending.exit)} after ${duration(ending.durationMs)}, ${plural(ending.toolCalls, "tool call")}, ${usageText(usage)}${warned === undefined ? "" : `, ${warningWords(warned)}`}${left}${trouble}`;
  return trouble === "" ? line : colours.yellow(line);
}

function exitText(exit: AgentExit): string {
  switch (exit.kind) {
    case "exited":
      return `exited ${exit.code}`;
    case "signalled":
      return `was killed by ${oneLine(exit.signal, 20)}`;
    case "stopped":
      return `was ended (${exit.cause})`;
    case "cannotStart":
      return `could not start: ${oneLine(exit.message)}`;
  }
}

function usageText(usage: Usage): string {
  return `${count(countedTokens(usage))} tokens, cost ${money(usage.costMicroUsd)}`;
}

const CLASS_WORDS: Readonly<Record<IterationClass, string>> = {
  progress: "progress",
  no_op: "no progress",
  blocked: "blocked",
  waiting: "asked to wait",
  limit: "account limit",
  auth: "not logged in",
  infrastructure: "failed outside the work",
  timeout: "out of time",
  killed: "killed",
};

function classColour(kind: IterationClass, colours: Colors): string {
  const words = CLASS_WORDS[kind];
  return kind === "progress" ? colours.green(words) : kind === "waiting" || kind === "limit" ? words : colours.yellow(words);
}

function statusColour(status: FinalStatus, colours: Colors): string {
  if (status === "done") return colours.bold(colours.green(status));
  return colours.bold(status === "capped" || status === "stopped" ? colours.yellow(status) : colours.red(status));
}
