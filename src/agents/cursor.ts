/**
 * Cursor CLI, headless: `cursor-agent -p --output-format stream-json`, prompt on stdin. Written from its documented
 * stream format and not run against the real program, which needs an account for every request.
 */
import type { Settings } from "../core/settings.js";
import type { Agent } from "../driver/ports.js";
import { join } from "node:path";
import { type CliProduct, cliAgent } from "./cli/cli-agent.js";
import { type Login, NO_LOGIN, firstSet, found, hasEntries, homeOf, readJson, xdg } from "./cli/login.js";
import type { AgentContext } from "./context.js";
import { createCursorTranslator } from "./cursor/translate.js";

const PRODUCT: CliProduct = {
  kind: "cursor",
  program: "cursor-agent",
  install: "curl https://cursor.com/install -fsS | bash",
  reach: { streams: true, reportsUsage: false, reportsCost: false, reportsCommands: true },
  argv: ({ agent }) => ["-p", "--output-format", "stream-json", "--force", ...(agent.model === null ? [] : ["--model", agent.model]), ...agent.args],
  environment: () => ({}),
  login,
  loginHint: "run `cursor-agent login` once, or set CURSOR_API_KEY",
  translator: createCursorTranslator,
};

export function cursorAgent(settings: Settings, context: AgentContext): Agent {
  return cliAgent(PRODUCT, settings, context);
}

function login({ env }: AgentContext): Login {
  const key = firstSet(env, ["CURSOR_API_KEY", "CURSOR_AUTH_TOKEN"]);
  if (key !== null) return found(`subscription (${key})`);
  if (hasEntries(readJson(join(xdg(env, "XDG_CONFIG_HOME", ".config"), "cursor", "auth.json")))) return found("subscription");
  if (hasEntries(readJson(join(homeOf(env), ".cursor", "cli-config.json"))?.["authInfo"])) return found("subscription");
  // On macOS the login is in the keychain, and asking there would ask the user.
  return process.platform === "darwin" ? found(null) : NO_LOGIN;
}
