/** The agent's settings from all sources; what one file says for one agent is not handed to another. */
import { DEFAULT_SETTINGS } from "../core/defaults.js";
import type { AgentSettings } from "../core/settings.js";
import { originIn, type Precedence, type Source } from "./precedence.js";
import type { ConfigLayer } from "./schema.js";

type AgentEntry = NonNullable<ConfigLayer["agent"]>;
/** Keys whose values only make sense for the agent they were written for. */
const OWN_KEYS = ["argv", "args", "output", "model", "effort"] as const;

export interface AgentReading {
  agent: AgentSettings;
  warnings: string[];
  /** Key and message of what can not run. */
  problem: { key: string; message: string } | null;
}

export function readAgent(from: Precedence): AgentReading {
  const defaults = DEFAULT_SETTINGS.agent;
  const named = from.pick("agent.kind", (v) => v.agent?.kind, null);
  const { meant, others } = sourcesFor(from.sources, named);
  const own = <T>(key: string, read: (agent: AgentEntry) => T | undefined, fallback: T): T =>
    from.pickFrom(meant, `agent.${key}`, (v) => (v.agent === undefined ? undefined : read(v.agent)), fallback);
  const anyKind = <T>(key: string, read: (agent: AgentEntry) => T | undefined, fallback: T): T =>
    from.pick(`agent.${key}`, (v) => (v.agent === undefined ? undefined : read(v.agent)), fallback);
  const argv = own("argv", (a) => a.argv, defaults.argv);
  const implied = named === null && argv.length > 0;
  if (implied) from.derive("agent.kind", "agent.argv");
  const kind = named ?? (implied ? "command" : defaults.kind);
  return {
    agent: {
      kind,
      argv,
      args: own("args", (a) => a.args, defaults.args),
      output: own("output", (a) => a.output, defaults.output),
      model: own("model", (a) => a.model, defaults.model),
      effort: own("effort", (a) => a.effort, defaults.effort),
      env: anyKind("env", (a) => a.env, defaults.env),
      envPass: anyKind("envPass", (a) => a.envPass, defaults.envPass),
      envDeny: anyKind("envDeny", (a) => a.envDeny, defaults.envDeny),
      prices: anyKind("prices", (a) => a.prices, defaults.prices),
    },
    warnings: others.flatMap((source) => unusedFor(source, kind)),
    problem: kind === "command" && argv.length === 0 ? { key: "agent.kind", message: NO_ARGV } : null,
  };
}

const NO_ARGV = "the command agent needs a program: give it after --, or as agent.argv";

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

function unusedFor(source: Source, kind: string): string[] {
  const agent = source.layer.values.agent ?? {};
  return OWN_KEYS.filter((key) => agent[key] !== undefined).map(
    (key) => `agent.${key} of ${originIn(source, `agent.${key}`).text} is meant for another agent and is not used with ${kind}`,
  );
}
