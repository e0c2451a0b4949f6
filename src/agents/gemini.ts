/** Gemini CLI, headless: `-o stream-json`, prompt on stdin. */
import { join } from "node:path";
import { type CliProduct, option } from "./cli/cli-agent.js";
import { jsonLines } from "./cli/json-lines.js";
import { type Login, NO_LOGIN, firstSet, found, hasEntries, homeOf, readJson } from "./cli/login.js";
import type { AgentContext } from "./context.js";
import { GeminiDialect } from "./gemini/translate.js";
import { asObject, asText } from "./json.js";
import { readTextOrNull } from "../quiet-files.js";

/**
 * Without a second process for a larger heap (which would swallow signals), and without the question whether the
 * folder is trusted. Its ten tries for each request (four minutes) can only be shortened in the user's own settings
 * file (`general.maxAttempts`): a file that a variable names has to belong to root. Its silence is watched from outside.
 */
const CLI_ENVIRONMENT: Readonly<Record<string, string>> = {
  GEMINI_CLI_NO_RELAUNCH: "true",
  GEMINI_CLI_TRUST_WORKSPACE: "true",
};

export const product: CliProduct = {
  kind: "gemini",
  program: "gemini",
  install: "npm install -g @google/gemini-cli",
  // A failing shell command is a success without an exit code there: the brake for failing commands sees only its output.
  reach: { streams: true, reportsUsage: true, reportsCost: false, reportsCommands: false },
  argv: ({ agent }) => ["-o", "stream-json", "--yolo", ...option("-m", agent.model), ...agent.args],
  environment: () => ({ ...CLI_ENVIRONMENT }),
  login,
  loginHint: "start `gemini` once and log in, or set GEMINI_API_KEY",
  translator: (context) => jsonLines(new GeminiDialect(context)),
};

const AUTH_TYPES: Readonly<Record<string, string>> = {
  "oauth-personal": "Google account",
  "gemini-api-key": "API key, per token",
  "vertex-ai": "Google Vertex AI",
  "cloud-shell": "Cloud Shell",
};

function login({ env }: AgentContext): Login {
  if ((env["GOOGLE_GENAI_USE_VERTEXAI"] ?? "").toLowerCase() === "true") return found("Google Vertex AI");
  const folder = join(homeOf(env), ".gemini");
  const auth = asObject(asObject(readJson(join(folder, "settings.json"))?.["security"])?.["auth"]);
  const type = asText(auth?.["selectedType"]);
  if (type === "oauth-personal" || (env["GOOGLE_GENAI_USE_GCA"] ?? "").toLowerCase() === "true") {
    return hasEntries(readJson(join(folder, "oauth_creds.json"))) ? found("Google account") : NO_LOGIN;
  }
  const key = firstSet(env, ["GEMINI_API_KEY", "GOOGLE_API_KEY"]);
  if (key !== null) return found(`API key, per token (${key})`);
  if (/^\s*(?:GEMINI|GOOGLE)_API_KEY\s*=\s*\S/m.test(readTextOrNull(join(folder, ".env")) ?? "")) return found("API key, per token (~/.gemini/.env)");
  // The key itself may stand in the system's keychain.
  return type === null ? NO_LOGIN : found(AUTH_TYPES[type] ?? null);
}
