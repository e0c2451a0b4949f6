/** GitHub Copilot CLI, headless: `--output-format json`, prompt on stdin. */
import { join } from "node:path";
import { type CliProduct, option } from "./cli/cli-agent.js";
import { jsonLines } from "./cli/json-lines.js";
import { type Login, NO_LOGIN, firstSet, found, hasEntries, homeOf } from "./cli/login.js";
import type { AgentContext } from "./context.js";
import { CopilotDialect } from "./copilot/translate.js";
import { asObject, parseJson } from "./json.js";
import { readTextOrNull } from "../quiet-files.js";

export const product: CliProduct = {
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
    ...option("--model", agent.model),
    ...option("--effort", agent.effort),
    ...agent.args,
  ],
  environment: () => ({ COPILOT_AUTO_UPDATE: "false" }),
  login,
  loginHint: "start `copilot` once and log in with /login, or set COPILOT_GITHUB_TOKEN",
  translator: (context) => jsonLines(new CopilotDialect(context)),
};

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
