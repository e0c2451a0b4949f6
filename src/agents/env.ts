/** The environment that an agent and its gates get. */
import { agentsOf } from "../core/agent-list.js";
import type { AgentSettings, Settings } from "../core/settings.js";
import { vendorOf } from "./vendors.js";

export interface EnvironmentOptions {
  base: NodeJS.ProcessEnv;
  /** `minimal`: only what programs need to run at all, plus `pass` and `keepSecrets`. */
  mode: "inherit" | "minimal";
  /** Names; `*` stands for any characters. */
  pass: string[];
  /** Same; wins over everything else. */
  deny: string[];
  run: string;
  iteration: number;
  token: string;
  /** What the agent's vendor needs; same patterns. */
  keepSecrets: readonly string[];
}

/** Depth of ralphd runs inside each other; absent outside of any. */
const DEPTH_VARIABLE = "RALPHD_DEPTH";

/**
 * Variables by which an agent tells its children that they run inside it: some CLIs refuse to start below
 * themselves, others change their output. Settings and keys of the same vendors do not belong here.
 */
const SURROUNDING_AGENT = [
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_AGENT_SDK_VERSION",
  "CODEX_SANDBOX",
  "CODEX_SANDBOX_*",
  "CODEX_THREAD_ID",
  "CODEX_CI",
  "CODEX_MANAGED_*",
  "GEMINI_CLI",
  "QWEN_CODE",
  "OPENCODE",
  "OPENCODE_PID",
  "OPENCODE_CALLER",
  "CURSOR_AGENT",
  "CURSOR_TRACE_ID",
  "CURSOR_INVOKED_AS",
  "COPILOT_CLI",
  "COPILOT_AGENT_*",
  "AGENT",
  "AI_AGENT",
  "PI_CODING_AGENT",
];

/** Our own settings, webhooks and tokens are not the agent's business. */
const DRIVER = ["RALPHD_*"];

const ESSENTIAL = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "TERM",
  "LANG",
  "LANGUAGE",
  "LC_*",
  "TZ",
  "TMPDIR",
  "XDG_*",
  "SSL_CERT_*",
  "NODE_EXTRA_CA_CERTS",
  "NODE_USE_SYSTEM_CA",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "all_proxy",
];

/** The environment of one agent and of the gates beside it, as its settings say. */
export function environmentOf(agent: AgentSettings, facts: Pick<EnvironmentOptions, "base" | "run" | "iteration" | "token">): Record<string, string> {
  const { kind, env: mode, envPass, envDeny: deny, envSet } = agent;
  const base = { ...facts.base, ...envSet };
  return agentEnvironment({ ...facts, base, mode, pass: [...envPass, ...Object.keys(envSet)], deny, keepSecrets: vendorOf(kind).variables });
}

/** PATH of every agent that may work in this run, so of every gate, and that of reviewers: one after the other. */
export function searchedPath(settings: Pick<Settings, "agent" | "fallback">, base: NodeJS.ProcessEnv): string {
  const facts = { base, run: "", iteration: 0, token: "" };
  const paths = [...agentsOf(settings).map((agent) => environmentOf(agent, facts)["PATH"]), base["PATH"]];
  return [...new Set(paths.flatMap((path) => path?.split(":") ?? []))].join(":");
}

export function agentEnvironment(options: EnvironmentOptions): Record<string, string> {
  const removed = matcher([...SURROUNDING_AGENT, ...DRIVER]);
  const denied = matcher(options.deny);
  const passed = matcher([...ESSENTIAL, ...options.pass, ...options.keepSecrets]);
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.base)) {
    if (value === undefined || removed(name) || denied(name)) continue;
    if (options.mode === "inherit" || passed(name)) env[name] = value;
  }
  const outer = Number(options.base[DEPTH_VARIABLE] ?? "0");
  env["RALPHD_RUN"] = options.run;
  env["RALPHD_ITERATION"] = String(options.iteration);
  env["RALPHD_TOKEN"] = options.token;
  env[DEPTH_VARIABLE] = String((Number.isInteger(outer) && outer > 0 ? outer : 0) + 1);
  return env;
}

/** What a reviewing model needs, whatever the maker may see: a program's essentials and its own vendor's variables. */
export function reviewerEnvironment(base: NodeJS.ProcessEnv): (agent: "anthropic" | "claude" | "command") => Record<string, string> {
  return (agent) => {
    const passed = matcher([...ESSENTIAL, ...vendorOf(agent).variables, "RALPHD_CLAUDE_PATH"]);
    const marks = matcher(SURROUNDING_AGENT);
    return Object.fromEntries(
      Object.entries(base).filter((entry): entry is [string, string] => entry[1] !== undefined && passed(entry[0]) && !marks(entry[0])),
    );
  };
}

const matchers = new Map<string, (name: string) => boolean>();

/** Kept by its patterns, which are the same in every iteration. */
function matcher(patterns: readonly string[]): (name: string) => boolean {
  const key = patterns.join("\0");
  const known = matchers.get(key) ?? compile(patterns);
  matchers.set(key, known);
  return known;
}

function compile(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes("*")));
  const wild = patterns.filter((pattern) => pattern.includes("*")).map((pattern) => new RegExp(`^${pattern.split("*").map(escapeRegExp).join(".*")}$`));
  return (name) => exact.has(name) || wild.some((pattern) => pattern.test(name));
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.|?+()[\]{}]/g, "\\$&");
}
