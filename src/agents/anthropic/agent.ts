/** The `anthropic` agent: the built-in loop on the Messages API. */
import type { AgentSettings } from "../../core/settings.js";
import type { Agent, AgentCheck } from "../../driver/ports.js";
import { sweep } from "../process/tree.js";
import { type BuiltInDeps, replayBuiltIn, startBuiltIn } from "./built-in.js";
import { DEFAULT_MODEL, EFFORTS, type Effort } from "./config.js";
import { costMicroUsd } from "./prices.js";

export function anthropicAgent(settings: AgentSettings, deps: BuiltInDeps): Agent {
  const model = settings.model ?? DEFAULT_MODEL;
  return {
    kind: "anthropic",
    reach: { streams: true, reportsUsage: true, reportsCost: isPriced(model, settings), reportsCommands: true },
    check: () => check(settings, deps.env),
    start: (request) => startBuiltIn(request, { model, effort: effortOf(settings), prices: settings.prices }, deps),
    replayStream: replayBuiltIn,
    reap: sweep,
  };
}

async function check(settings: AgentSettings, env: NodeJS.ProcessEnv): Promise<AgentCheck> {
  const { VERSION } = await import("@anthropic-ai/sdk/version");
  const isSet = (name: string) => (env[name] ?? "").trim() !== "";
  if (!isSet("ANTHROPIC_API_KEY") && !isSet("ANTHROPIC_AUTH_TOKEN")) {
    return { kind: "notLoggedIn", message: "set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN) in the environment of ralphd" };
  }
  if (settings.effort !== null && effortOf(settings) === null) {
    return { kind: "missing", message: `effort ${settings.effort} is not one of ${EFFORTS.join(", ")}` };
  }
  const gateway = isSet("ANTHROPIC_BASE_URL") ? ` through ${gatewayHost(env["ANTHROPIC_BASE_URL"] ?? "")}` : "";
  return { kind: "ready", version: VERSION, billing: `API key, per token${gateway}` };
}

/** Host only: a URL may carry a password. */
function gatewayHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "ANTHROPIC_BASE_URL, which is not a URL";
}

function effortOf(settings: AgentSettings): Effort | null {
  return EFFORTS.find((effort) => effort === settings.effort) ?? null;
}

function isPriced(model: string, settings: AgentSettings): boolean {
  const nothing = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 };
  return costMicroUsd(model, nothing, settings.prices) !== null;
}
