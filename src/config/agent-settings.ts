/** The agents of a run from all sources; what one file says for one agent is not handed to another. */
import { AGENT_KINDS } from "../core/agent-kinds.js";
import { agentLabel } from "../core/agent-list.js";
import { DEFAULT_SETTINGS } from "../core/defaults.js";
import type { AgentSettings } from "../core/settings.js";
import { type AgentEntry, type Definitions, isKnownKind, readDefinitions } from "./agent-definitions.js";
import { type Origin, originIn, type Precedence, type Source } from "./precedence.js";
import { parseChoice } from "./values.js";

/** Keys whose values only make sense for the agent they were written for. */
const OWN_KEYS = ["argv", "args", "output", "model", "effort", "envSet"] as const;
/** Keys that may be said of whichever agent runs. */
const ANY_KEYS = ["env", "envPass", "envDeny", "prices"] as const;

export interface AgentProblem {
  /** Path of the key, and the source that holds it where that is known. */
  path: readonly (string | number)[];
  source: Source | null;
  message: string;
}

export interface AgentsReading {
  agent: AgentSettings;
  fallback: AgentSettings[];
  /** What `agents:` defines. */
  agents: AgentSettings[];
  warnings: string[];
  problems: AgentProblem[];
}

const NO_ARGV = "the command agent needs a program: give it after --, or as agent.argv";

export function readAgents(from: Precedence): AgentsReading {
  const definitions = readDefinitions(from.sources);
  const main = readMain(from, definitions);
  const fallback = readFallback(from, main.agent, definitions);
  const names = [...new Set([...AGENT_KINDS, ...definitions.names])];
  return {
    agent: main.agent,
    fallback: fallback.agents,
    agents: definitions.names.map(definitions.agent),
    warnings: main.warnings,
    problems: [...definitions.problems, ...unknownNames(from.sources, names), ...main.problems, ...fallback.problems],
  };
}

/** In every source, whether or not another one outranks it: a mistyped name is a mistake wherever it stands. */
function unknownNames(sources: readonly Source[], names: readonly string[]): AgentProblem[] {
  const check = (source: Source, path: (string | number)[], name: string | undefined): AgentProblem[] => {
    if (name === undefined || isKnownKind(name)) return [];
    const reading = parseChoice(name, names);
    return reading.kind === "value" ? [] : [{ source, path, message: `${dotted(path)}: ${reading.message}` }];
  };
  return sources.flatMap((source) => {
    const { agent, fallback = [] } = source.layer.values;
    return [...check(source, ["agent", "kind"], agent?.kind), ...fallback.flatMap((entry, index) => check(source, ["fallback", index, "kind"], entry.kind))];
  });
}

function dotted(path: readonly (string | number)[]): string {
  return path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");
}

function readMain(from: Precedence, definitions: Definitions) {
  const named = from.pick("agent.kind", null);
  const { meant, others } = sourcesFor(from.sources, named);
  const argv = from.pickFrom(meant, "agent.argv", []);
  const implied = named === null && argv.length > 0;
  if (implied) from.derive("agent.kind", "agent.argv");
  const name = named ?? (implied ? "command" : DEFAULT_SETTINGS.agent.kind);
  const base = definitions.agent(name);
  const layered = (sources: readonly Source[], key: keyof AgentEntry & keyof AgentSettings): unknown => {
    const value = from.pickFrom(sources, `agent.${key}`, base[key]);
    const origin = definitions.origin(name, key);
    if (from.origins.get(`agent.${key}`)?.source === "default" && origin !== null) from.origins.set(`agent.${key}`, origin);
    return value;
  };
  const own = Object.fromEntries(OWN_KEYS.map((key) => [key, layered(meant, key)]));
  const any = Object.fromEntries(ANY_KEYS.map((key) => [key, layered(from.sources, key)]));
  // Both tables name each key once; the schema has the types of the settings.
  const agent = { ...base, ...own, ...any } as AgentSettings;
  const holder = from.holder((v) => v.agent?.kind);
  const problems: AgentProblem[] = agent.kind === "command" && agent.argv.length === 0 ? [{ path: ["agent", "kind"], source: holder, message: NO_ARGV }] : [];
  return { agent, warnings: others.flatMap((source) => unusedFor(source, name)), problems };
}

/** The list of the highest source that has one. An entry says what sets it apart; the rest is as for any agent of its name. */
function readFallback(from: Precedence, main: AgentSettings, definitions: Definitions): { agents: AgentSettings[]; problems: AgentProblem[] } {
  const entries = from.pick("fallback", []);
  const source = from.holder((v) => v.fallback);
  const problems: AgentProblem[] = [];
  const seen = new Set([agentLabel(main)]);
  const agents = entries.map((entry, index): AgentSettings => {
    const problem = (message: string): void => void problems.push({ path: ["fallback", index, "kind"], source, message: `fallback[${index}]: ${message}` });
    for (const key of ["argv", "args", "envSet"] as const) {
      const inherited = entry.kind === main.name ? from.origins.get(`agent.${key}`) : definitions.origin(entry.kind ?? "", key);
      const origin = entry[key] !== undefined && source !== null ? originOf(source, ["fallback", index, key]) : inherited;
      if (origin != null) from.origins.set(`fallback.${index}.${key}`, origin);
    }
    if (source !== null) from.origins.set(`fallback.${index}.kind`, originOf(source, ["fallback", index, "kind"]));
    const agent = fallbackAgent(entry, main, definitions);
    const label = agentLabel(agent);
    if (entry.kind === undefined) problem("names no agent: give it a kind");
    else if (agent.kind === "auto") problem("auto can't stand in for an agent: name one");
    else if (agent.kind === "command" && agent.argv.length === 0) problem("the command agent needs a program: give it as argv");
    else if (seen.has(label)) problem(`${label} stands in the line already: name another agent or model`);
    seen.add(label);
    return agent;
  });
  return { agents, problems };
}

function originOf(source: Source, path: readonly (string | number)[]): Origin {
  return { source: source.name, text: source.layer.origin(path) ?? source.name };
}

function fallbackAgent(entry: AgentEntry, main: AgentSettings, definitions: Definitions): AgentSettings {
  const name = entry.kind ?? "auto";
  const { env, envPass, envDeny, prices } = main;
  const base = name === main.name ? main : { ...definitions.agent(name), env, envPass, envDeny, prices };
  const { kind: _, ...own } = entry;
  // Absent keys of an entry are undefined, and must not hide what stands below.
  return { ...base, ...(Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) as Partial<AgentSettings>) };
}

/**
 * A file speaks of the agent that it names, or else of the one named by the files below it. Flags and
 * environment speak of this run's agent, whichever it is.
 */
function sourcesFor(sources: readonly Source[], kind: string | null): { meant: Source[]; others: Source[] } {
  const meant: Source[] = [];
  const others: Source[] = [];
  sources.forEach((source, index) => {
    const direct = source.name === "flags" || source.name === "environment";
    const below = sources.slice(index).find((lower) => lower.layer.values.agent?.kind !== undefined);
    const about = below?.layer.values.agent?.kind ?? null;
    (direct || kind === null || about === null || about === kind ? meant : others).push(source);
  });
  return { meant, others };
}

function unusedFor(source: Source, name: string): string[] {
  const agent = source.layer.values.agent ?? {};
  return OWN_KEYS.filter((key) => agent[key] !== undefined).map(
    (key) => `agent.${key} of ${originIn(source, `agent.${key}`).text} is meant for another agent and is not used with ${name}`,
  );
}
