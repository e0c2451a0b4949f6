/** Which hosts an agent needs to reach its model, for runs whose sandbox has no other network. */
import { ACP_PREFIX } from "../core/agent-kinds.js";
import { type Endpoint, formatEndpoint, parseEndpoint } from "../core/endpoint.js";
import type { AgentSettings } from "../core/settings.js";

/** Model and login of each product, as its vendor documents them for firewalls. */
const VENDOR_HOSTS: Readonly<Record<string, readonly string[]>> = {
  claude: ["api.anthropic.com", "claude.ai", "platform.claude.com", "console.anthropic.com"],
  anthropic: ["api.anthropic.com"],
  codex: ["api.openai.com", "chatgpt.com", "auth.openai.com"],
  gemini: ["generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com", "oauth2.googleapis.com"],
  copilot: ["api.githubcopilot.com", "*.githubcopilot.com", "api.github.com"],
  cursor: ["*.cursor.sh", "api.cursor.com"],
  replay: [],
};

/** Variables that move an agent's model elsewhere; what they name then stands instead of the vendor's hosts. */
const ADDRESS_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  claude: ["ANTHROPIC_BASE_URL", "ANTHROPIC_BEDROCK_BASE_URL", "ANTHROPIC_VERTEX_BASE_URL"],
  anthropic: ["ANTHROPIC_BASE_URL"],
  codex: ["OPENAI_BASE_URL"],
  gemini: ["GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "CODE_ASSIST_ENDPOINT"],
  copilot: ["COPILOT_PROVIDER_BASE_URL"],
};

export interface AgentEndpoints {
  endpoints: Endpoint[];
  /** What a person should know of the choice; null when it is the product's own. */
  note: string | null;
}

/** `hosts`: what the person allowed besides, from the settings. */
export function endpointsOf(agent: Pick<AgentSettings, "kind" | "args" | "argv">, hosts: readonly string[], env: NodeJS.ProcessEnv): AgentEndpoints {
  const named = read(hosts);
  const moved = [...read((ADDRESS_VARIABLES[agent.kind] ?? []).map((name) => env[name] ?? "")), ...addressesIn([...agent.args, ...agent.argv])];
  const vendor = VENDOR_HOSTS[agent.kind];
  const own = moved.length > 0 ? moved : read(vendor ?? []);
  const endpoints = unique([...own, ...named]);
  if (vendor !== undefined || endpoints.length > 0) return { endpoints, note: null };
  const kind = agent.kind.startsWith(ACP_PREFIX) ? "acp" : agent.kind;
  return { endpoints, note: `the hosts of the ${kind} agent are not known, so it reaches nothing; name them under sandbox.hosts` };
}

/** A base address given as an argument, such as `-c base_url="http://127.0.0.1:8787/v1"`. */
function addressesIn(args: readonly string[]): Endpoint[] {
  return read(args.flatMap((arg) => arg.match(/https?:\/\/[^\s"'\\]+/g) ?? []));
}

function read(written: readonly string[]): Endpoint[] {
  return written.flatMap((text) => parseEndpoint(text) ?? []);
}

function unique(endpoints: readonly Endpoint[]): Endpoint[] {
  return [...new Map(endpoints.map((one) => [formatEndpoint(one), one])).values()];
}
