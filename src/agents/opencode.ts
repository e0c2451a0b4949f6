/** OpenCode, headless: `opencode run --format json`, prompt on stdin. */
import { join } from "node:path";
import type { Settings } from "../core/settings.js";
import { type CliProduct, option } from "./cli/cli-agent.js";
import { jsonLines } from "./cli/json-lines.js";
import { type Login, NO_LOGIN, firstSet, found, hasEntries, readJson, xdg } from "./cli/login.js";
import type { AgentContext } from "./context.js";
import { OpencodeDialect } from "./opencode/translate.js";
import { readTextOrNull } from "../quiet-files.js";

const CLI_ENVIRONMENT: Readonly<Record<string, string>> = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_CONFIG_CONTENT: JSON.stringify({ autoupdate: false, share: "disabled" }),
};

export const product: CliProduct = {
  kind: "opencode",
  program: "opencode",
  install: "npm install -g opencode-ai",
  reach: { streams: true, reportsUsage: true, reportsCost: true, reportsCommands: true },
  argv: ({ agent }) => [
    "run",
    "--format",
    "json",
    // Nobody is there to answer: what the user's own configuration does not deny is allowed.
    "--auto",
    // Else a second request to the model makes one up.
    "--title",
    "ralphd",
    ...option("--model", agent.model),
    ...option("--variant", agent.effort),
    ...agent.args,
  ],
  environment: () => ({ ...CLI_ENVIRONMENT }),
  login,
  loginHint: "run `opencode auth login` once, set the key of a provider, or name one of its free models with --model opencode/…",
  translator: (context) => jsonLines(new OpencodeDialect(context)),
};

const PROVIDER_KEYS = [
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "OPENROUTER_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "GROQ_API_KEY",
  "OPENCODE_API_KEY",
];

function login({ env, cwd }: AgentContext, { agent }: Settings): Login {
  const auth = readJson(join(xdg(env, "XDG_DATA_HOME", ".local/share"), "opencode", "auth.json"));
  if (hasEntries(auth)) return found(`login of ${Object.keys(auth ?? {}).join(", ")}`);
  const key = firstSet(env, PROVIDER_KEYS);
  if (key !== null) return found(`API key, per token (${key})`);
  // A provider in a configuration file brings its own key; the file may be JSON with comments.
  const config = join(xdg(env, "XDG_CONFIG_HOME", ".config"), "opencode");
  const files = [
    env["OPENCODE_CONFIG"],
    join(cwd, "opencode.json"),
    join(cwd, "opencode.jsonc"),
    join(config, "opencode.json"),
    join(config, "opencode.jsonc"),
  ];
  const texts = [env["OPENCODE_CONFIG_CONTENT"] ?? "", ...files.map((path) => (path === undefined ? "" : (readTextOrNull(path) ?? "")))];
  if (texts.some((text) => /"provider"\s*:/.test(text))) return found(null);
  return agent.model?.startsWith("opencode/") === true ? found("free models of OpenCode") : NO_LOGIN;
}
