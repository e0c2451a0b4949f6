/** The agents of a run, the first choice in front, and the names by which journal, commits and people tell them apart. */
import type { AgentSettings, Settings } from "./settings.js";

/** `claude`, `claude claude-haiku-4-5`, or the name of the user's own definition. */
export function agentLabel({ name, model }: Pick<AgentSettings, "name" | "model">): string {
  return model === null ? name : `${name} ${model}`;
}

/** In the order in which they are tried. */
export function agentsOf({ agent, fallback }: Pick<Settings, "agent" | "fallback">): AgentSettings[] {
  return [agent, ...fallback];
}

/** The settings behind a label; those of the first choice for one that nobody knows, as in the journals of older versions. */
export function agentOf(settings: Pick<Settings, "agent" | "fallback">, label: string): AgentSettings {
  return agentsOf(settings).find((agent) => agentLabel(agent) === label) ?? settings.agent;
}
