/** Opens the sandbox of a run: what is read-only in it, and what the run says about it. */
import { userConfigDir } from "../config/files.js";
import type { TaskIdentity } from "../core/journal-event.js";
import { type AgentEndpoints, endpointsOf } from "../agents/endpoints.js";
import { agentsOf } from "../core/agent-list.js";
import { formatEndpoint } from "../core/endpoint.js";
import type { Settings } from "../core/settings.js";
import type { Agent, Repo, Wrap } from "../driver/ports.js";
import { planMounts } from "../sandbox/read-only.js";
import { chooseClosedSandbox, chooseSandbox, sandboxWrap } from "../sandbox/sandbox.js";
import type { RepoPlace } from "../workspace/discover.js";
import { personalConfig } from "../workspace/global-config.js";
import { placesDir } from "./known-places.js";
import { Refusal } from "./refusal.js";

export interface RunSandbox {
  /** Whether the kernel keeps frozen paths from being written. */
  isolated: boolean;
  /** One line for people. */
  note: string;
  /** Hosts that the agent can reach; null where the network is open. */
  reachable: string[] | null;
}

type Wanted = Pick<Settings, "sandbox" | "network" | "agent" | "fallback">;

/** Refuses when the sandbox was asked for, or a closed network, and does not work. */
export async function requireSandbox(settings: Wanted, env: NodeJS.ProcessEnv): Promise<RunSandbox> {
  const closed = settings.network.access === "off";
  const choice = await (closed ? chooseClosedSandbox : chooseSandbox)(settings.sandbox, env);
  if (choice.kind === "refused") throw new Refusal(choice.message);
  const isolated = choice.kind === "kernel";
  if (!closed) return { isolated, note: choice.note, reachable: null };
  const { personalProxy } = await import("../sandbox/closed-network.js");
  const proxy = personalProxy(env);
  if (proxy !== null && proxy.protocol !== "http:")
    throw new Refusal(
      `sandbox.network: off can go through an http:// proxy only, and the environment names ${proxy.protocol}//${proxy.host}.\nName an http:// one in HTTPS_PROXY, or leave sandbox.network open.`,
    );
  const { endpoints, note } = allEndpoints(settings, env);
  const reachable = endpoints.map(formatEndpoint);
  const reach = reachable.length === 0 ? "the agent reaches nothing" : `the agent reaches ${reachable.join(", ")}`;
  return { isolated, note: `${choice.note}; no network: ${reach}, gates and hooks only themselves${note === null ? "" : ` (${note})`}`, reachable };
}

/** Of every agent that may work in this run. */
function allEndpoints(settings: Wanted, env: NodeJS.ProcessEnv): AgentEndpoints {
  const each = agentsOf(settings).map((agent) => endpointsOf(agent, settings.network.hosts, { ...env, ...agent.envSet }));
  const endpoints = new Map(each.flatMap((found) => found.endpoints.map((endpoint) => [formatEndpoint(endpoint), endpoint])));
  const notes = [...new Set(each.flatMap(({ note }) => (note === null ? [] : [note])))];
  return { endpoints: [...endpoints.values()], note: notes.length === 0 ? null : notes.join("; ") };
}

export interface OpenedSandbox {
  /** Of gates, setup and hooks. */
  wrap: Wrap;
  agentWrap: Wrap;
  /** What the closed network refused since the last call; nothing where it is open. */
  take(): string[];
  close(): Promise<void>;
}

export async function openSandbox(options: {
  repo: RepoPlace;
  env: NodeJS.ProcessEnv;
  settings: Settings;
  tasks: readonly TaskIdentity[];
  control: Pick<Repo, "gitControlFiles">;
  /** Files of the person's git configuration. */
  personal: readonly string[];
}): Promise<OpenedSandbox> {
  const { repo, env, settings, tasks, control, personal } = options;
  const { root, gitDir, commonDir } = repo;
  const gitControl = (await control.gitControlFiles()).map((file) => file.path);
  const { folder } = personalConfig(env);
  const own = [userConfigDir(env), placesDir(env), ...(folder === null ? [] : [folder])];
  const plan = planMounts({ root, gitDir, commonDir, gitControl, personal, own }, { settings, edits: tasks.flatMap((task) => task.edits) });
  if (settings.network.access !== "off") {
    const wrap = sandboxWrap(plan);
    return { wrap, agentWrap: wrap, take: () => [], close: async () => undefined };
  }
  const { openClosedNetwork } = await import("../sandbox/closed-network.js");
  const network = await openClosedNetwork(allEndpoints(settings, env).endpoints, env);
  const mounts = () => [...plan(), ...network.mounts];
  return { wrap: sandboxWrap(mounts, "off"), agentWrap: sandboxWrap(mounts, "relayed", network.relayed), take: network.take, close: network.close };
}

/** Every process of this agent starts in the sandbox. */
export function isolated(agent: Agent, wrap: Wrap): Agent {
  return {
    kind: agent.kind,
    reach: agent.reach,
    check: () => agent.check(),
    start: (request) => agent.start({ ...request, wrap }),
    replayStream: (raw) => agent.replayStream(raw),
    reap: (token, keep) => agent.reap(token, keep),
  };
}
