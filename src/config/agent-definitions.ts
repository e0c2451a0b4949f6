/** `agents:` of the configuration: what is said of a kind of agent, and whole new agents by a name of their own. */
import { ACP_PREFIX, AGENT_KINDS } from "../core/agent-kinds.js";
import { DEFAULT_SETTINGS } from "../core/defaults.js";
import type { AgentSettings } from "../core/settings.js";
import type { AgentProblem } from "./agent-settings.js";
import type { Origin, Source } from "./precedence.js";
import type { ConfigLayer } from "./schema.js";

export type AgentEntry = NonNullable<ConfigLayer["agent"]>;

export interface Definitions {
  names: string[];
  /** An agent as it is when nothing but `agents:` speaks of it; also of a name that is not defined. */
  agent(name: string): AgentSettings;
  /** Where a value of it stands; null where nowhere. */
  origin(name: string, key: keyof AgentEntry): Origin | null;
  problems: AgentProblem[];
}

/** A kind that needs no definition. */
export function isKnownKind(name: string): boolean {
  return (AGENT_KINDS as readonly string[]).includes(name) || name.startsWith(ACP_PREFIX);
}

/** Each key of each name from the highest source that says it. */
export function readDefinitions(sources: readonly Source[]): Definitions {
  const names = [...new Set(sources.flatMap((source) => Object.keys(source.layer.values.agents ?? {})))].sort();
  const agent = (name: string): AgentSettings => {
    const merged: AgentEntry = Object.assign({}, ...sources.toReversed().map((source) => said(entryOf(source, name))));
    return { ...DEFAULT_SETTINGS.agent, ...merged, name, kind: kindOf(name, merged) } as AgentSettings;
  };
  return {
    names,
    agent,
    origin: (name, key) => {
      const source = sources.find((candidate) => entryOf(candidate, name)?.[key] !== undefined) ?? null;
      return source === null ? null : { source: source.name, text: source.layer.origin(["agents", name, key]) ?? source.name };
    },
    problems: names.flatMap((name) => problemsOf(name, agent(name), sources)),
  };
}

function entryOf(source: Source, name: string): AgentEntry | undefined {
  const { agents = {} } = source.layer.values;
  return Object.hasOwn(agents, name) ? agents[name] : undefined;
}

function said(entry: AgentEntry | undefined): AgentEntry {
  return Object.fromEntries(Object.entries(entry ?? {}).filter(([, value]) => value !== undefined)) as AgentEntry;
}

/** A program alone is a `command`. */
function kindOf(name: string, entry: AgentEntry): string {
  return entry.kind ?? (isKnownKind(name) ? name : entry.argv !== undefined ? "command" : "auto");
}

function problemsOf(name: string, { kind, argv }: AgentSettings, sources: readonly Source[]): AgentProblem[] {
  const source = sources.find((candidate) => entryOf(candidate, name) !== undefined) ?? null;
  const problem = (message: string): AgentProblem[] => [{ path: ["agents", name], source, message: `agents.${name}: ${message}` }];
  if (!/^[\w.-]+$/.test(name)) return problem("a name has letters, digits, dot and dash");
  if (name === "auto") return problem("auto is a choice among agents and can't be defined");
  if (isKnownKind(name) && kind !== name) return problem(`${name} is an agent of its own and can't be of kind ${kind}: give it another name`);
  if (kind === "auto") return problem("needs a kind, or the argv of a program");
  if (!isKnownKind(kind)) return problem(`there is no kind ${kind}; known are ${AGENT_KINDS.join(", ")}`);
  return kind === "command" && argv.length === 0 ? problem("the command agent needs a program: give it as argv") : [];
}
