/** How each CLI is pointed at a model on the loopback interface: the settings that a person would make once. */
import { CLI_BIN, type Cli, executableOf } from "./clis.js";
import { onTestFinished } from "vitest";
import { type Models, startModels } from "./fakes/server.js";
import type { Turn } from "./fakes/turns.js";
import { openPlace, type Place } from "./place.js";

export type OtherCli = Exclude<Cli, "claude">;

export interface Setup {
  env(url: string): Record<string, string>;
  /** Paths below HOME. */
  home(url: string): Record<string, string>;
  args: string[];
  /** What makes it speak the Agent Client Protocol. */
  acp?: string[];
}

const KEY = "loopback-key";

export const SETUPS: Record<OtherCli, Setup> = {
  codex: {
    env: () => ({ LOOPBACK_KEY: KEY }),
    home: (url) => ({
      ".codex/config.toml": `model = "gpt-5.5"
model_provider = "loopback"
analytics = { enabled = false }

[model_providers.loopback]
name = "loopback"
base_url = "${url}/v1"
env_key = "LOOPBACK_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
`,
    }),
    args: [],
  },
  gemini: {
    env: (url) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url }),
    home: () => ({
      ".gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
        general: { maxAttempts: 2, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    // The model of its own choice costs a request to a router each time.
    args: ["--model", "gemini-2.5-pro"],
    acp: ["--acp", "--model", "gemini-2.5-pro"],
  },
  opencode: {
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    home: (url) => ({
      ".config/opencode/opencode.json": JSON.stringify({
        model: "loopback/loopback-model",
        small_model: "loopback/loopback-model",
        provider: {
          loopback: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${url}/v1`, apiKey: KEY },
            models: { "loopback-model": { limit: { context: 200_000, output: 32_000 }, cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 } } },
          },
        },
      }),
    }),
    args: [],
    acp: ["acp"],
  },
  copilot: {
    env: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: "loopback-model",
      COPILOT_OFFLINE: "true",
    }),
    home: () => ({}),
    args: [],
    acp: ["--acp"],
  },
  pi: {
    env: () => ({ PATH: `${CLI_BIN}:${process.env["PATH"]}` }),
    home: (url) => ({
      ".pi/agent/settings.json": JSON.stringify({ defaultProvider: "loopback", defaultModel: "loopback-model" }),
      ".pi/agent/models.json": JSON.stringify({
        providers: {
          loopback: {
            baseUrl: `${url}/v1`,
            api: "openai-completions",
            apiKey: KEY,
            models: [{ id: "loopback-model", contextWindow: 200_000, maxTokens: 32_000, cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } }],
          },
        },
      }),
    }),
    args: [],
  },
};

export interface AgentPlace extends Place {
  models: Models;
}

export interface AgentFacts {
  files: Record<string, string>;
  plan: string;
  turns: Turn[];
  /** By its own stream; or as any agent that speaks the protocol. */
  through?: "acp";
}

export async function openAgentPlace(cli: OtherCli, facts: AgentFacts): Promise<AgentPlace> {
  const models = await startModels(facts.turns);
  onTestFinished(() => models.close());
  const setup = SETUPS[cli];
  const place = openPlace({
    files: facts.files,
    plan: facts.plan,
    agent: facts.through === "acp" ? `acp:${[executableOf(cli), ...(setup.acp ?? [])].join(" ")}` : cli,
    env: { [`RALPHD_${cli.toUpperCase()}_PATH`]: executableOf(cli), ...setup.env(models.url) },
    home: setup.home(models.url),
  });
  const withArgs = (args: string[]): string[] => [...(facts.through === "acp" ? [] : setup.args), ...args];
  return { ...place, models, start: (...args) => place.start(...withArgs(args)), run: (...args) => place.run(...withArgs(args)) };
}
