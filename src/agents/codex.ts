/** OpenAI Codex, headless: `codex exec --json`, prompt on stdin. */
import { join } from "node:path";
import type { Settings } from "../core/settings.js";
import { type CliProduct, option } from "./cli/cli-agent.js";
import { jsonLines } from "./cli/json-lines.js";
import { type Login, NO_LOGIN, firstSet, found, hasEntries, homeOf, readJson } from "./cli/login.js";
import { CodexDialect } from "./codex/translate.js";
import type { AgentContext } from "./context.js";
import { asText } from "./json.js";
import { readTextOrNull } from "../quiet-files.js";

/** It may not ask anybody, and the folder is known to be a repository. The driver's own sandbox holds instead of its. */
const BASE_ARGUMENTS = ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];

/** A provider of the user's own can be told to give up early; the built-in one can not. Waiting is the driver's part. */
const PROVIDER_RETRIES = [
  ["request_max_retries", 2],
  ["stream_max_retries", 2],
] as const;

export const product: CliProduct = {
  kind: "codex",
  program: "codex",
  install: "npm install -g @openai/codex",
  reach: { streams: true, reportsUsage: true, reportsCost: false, reportsCommands: true },
  argv: codexArguments,
  environment: () => ({}),
  login,
  loginHint: "start `codex login` once, or set CODEX_API_KEY",
  translator: (context) => jsonLines(new CodexDialect(context)),
};

function codexArguments({ agent }: Settings): string[] {
  const own = agent.args.join("\n");
  const provider = /(?:^|\n)(?:-c|--config=?)?\n?model_provider=["']?([\w-]+)/.exec(own)?.[1];
  return [
    ...BASE_ARGUMENTS,
    ...["-c", "check_for_update_on_startup=false"],
    ...option("-m", agent.model),
    ...(agent.effort === null ? [] : ["-c", `model_reasoning_effort="${agent.effort}"`]),
    ...(provider === undefined ? [] : retries(provider, own)),
    ...agent.args,
  ];
}

function retries(provider: string, own: string): string[] {
  return PROVIDER_RETRIES.flatMap(([name, count]) => (own.includes(name) ? [] : ["-c", `model_providers.${provider}.${name}=${count}`]));
}

/** In the order in which the CLI itself prefers them. */
function login({ env }: AgentContext, { agent }: Settings): Login {
  const key = firstSet(env, ["CODEX_API_KEY"]);
  if (key !== null) return found(`API key, per token (${key})`);
  const folder = env["CODEX_HOME"] ?? join(homeOf(env), ".codex");
  const auth = readJson(join(folder, "auth.json"));
  if (hasEntries(auth?.["tokens"])) return found("subscription (ChatGPT login)");
  if ((asText(auth?.["OPENAI_API_KEY"]) ?? "") !== "") return found("API key, per token (codex login)");
  // A provider of the user's own brings its own key, or needs none.
  const config = readTextOrNull(join(folder, "config.toml")) ?? "";
  if (/^\s*model_provider\s*=/m.test(config) || agent.args.some((argument) => argument.startsWith("model_provider="))) return found(null);
  const plain = firstSet(env, ["OPENAI_API_KEY"]);
  return plain === null ? NO_LOGIN : found(`API key, per token (${plain})`);
}
