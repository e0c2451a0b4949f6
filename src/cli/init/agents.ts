/** Which agents could work here, for the person who sets a repository up. */
import { everyAgent } from "../../agents/registry.js";
import { DEFAULT_SETTINGS } from "../../core/defaults.js";

export interface ReadyAgent {
  kind: string;
  /** `claude 2.1.332, subscription` */
  note: string;
}

/** Those that are installed and logged in, in the order in which `auto` takes them. */
export async function readyAgents(root: string, env: NodeJS.ProcessEnv): Promise<ReadyAgent[]> {
  const agents = await everyAgent(DEFAULT_SETTINGS, DEFAULT_SETTINGS, { cwd: root, env, confirmed: true });
  // The two that play what they are given are always ready and nobody's choice for a night.
  const real = agents.filter(({ name }) => name !== "replay" && name !== "command");
  const checked = await Promise.all(real.map(async ({ agent }) => ({ kind: agent.kind, check: await agent.check() })));
  return checked.flatMap(({ kind, check }) =>
    check.kind === "ready" ? [{ kind, note: `${kind} ${check.version}${check.billing === null ? "" : `, ${check.billing}`}` }] : [],
  );
}
