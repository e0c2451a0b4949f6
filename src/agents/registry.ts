/** Makes the agent that the settings name. Each product's code is loaded only when it is named. */
import { AGENT_KINDS } from "../core/agent-kinds.js";
import type { Settings } from "../core/settings.js";
import type { Agent } from "../driver/ports.js";
import { shippedFile } from "../shipped.js";
import type { AgentContext } from "./context.js";

export type CreatedAgent =
  /** `note`: which one `auto` chose and how it is billed; null for an agent that was named. */
  | { agent: Agent; note: string | null }
  | { error: string; nearest?: string };

type Maker = (settings: Settings, context: AgentContext) => Promise<Agent>;

/** Played by `replay` when no recording is named. */
const DEMO_RECORDING = "demo/recording.json";

const MAKERS: Readonly<Record<string, Maker>> = {
  command: async (settings, context) => (await import("./command.js")).commandAgent(settings, context),
  claude: async (settings, context) => (await import("./claude.js")).claudeAgent(settings, context),
  anthropic: async (settings, context) => (await import("./anthropic/agent.js")).anthropicAgent(settings.agent, builtIn(settings, context)),
  replay: async (settings, context) =>
    (await import("./replay/agent.js")).replayAgent(settings.agent, { ...builtIn(settings, context), recording: shippedFile(DEMO_RECORDING) }),
};

/** What `auto` tries, in this order: the product with its own login first. */
const AUTO_KINDS = ["claude", "anthropic"] as const;

/** The kinds that can be made, for messages and for `ralphd agents`. */
export const AVAILABLE_KINDS: readonly string[] = ["auto", ...Object.keys(MAKERS)];

export async function createAgent(settings: Settings, context: AgentContext): Promise<CreatedAgent> {
  const { kind } = settings.agent;
  if (kind === "auto") return firstReady(settings, context);
  const make = Object.hasOwn(MAKERS, kind) ? MAKERS[kind] : undefined;
  if (make !== undefined) return { agent: await make(settings, context), note: null };
  const choice = `agents of this version: ${AVAILABLE_KINDS.join(", ")}; any other program can be run with \`-- program arguments\``;
  if ((AGENT_KINDS as readonly string[]).includes(kind)) return { error: `the agent ${kind} is not supported yet; ${choice}` };
  const close = await nearestKind(kind);
  return { error: `there is no agent ${kind}; ${choice}`, ...(close === null ? {} : { nearest: close }) };
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
    context: settings.context,
    killGraceMs: settings.killGraceMs,
    settleGraceMs: settings.settleGraceMs,
  };
}
