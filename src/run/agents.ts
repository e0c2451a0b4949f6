/** The agents that a run starts with: made, checked, and the choice of `auto` settled. */
import type { AgentContext } from "../agents/context.js";
import { createAgent } from "../agents/registry.js";
import { agentLabel } from "../core/agent-list.js";
import type { AgentSettings, Settings } from "../core/settings.js";
import type { Agent } from "../driver/ports.js";
import { Refusal } from "./refusal.js";

export interface ReadyAgents {
  /** With the kind that `auto` chose. */
  settings: Settings;
  /** By label, the first choice in front. */
  agents: Map<string, Agent>;
  /** Lines for people, one an agent: `agent: claude 2.1.332 (subscription)`. */
  notes: string[];
}

/** Refuses when one of them is missing or not logged in: at night nobody can mend that. */
export async function requireAgents(settings: Settings, context: AgentContext): Promise<ReadyAgents> {
  const first = await requireAgent(settings, context);
  const chosen = settings.agent.kind === "auto" ? { ...settings.agent, kind: first.agent.kind, name: first.agent.kind } : settings.agent;
  // What `auto` chose needs no stand-in of the same name.
  const fallback = settings.fallback.filter((agent) => agentLabel(agent) !== agentLabel(chosen));
  const others = await Promise.all(fallback.map((agent) => standIn({ ...settings, agent }, context)));
  const agents = new Map([[agentLabel(chosen), first.agent], ...others.map(({ label, agent }): [string, Agent] => [label, agent])]);
  return { settings: { ...settings, agent: chosen, fallback }, agents, notes: [first.note, ...others.map(({ note }) => note)] };
}

async function standIn(settings: Settings, context: AgentContext): Promise<{ label: string; agent: Agent; note: string }> {
  const label = agentLabel(settings.agent);
  try {
    const { agent, note } = await requireAgent(settings, context);
    return { label, agent, note: note.replace("agent:", "fallback:") };
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(`fallback ${label}: ${error.message}\nMake it ready, or leave it out of fallback.`);
    throw error;
  }
}

async function requireAgent(settings: Settings, context: AgentContext): Promise<{ agent: Agent; note: string }> {
  const created = await createAgent(settings, context);
  if ("error" in created) {
    throw new Refusal(`${created.error}${created.nearest === undefined ? "" : `\nDid you mean ${created.nearest}?`}`);
  }
  if (created.note !== null) return { agent: created.agent, note: created.note };
  const check = await created.agent.check();
  // Only a look that starts nothing comes here without a confirmation; a run has asked before.
  if (check.kind === "unconfirmed") return { agent: created.agent, note: `agent: ${check.message}` };
  if (check.kind !== "ready") throw new Refusal(check.message);
  const billing = check.billing === null ? "" : ` (${check.billing})`;
  return { agent: created.agent, note: `agent: ${titleOf(settings.agent, created.agent)} ${check.version}${billing}` };
}

/** `mine (command)` where the name alone does not tell. */
function titleOf(settings: AgentSettings, agent: Agent): string {
  const label = agentLabel(settings);
  return settings.name === agent.kind || settings.name.startsWith(agent.kind) ? label : `${label} (${agent.kind})`;
}
