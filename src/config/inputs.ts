/** Flags and environment variables of a run as raw layers; one table says which key each of them sets. */
import { ACP_PREFIX, AGENT_KINDS } from "../core/agent-kinds.js";
import { ALIASES, kebabKey } from "./keys.js";
import { nearest } from "./nearest.js";
import { emptyLayer, type KeyPath, type RawLayer, type Spot, setAt } from "./raw-layer.js";

/** The flags of `ralphd run` as typed; absent means not given. `argv` is what stands after `--`. */
export interface RawFlags {
  agent?: string | undefined;
  agentOutput?: string | undefined;
  model?: string | undefined;
  /** Names, each alone or several with commas between them. */
  fallback?: string[] | undefined;
  maxIterations?: string | undefined;
  maxTokens?: string | undefined;
  maxCost?: string | undefined;
  maxTime?: string | undefined;
  maxLimitWait?: string | undefined;
  iterationTimeout?: string | undefined;
  idleTimeout?: string | undefined;
  gate?: string[] | undefined;
  requireGate?: boolean | undefined;
  preset?: string | undefined;
  level?: string | undefined;
  branch?: string | undefined;
  worktree?: boolean | undefined;
  currentBranch?: boolean | undefined;
  allowDirty?: boolean | undefined;
  onStuck?: string | undefined;
  sandbox?: string | undefined;
  sandboxNetwork?: string | undefined;
  /** Not a setting: the caller hands it to the question of trust. */
  trust?: boolean | undefined;
  once?: boolean | undefined;
  argv?: string[] | undefined;
  marker?: string | undefined;
}

/** Flags that set one key each; the variable is `RALPHD_` and the same words. */
export const INPUTS: Readonly<Record<string, KeyPath>> = {
  agent: ["agent", "kind"],
  agentOutput: ["agent", "output"],
  model: ["agent", "model"],
  maxIterations: ALIASES["maxIterations"] ?? [],
  maxTokens: ALIASES["maxTokens"] ?? [],
  maxCost: ALIASES["maxCost"] ?? [],
  maxTime: ALIASES["maxTime"] ?? [],
  maxLimitWait: ALIASES["maxLimitWait"] ?? [],
  iterationTimeout: ALIASES["iterationTimeout"] ?? [],
  idleTimeout: ALIASES["idleTimeout"] ?? [],
  requireGate: ["requireGate"],
  preset: ["preset"],
  level: ["level"],
  branch: ["branch"],
  worktree: ["worktree"],
  currentBranch: ["currentBranch"],
  allowDirty: ["allowDirty"],
  onStuck: ALIASES["onStuck"] ?? [],
  sandbox: ["sandbox", "mode"],
  sandboxNetwork: ["sandbox", "network"],
  once: ["once"],
  marker: ["marker"],
};

/** The one setting whose value is a list. */
const FALLBACK_VARIABLE = "RALPHD_FALLBACK";

/** Set by the driver for its agents, or read elsewhere; no settings. */
const RESERVED_VARIABLES = [
  "RALPHD_RUN",
  "RALPHD_ITERATION",
  "RALPHD_TOKEN",
  "RALPHD_DEPTH",
  "RALPHD_AGENT_CONFIG",
  // Where an agent's executable is, such as RALPHD_CLAUDE_PATH; read by the agents.
  ...AGENT_KINDS.map((kind) => `RALPHD_${kind.toUpperCase()}_PATH`),
];

export function readFlags(flags: RawFlags): RawLayer {
  const layer = emptyLayer();
  for (const [flag, path] of Object.entries(INPUTS)) {
    const value = flags[flag as keyof RawFlags];
    if (value !== undefined) setAt(layer, path, value, outside(`--${kebabKey(flag)}`));
  }
  if (flags.argv !== undefined && flags.argv.length > 0) readArgv(layer, flags.argv, flags.agent);
  setFallback(layer, flags.fallback ?? [], "--fallback");
  const gates = flags.gate ?? [];
  if (gates.length > 0)
    setAt(
      layer,
      ["gates"],
      gates.map((run) => ({ run })),
      outside("--gate"),
    );
  return layer;
}

/** The command behind `acp:` may hold commas of its own. */
function setFallback(layer: RawLayer, given: readonly string[], label: string): void {
  const names = given.flatMap((text) => (text.startsWith(ACP_PREFIX) ? [text] : text.split(","))).map((name) => name.trim());
  if (given.length > 0)
    setAt(
      layer,
      ["fallback"],
      names.map((kind) => ({ kind })),
      outside(label),
    );
}

function readArgv(layer: RawLayer, argv: string[], agent: string | undefined): void {
  const spot = outside("arguments after --");
  if (agent !== undefined && agent !== "command") {
    layer.problems.push({
      file: null,
      line: null,
      column: null,
      message: `arguments after -- run as the command agent: leave out --agent ${agent}, or the arguments`,
    });
    return;
  }
  setAt(layer, ["agent", "argv"], argv, spot);
  if (agent === undefined) setAt(layer, ["agent", "kind"], "command", spot);
}

export interface EnvironmentReading {
  layer: RawLayer;
  warnings: string[];
}

/** An empty variable counts as not set. */
export function readEnvironment(env: NodeJS.ProcessEnv): EnvironmentReading {
  const layer = emptyLayer();
  const warnings: string[] = [];
  const known = new Map(Object.entries(INPUTS).map(([flag, path]) => [variableOf(flag), path]));
  for (const name of Object.keys(env).sort()) {
    const value = env[name];
    if (!name.startsWith("RALPHD_") || RESERVED_VARIABLES.includes(name) || value === undefined || value === "") continue;
    if (name === FALLBACK_VARIABLE) {
      setFallback(layer, [value], name);
      continue;
    }
    const path = known.get(name);
    if (path !== undefined) {
      setAt(layer, path, value, outside(name));
      continue;
    }
    const close = nearest(name, [...known.keys(), FALLBACK_VARIABLE]);
    warnings.push(`${name} in the environment is no setting and has no effect${close === null ? "" : `; did you mean ${close}?`}`);
  }
  return { layer, warnings };
}

export function variableOf(flag: string): string {
  return `RALPHD_${kebabKey(flag).replaceAll("-", "_").toUpperCase()}`;
}

function outside(label: string): Spot {
  return { file: null, line: null, column: null, label };
}
