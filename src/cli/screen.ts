/** Progress for people as lines on stderr, and the event stream of `--json` on stdout. */
import { createColors } from "picocolors";
import type { AgentEvent } from "../core/agent-event.js";
import type { RunState } from "../core/run-state.js";
import type { Observer } from "../driver/ports.js";
import { nextSteps } from "../report/advice.js";
import { formatEvent } from "./format-event.js";

export function lineObserver(write: (line: string) => void, colour: boolean): Observer {
  const palette = createColors(colour);
  return {
    journal(event) {
      const line = formatEvent(event, palette);
      if (line !== null) write(line);
    },
    agent(_, event) {
      const line = agentLine(event);
      if (line !== null) write(palette.dim(`           ${line}`));
    },
  };
}

/** One event a line: the journal's, and `agent.*` for what the agent does. */
export function jsonObserver(print: (line: string) => void): Observer {
  return {
    journal: (event) => print(JSON.stringify(event)),
    agent: (iteration, event) => print(JSON.stringify({ ...event, type: `agent.${event.type}`, iteration })),
  };
}

const MAX_LINE = 100;

function agentLine(event: AgentEvent): string | null {
  switch (event.type) {
    case "toolCall":
      return cut(event.command !== undefined ? `$ ${event.command}` : `${event.name} ${event.path ?? ""}`);
    case "text":
      return cut(event.text);
    case "limit":
    case "error":
      return cut(`${event.type}: ${event.message}`);
    default:
      return null;
  }
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
}

export function outcomeLines(state: RunState, reportPath: string, root: string): string[] {
  const { stopped } = state;
  if (stopped === null) return ["The run has no final status."];
  const verified = stopped.status === "done" ? (stopped.verified ? ", verified" : ", unverified") : "";
  return [
    "",
    `${stopped.status} (${stopped.reason}${verified}): ${stopped.summary}`,
    ...stopped.evidence.map((line) => `  ${line}`),
    `branch: ${state.started.branch ?? "none"}   iterations: ${state.iteration}   commits: ${state.commits}`,
    `report: ${reportPath}`,
    "next:",
    ...nextSteps(state, state.started.branch).map((line) => `  ${line}`),
    ...(root === process.cwd() ? [] : [`  (in ${root})`]),
  ];
}
