/**
 * Cursor CLI, headless: `cursor-agent -p --output-format stream-json`, prompt on stdin. Written from its documented
 * stream format and not run against the real program, which needs an account for every request.
 */
import { join } from "node:path";
import { type CliProduct, option } from "./cli/cli-agent.js";
import { jsonLines } from "./cli/json-lines.js";
import { type Login, NO_LOGIN, firstSet, found, hasEntries, homeOf, readJson, xdg } from "./cli/login.js";
import type { AgentContext } from "./context.js";
import { CursorDialect } from "./cursor/translate.js";

export const product: CliProduct = {
  kind: "cursor",
  program: "cursor-agent",
  install: "curl https://cursor.com/install -fsS | bash",
  reach: { streams: true, reportsUsage: false, reportsCost: false, reportsCommands: true },
  argv: ({ agent }) => ["-p", "--output-format", "stream-json", "--force", ...option("--model", agent.model), ...agent.args],
  environment: () => ({}),
  login,
  loginHint: "run `cursor-agent login` once, or set CURSOR_API_KEY",
  translator: (context) => jsonLines(new CursorDialect(context)),
};

function login({ env }: AgentContext): Login {
  const key = firstSet(env, ["CURSOR_API_KEY", "CURSOR_AUTH_TOKEN"]);
  if (key !== null) return found(`subscription (${key})`);
  if (hasEntries(readJson(join(xdg(env, "XDG_CONFIG_HOME", ".config"), "cursor", "auth.json")))) return found("subscription");
  if (hasEntries(readJson(join(homeOf(env), ".cursor", "cli-config.json"))?.["authInfo"])) return found("subscription");
  // On macOS the login is in the keychain, and asking there would ask the user.
  return process.platform === "darwin" ? found(null) : NO_LOGIN;
}
