/** pi, headless: `--mode json -p`, prompt on stdin. */
import { join } from "node:path";
import { type CliProduct, option } from "./cli/cli-agent.js";
import { jsonLines } from "./cli/json-lines.js";
import { type Login, NO_LOGIN, firstSet, found, hasEntries, homeOf, readJson } from "./cli/login.js";
import type { AgentContext } from "./context.js";
import { PiDialect } from "./pi/translate.js";

export const product: CliProduct = {
  kind: "pi",
  program: "pi",
  install: "npm install -g @earendil-works/pi-coding-agent",
  reach: { streams: true, reportsUsage: true, reportsCost: true, reportsCommands: true },
  argv: ({ agent }) => ["--mode", "json", "-p", ...option("--model", agent.model), ...option("--thinking", agent.effort), ...agent.args],
  // No look for updates at the start. Its three retries take 14 seconds and need no knob.
  environment: () => ({ PI_OFFLINE: "1" }),
  login,
  loginHint: "start `pi` once and log in with /login, or set the key of a provider such as ANTHROPIC_API_KEY",
  translator: (context) => jsonLines(new PiDialect(context)),
};

const PROVIDER_KEYS = ["ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "GROQ_API_KEY", "XAI_API_KEY"];

function login({ env }: AgentContext): Login {
  const folder = env["PI_CODING_AGENT_DIR"] ?? join(homeOf(env), ".pi", "agent");
  const auth = readJson(join(folder, "auth.json"));
  if (hasEntries(auth)) return found(`login of ${Object.keys(auth ?? {}).join(", ")}`);
  const key = firstSet(env, PROVIDER_KEYS);
  if (key !== null) return found(`API key, per token (${key})`);
  return hasEntries(readJson(join(folder, "models.json"))?.["providers"]) ? found(null) : NO_LOGIN;
}
