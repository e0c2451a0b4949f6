/** Which hosts an agent needs to reach its model, for runs whose sandbox has no other network. */
import { ACP_PREFIX } from "../core/agent-kinds.js";
import { type Endpoint, formatEndpoint, parseEndpoint } from "../core/endpoint.js";
import type { AgentSettings } from "../core/settings.js";
import { vendorOf } from "./vendors.js";

export interface AgentEndpoints {
  endpoints: Endpoint[];
  /** What a person should know of the choice; null when it is the product's own. */
  note: string | null;
}

/** `hosts`: what the person allowed besides, from the settings. */
export function endpointsOf(agent: Pick<AgentSettings, "kind" | "args" | "argv">, hosts: readonly string[], env: NodeJS.ProcessEnv): AgentEndpoints {
  const named = read(hosts);
  const vendor = vendorOf(agent.kind);
  const moved = [...read((vendor.addresses ?? []).map((name) => env[name] ?? "")), ...addressesIn([...agent.args, ...agent.argv])];
  const own = moved.length > 0 ? moved : read(vendor.hosts ?? []);
  const endpoints = unique([...own, ...named]);
  if (vendor.hosts !== undefined || endpoints.length > 0) return { endpoints, note: null };
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
