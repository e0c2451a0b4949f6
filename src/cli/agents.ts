/** `ralphd agents`: which agents are installed and logged in, and what each can report. Starts none of them. */
import { everyAgent } from "../agents/registry.js";
import { DEFAULT_SETTINGS } from "../core/defaults.js";
import type { Settings } from "../core/settings.js";
import type { Agent, AgentCheck, AgentReach } from "../driver/ports.js";

export interface AgentsOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  settings: Settings;
  /** Whether programs that the repository's files name may be started to look. */
  confirmed: boolean;
  json: boolean;
  out(line: string): void;
}

interface Row {
  name: string;
  agent: Agent;
  check: AgentCheck;
}

/** What a run can be held by; the rest of the sentence names what is missing. */
const ABILITIES: readonly (readonly [keyof AgentReach, string])[] = [
  ["streams", "progress"],
  ["reportsUsage", "tokens"],
  ["reportsCost", "cost"],
  ["reportsCommands", "exit codes of commands"],
];

export async function runAgents(options: AgentsOptions): Promise<number> {
  const agents = await everyAgent(options.settings, DEFAULT_SETTINGS, { cwd: options.cwd, env: options.env, confirmed: options.confirmed });
  const rows = await Promise.all(agents.map(async ({ name, agent }) => ({ name, agent, check: await agent.check() })));
  if (options.json) options.out(JSON.stringify(rows.map(asJson)));
  else for (const line of asLines(rows)) options.out(line);
  return 0;
}

function asJson({ name, agent, check }: Row): object {
  const { streams, reportsUsage, reportsCost, reportsCommands } = agent.reach;
  return {
    agent: name,
    kind: agent.kind,
    installed: check.kind === "unconfirmed" ? null : check.kind !== "missing",
    loggedIn: check.kind === "unconfirmed" ? null : check.kind === "ready",
    version: check.kind === "ready" ? check.version : null,
    billing: check.kind === "ready" ? check.billing : null,
    message: check.kind === "ready" ? null : check.message,
    reports: { progress: streams, tokens: reportsUsage, cost: reportsCost, commands: reportsCommands },
  };
}

function asLines(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const ordered = [...rows.filter(({ check }) => check.kind === "ready"), ...rows.filter(({ check }) => check.kind !== "ready")];
  const indent = " ".repeat(width + 2);
  return ordered.flatMap(({ name, agent, check }) => [
    `${name.padEnd(width)}  ${name === agent.kind ? "" : `(${agent.kind}) `}${stateOf(agent.kind, check)}`,
    `${indent}${reachOf(agent.reach)}`,
  ]);
}

function stateOf(kind: string, check: AgentCheck): string {
  switch (check.kind) {
    case "ready":
      return `ready, ${check.version}${check.billing === null ? "" : `, ${check.billing}`}`;
    case "missing":
    case "unconfirmed":
      return `not ready: ${withoutName(kind, check.message)}`;
    case "notLoggedIn":
      return `not logged in: ${withoutName(kind, check.message)}`;
  }
}

/** The name stands at the beginning of the line already. */
function withoutName(kind: string, message: string): string {
  return message.replace(`${kind} is not logged in: `, "").replace(`${kind}: `, "");
}

function reachOf(reach: AgentReach): string {
  const can = ABILITIES.filter(([key]) => reach[key]).map(([, name]) => name);
  const cannot = ABILITIES.filter(([key]) => !reach[key]).map(([, name]) => name);
  const reports = can.length === 0 ? "reports only its end" : `reports ${can.join(", ")}`;
  return cannot.length === 0 ? reports : `${reports}; not ${cannot.join(", ")}`;
}
