/** GitHub Copilot CLI, headless: `--output-format json`, prompt on stdin. */
import { join } from "node:path";
import type { Settings } from "../core/settings.js";
import type { Agent } from "../driver/ports.js";
import { type CliProduct, cliAgent } from "./cli/cli-agent.js";
import { type Login, NO_LOGIN, firstSet, found, hasEntries, homeOf } from "./cli/login.js";
import type { AgentContext } from "./context.js";
import { createCopilotTranslator } from "./copilot/translate.js";
import { asObject, parseJson } from "./json.js";
import { readTextOrNull } from "../quiet-files.js";

const PRODUCT: CliProduct = {
  kind: "copilot",
  program: "copilot",
  install: "npm install -g @github/copilot",
  // It bills premium requests and tells no tokens; only how full its context is shows, after each tool.
  reach: { streams: true, reportsUsage: false, reportsCost: false, reportsCommands: true },
  argv: ({ agent }) => [
    "--output-format",
    "json",
    "--allow-all",
    "--no-auto-update",
    ...(agent.model === null ? [] : ["--model", agent.model]),
    ...(agent.effort === null ? [] : ["--effort", agent.effort]),
    ...agent.args,
  ],
  environment: () => ({ COPILOT_AUTO_UPDATE: "false" }),
  login,
  loginHint: "start `copilot` once and log in with /login, or set COPILOT_GITHUB_TOKEN",
  translator: createCopilotTranslator,
};

export function copilotAgent(settings: Settings, context: AgentContext): Agent {
  return cliAgent(PRODUCT, settings, context);
}

function login({ env }: AgentContext): Login {
  if (firstSet(env, ["COPILOT_PROVIDER_BASE_URL"]) !== null) return found("own model provider (COPILOT_PROVIDER_BASE_URL)");
  const token = firstSet(env, ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"]);
  if (token !== null) return found(`subscription, premium requests (${token})`);
  const folder = env["COPILOT_HOME"] ?? join(homeOf(env), ".copilot");
  // The file begins with comments. The token itself may stand in the system's keychain.
  const text = (readTextOrNull(join(folder, "config.json")) ?? "").replace(/^\s*\/\/.*$/gm, "");
  const config = asObject(parseJson(text));
  const users = [config?.["lastLoggedInUser"], config?.["loggedInUsers"], config?.["last_logged_in_user"], config?.["logged_in_users"]];
  return users.some((value) => hasEntries(value) || (Array.isArray(value) && value.length > 0)) ? found("subscription, premium requests") : NO_LOGIN;
}
