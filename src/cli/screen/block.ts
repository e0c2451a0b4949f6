/** The live block at the bottom of the terminal: from what is known to lines that fit. Pure. */
import type { Colors } from "picocolors/types.js";
import { restingNow } from "../../core/resting.js";
import { estimatedTokens } from "../../core/context-warning.js";
import { contextLimits } from "../../core/model-windows.js";
import { provedTasks } from "../../core/proved-tasks.js";
import type { RunState } from "../../core/run-state.js";
import type { Settings } from "../../core/settings.js";
import { countedTokens, mergeUsage } from "../../core/usage.js";
import { count, duration, money, plural, shortCommit } from "../../report/format.js";
import { oneLine } from "../../report/markdown-text.js";
import { ofAllowed, tasksText, taskText } from "../wording.js";
import type { AgentNow } from "./agent-now.js";
import { cut, displayWidth, flow, type Item } from "./fit.js";

export interface BlockView {
  state: RunState;
  settings: Pick<Settings, "limits" | "context">;
  /** Null between agents. */
  agent: AgentNow | null;
  nowMs: number;
  /** A request of a person at this terminal; null without one. */
  notice: string | null;
  /** Time of day as people here read it. */
  clock(ms: number): string;
}

export interface Size {
  columns: number;
  rows: number;
}

const LABEL_COLUMNS = 8;
/** A narrower terminal has no room for labels. */
const COLUMNS_FOR_LABELS = 20;
/** Below so many rows the rule above the block costs more than it gives. */
const ROWS_FOR_RULE = 14;
/** A line of full width would wrap whenever the terminal becomes narrower, before anyone can draw it anew. */
const RULE_COLUMNS = 40;

/** No line is as wide as the terminal: a full line would leave the cursor waiting to wrap. */
export function blockLines(view: BlockView, size: Size, colours: Colors): string[] {
  const columns = Math.max(1, size.columns - 1);
  const room = columns - (columns < COLUMNS_FOR_LABELS ? 0 : LABEL_COLUMNS);
  const line = (label: string, items: readonly Item[]): string[] =>
    flow(items, room).map((text, index) => (room === columns ? text : `${colours.dim((index === 0 ? label : "").padEnd(LABEL_COLUMNS))}${text}`));
  const lines = [
    ...(size.rows >= ROWS_FOR_RULE ? [colours.dim("─".repeat(Math.min(columns, RULE_COLUMNS)))] : []),
    ...flow(headline(view, colours), columns),
    ...(view.notice === null ? [] : flow([{ text: oneLine(view.notice), paint: colours.yellow }], columns)),
    ...line("task", [{ text: subject(view) }]),
    ...line("now", [{ text: nowText(view, room), paint: isHeld(view.state) ? colours.yellow : colours.cyan }]),
    ...line("used", used(view, colours)),
    ...line("commit", commits(view)),
  ];
  // The rows above the block have to scroll, so that it must stay smaller than the terminal.
  return lines.slice(0, Math.max(1, size.rows - 2));
}

function headline(view: BlockView, colours: Colors): Item[] {
  const { state, nowMs } = view;
  const { open } = state;
  const ticked = Object.keys(state.proved).length;
  return [
    { text: iterationText(view), paint: colours.bold },
    ...(open === null ? [] : [{ text: duration(Math.max(0, nowMs - open.startedAtMs)) }]),
    ...standIn(view, colours),
    ...(ticked === 0 ? [] : [{ text: tasksText(state), paint: provedTasks(state) === ticked ? colours.green : colours.yellow }]),
  ];
}

/** Who works instead of the first choice, and until when that rests. */
function standIn({ state, nowMs, clock }: BlockView, colours: Colors): Item[] {
  const first = state.started.agent;
  const agent = state.open?.agent ?? state.agent;
  if (agent === first || (state.started.fallback ?? []).length === 0) return [];
  const rest = restingNow(state, nowMs).find(([label]) => label === first)?.[1];
  const until = rest === undefined ? "" : rest.untilMs === null ? ", which needs you" : ` until ${clock(rest.untilMs).slice(0, 5)}`;
  return [{ text: `${oneLine(agent)} for ${oneLine(first)}${until}`, paint: colours.yellow }];
}

function iterationText({ state, settings }: BlockView): string {
  if (state.iteration === 0) return "before the first iteration";
  const mode = state.open?.mode === "wrapUp" ? " (wrap-up)" : state.open?.mode === "stepBack" ? " (step back)" : "";
  const allowed = settings.limits.iterations === null ? null : settings.limits.iterations + state.granted.iterations;
  const spent = state.spent + (state.open === null ? 0 : 1);
  return `iteration ${ofAllowed(state.iteration, spent, allowed)}${mode}`;
}

function subject({ state }: BlockView): string {
  const id = state.open?.task ?? null;
  if (id !== null) return oneLine(taskText(state.tasks, id));
  if (state.open !== null && state.started.objective !== null) return oneLine(state.started.objective);
  return state.iteration === 0 ? "none yet" : "none at the moment";
}

function isHeld(state: RunState): boolean {
  return state.waiting !== null || state.paused;
}

/** What goes on, with how long already; the time stays in view whatever the rest is cut to. */
function nowText(view: BlockView, columns: number): string {
  const { state, agent, nowMs, clock } = view;
  if (state.paused) return "paused; `ralphd resume` lets it go on";
  if (state.waiting !== null) {
    const { untilMs, why } = state.waiting;
    return `waiting until ${clock(untilMs).slice(0, 5)} (${duration(Math.max(0, untilMs - nowMs))} left): ${oneLine(why)}`;
  }
  if (state.open?.phase === "started" && agent !== null && agent.doing !== null) {
    const since = wholeSeconds(nowMs - agent.doing.sinceMs);
    return since === null ? agent.doing.text : `${cut(agent.doing.text, columns - displayWidth(since) - 2)}, ${since}`;
  }
  return phaseText(state);
}

/** Null for what has only just begun: a counter that jumps with each event is noise. */
function wholeSeconds(ms: number): string | null {
  const seconds = Math.floor(ms / 1000);
  return seconds < 2 ? null : duration(seconds * 1000);
}

function phaseText({ open, iteration, started }: RunState): string {
  if (open === null) {
    if (iteration > 0) return "looking at plan and repository";
    return started.requiredGates.length === 0 ? "preparing" : "running the gates once before the work begins";
  }
  switch (open.phase) {
    case "started":
      return "the agent starts";
    case "ended":
      return "checking what the agent did";
    case "judged":
      return "committing";
    case "committed":
      return "finishing the iteration";
  }
}

function used(view: BlockView, colours: Colors): Item[] {
  const { state, agent, settings, nowMs } = view;
  const running = state.open?.usage ?? (agent === null || state.open === null ? null : agent.usage);
  const usage = running === null ? state.usage : mergeUsage(state.usage, running);
  const tokens = countedTokens(usage);
  const least = (unknown: number): string => (unknown > 0 ? "at least " : "");
  const working = state.open === null ? 0 : Math.max(0, nowMs - state.open.startedAtMs);
  const left = settings.limits.timeMs + state.granted.timeMs - state.activeMs - working;
  return [
    health(view, colours),
    { text: tokens === null ? "tokens unknown" : `${least(state.unknownTokens)}${count(tokens)} tokens` },
    { text: usage.costMicroUsd === null ? "cost unknown" : `cost ${least(state.unknownCost)}${money(usage.costMicroUsd)}` },
    { text: `${timeLeft(left)} left` },
  ];
}

/** Rounded down, and without seconds while there are minutes: a number that only shrinks slowly. */
function timeLeft(ms: number): string {
  const unit = ms < 60_000 ? 1_000 : 60_000;
  return duration(Math.max(0, Math.floor(ms / unit) * unit));
}

/** Shares of the rotation threshold where the light turns yellow and red. */
const YELLOW = 0.6;
const RED = 0.8;

function health({ agent, state, settings }: BlockView, colours: Colors): Item {
  if (agent === null || state.open === null || (agent.contextTokens ?? agent.characters) === 0) return { text: "context unknown", paint: colours.dim };
  const share = (agent.contextTokens ?? estimatedTokens(agent.characters)) / contextLimits(settings.context, agent.model).rotateTokens;
  const percent = `${agent.contextTokens === null ? "~" : ""}${Math.round(share * 100)} %`;
  if (share < YELLOW) return { text: `context green ${percent}`, paint: colours.green };
  return share <= RED ? { text: `context yellow ${percent}`, paint: colours.yellow } : { text: `context red ${percent}`, paint: colours.red };
}

function commits({ state }: BlockView): Item[] {
  const where = state.started.branch === null ? "" : ` on ${oneLine(state.started.branch)}`;
  if (state.commits === 0) return [{ text: `none yet${where}` }];
  return [{ text: shortCommit(state.lastCommit) }, { text: `${plural(state.commits, "commit")}${where}` }];
}
