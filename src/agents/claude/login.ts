/** Whether Claude Code has a login, and who pays, as far as that shows without starting it. */
import { join } from "node:path";
import { type Login, homeOf, readJson } from "../cli/login.js";
import { asObject, asText } from "../json.js";

const CLOUDS: readonly (readonly [string, string])[] = [
  ["CLAUDE_CODE_USE_BEDROCK", "Amazon Bedrock"],
  ["CLAUDE_CODE_USE_VERTEX", "Google Vertex AI"],
  ["CLAUDE_CODE_USE_FOUNDRY", "Microsoft Foundry"],
];

/** In the order in which the CLI itself prefers them. */
export function claudeLogin(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): Login {
  for (const [variable, name] of CLOUDS) {
    if (!["", "0", "false", undefined].includes(env[variable])) return { kind: "found", billing: name };
  }
  if (env["ANTHROPIC_AUTH_TOKEN"]) return { kind: "found", billing: "bearer token (ANTHROPIC_AUTH_TOKEN)" };
  if (env["ANTHROPIC_API_KEY"]) return { kind: "found", billing: "API key, per token (ANTHROPIC_API_KEY)" };
  if (env["CLAUDE_CODE_OAUTH_TOKEN"]) return { kind: "found", billing: "subscription (CLAUDE_CODE_OAUTH_TOKEN)" };
  const folder = env["CLAUDE_CONFIG_DIR"] ?? join(homeOf(env), ".claude");
  if (asText(readJson(join(folder, "settings.json"))?.["apiKeyHelper"]) !== null) return { kind: "found", billing: "API key, per token (apiKeyHelper)" };
  const oauth = asObject(readJson(join(folder, ".credentials.json"))?.["claudeAiOauth"]);
  if (oauth !== null) {
    const plan = asText(oauth["subscriptionType"]);
    return { kind: "found", billing: plan === null ? "subscription" : `subscription (${plan})` };
  }
  // On macOS the login is in the keychain, and asking there would ask the user.
  return platform === "darwin" ? { kind: "found", billing: null } : { kind: "none" };
}
