/** Makes the agent that the settings name. Each product's code is loaded only when it is named. */
import { ACP_PREFIX, AGENT_KINDS } from "../core/agent-kinds.js";
import { agentLabel, agentsOf } from "../core/agent-list.js";
import { contextLimits } from "../core/model-windows.js";
import type { Settings } from "../core/settings.js";
import type { Agent } from "../driver/ports.js";
import { shippedFile } from "../shipped.js";
import type { CliProduct } from "./cli/cli-agent.js";
import type { AgentContext } from "./context.js";

export type CreatedAgent =
  /** `note`: which one `auto` chose and how it is billed; null for an agent that was named. */
  { agent: Agent; note: string | null } | { error: string; nearest?: string };

type Maker = (settings: Settings, context: AgentContext) => Promise<Agent>;

/** Played by `replay` when no recording is named. */
const DEMO_RECORDING = "demo/recording.json";

/** A product that is a command-line program; its file says how it differs from the others. */
function commandLine(load: () => Promise<{ product: CliProduct }>): Maker {
  return async (settings, context) => {
    const [{ cliAgent }, { product }] = await Promise.all([import("./cli/cli-agent.js"), load()]);
    return cliAgent(product, settings, context);
  };
}

const MAKERS: Readonly<Record<string, Maker>> = {
  claude: commandLine(() => import("./claude.js")),
  codex: commandLine(() => import("./codex.js")),
  gemini: commandLine(() => import("./gemini.js")),
  opencode: commandLine(() => import("./opencode.js")),
  copilot: commandLine(() => import("./copilot.js")),
  pi: commandLine(() => import("./pi.js")),
  cursor: commandLine(() => import("./cursor.js")),
  acp: async (settings, context) => (await import("./acp.js")).acpAgent(settings, context),
  anthropic: async (settings, context) => (await import("./anthropic/agent.js")).anthropicAgent(settings.agent, builtIn(settings, context)),
  command: async (settings, context) => (await import("./command.js")).commandAgent(settings, context),
  replay: async (settings, context) =>
    (await import("./replay/agent.js")).replayAgent(settings.agent, { ...builtIn(settings, context), recording: shippedFile(DEMO_RECORDING) }),
};

/** What `auto` tries, in this order: the others need a command or a recording. */
const AUTO_KINDS = AGENT_KINDS.filter((kind) => !["auto", "acp", "command", "replay"].includes(kind));

/** The kinds that can be made, for messages. */
const AVAILABLE_KINDS: readonly string[] = ["auto", ...Object.keys(MAKERS)];

export async function createAgent(settings: Settings, context: AgentContext): Promise<CreatedAgent> {
  const { kind } = settings.agent;
  if (kind === "auto") return firstReady(settings, context);
  const name = kind.startsWith(ACP_PREFIX) ? "acp" : kind;
  const make = Object.hasOwn(MAKERS, name) ? MAKERS[name] : undefined;
  if (make !== undefined) return { agent: await make(settings, context), note: null };
  const choice = `agents: ${AVAILABLE_KINDS.join(", ")}; any other program can be run with \`-- program arguments\``;
  const close = await nearestKind(kind);
  return { error: `there is no agent ${kind}; ${choice}`, ...(close === null ? {} : { nearest: close }) };
}

/** Every agent there is, by its name: the kinds, and what the user defined. What the settings say of one is not handed to the others. */
export function everyAgent(settings: Settings, plain: Settings, context: AgentContext): Promise<{ name: string; agent: Agent }[]> {
  const defined = new Map(settings.agents.map((agent) => [agent.name, agent]));
  const { name: called, kind } = settings.agent;
  const named = kind.startsWith(ACP_PREFIX) ? "acp" : defined.has(called) ? called : kind;
  const names = [...new Set([...Object.keys(MAKERS), ...defined.keys()])];
  return Promise.all(
    names.map(async (name) => {
      const agent = name === named ? settings.agent : (defined.get(name) ?? { ...plain.agent, name, kind: name });
      const made = await createAgent({ ...settings, agent }, context);
      if ("error" in made) throw new Error(`${name}: ${made.error}`);
      return { name, agent: made.agent };
    }),
  );
}

/** Those of a run by their labels, the first choice in front; all or none. */
export async function createAgents(settings: Settings, context: AgentContext): Promise<{ agents: Map<string, Agent> } | { error: string }> {
  const agents = new Map<string, Agent>();
  for (const agent of agentsOf(settings)) {
    const made = await createAgent({ ...settings, agent }, context);
    if ("error" in made) return made;
    agents.set(agentLabel(agent), made.agent);
  }
  return { agents };
}

async function firstReady(settings: Settings, context: AgentContext): Promise<CreatedAgent> {
  const reasons: string[] = [];
  for (const kind of AUTO_KINDS) {
    const agent = await (MAKERS[kind] as Maker)({ ...settings, agent: { ...settings.agent, kind } }, context);
    const found = await agent.check();
    if (found.kind === "ready") {
      const billing = found.billing ?? "billing unknown";
      return { agent, note: `agent: ${kind} ${found.version} (${billing}), chosen by auto` };
    }
    reasons.push(found.message);
  }
  return { error: `no agent is installed and logged in:\n${reasons.map((reason) => `- ${reason}`).join("\n")}` };
}

/** null when nothing is close enough to be what was meant. */
async function nearestKind(kind: string): Promise<string | null> {
  const { closest, distance } = await import("fastest-levenshtein");
  const best = closest(kind, AVAILABLE_KINDS);
  return distance(kind, best) <= Math.max(1, Math.floor(best.length / 3)) ? best : null;
}

function builtIn(settings: Settings, context: AgentContext) {
  return {
    env: context.env,
    context: contextLimits(settings.context, settings.agent.model),
    killGraceMs: settings.killGraceMs,
    settleGraceMs: settings.settleGraceMs,
  };
}
