/** Claude Code, headless: prompt on stdin, `stream-json` out. */
import { randomUUID } from "node:crypto";
import type { Settings } from "../core/settings.js";
import type { Agent, AgentCheck } from "../driver/ports.js";
import { CLI_ENVIRONMENT } from "./claude/environment.js";
import { claudeLogin } from "./claude/login.js";
import { createClaudeTranslator } from "./claude/translate.js";
import type { AgentContext } from "./context.js";
import { findExecutable } from "./executable.js";
import { replayStream } from "./process/replay-stream.js";
import { runCommand, startProcess, sweep } from "./process/tree.js";

/** Replaces the executable that PATH would give. */
const PATH_VARIABLE = "RALPHD_CLAUDE_PATH";
const VERSION_TIMEOUT_MS = 15_000;

const BASE_ARGUMENTS = ["-p", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"];

export function claudeAgent(settings: Settings, context: AgentContext): Agent {
  const [program, ...before] = settings.agent.argv;
  const file = program ?? context.env[PATH_VARIABLE] ?? "claude";
  const translator = (cwd: string) =>
    createClaudeTranslator({
      roots: [cwd],
      prices: settings.agent.prices,
      nowMs: Date.now,
      localZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  return {
    kind: "claude",
    reach: { streams: true, reportsUsage: true, reportsCost: true, reportsCommands: true },
    check: () => check(file, before, context),
    start: (request) =>
      startProcess({
        argv: [file, ...before, ...claudeArguments(settings)],
        cwd: request.cwd,
        env: { ...claudeEnvironment(settings), ...request.env },
        stdin: request.prompt,
        streamPath: request.streamPath,
        token: request.token,
        wrap: request.wrap,
        translator: translator(request.cwd),
        killGraceMs: settings.killGraceMs,
        settleGraceMs: settings.settleGraceMs,
      }),
    replayStream: (raw) => replayStream(translator(context.cwd), raw),
    reap: (token) => sweep(token),
  };
}

export function claudeArguments({ agent }: Settings): string[] {
  return [...BASE_ARGUMENTS, ...(agent.model === null ? [] : ["--model", agent.model]), ...agent.args];
}

export function claudeEnvironment({ agent }: Settings): Record<string, string> {
  const env: Record<string, string> = { ...CLI_ENVIRONMENT };
  if (agent.effort !== null) env["CLAUDE_CODE_EFFORT_LEVEL"] = agent.effort;
  // Without it the CLI refuses to skip its permission prompts as root, which is the usual user of a container.
  if (process.getuid?.() === 0) env["IS_SANDBOX"] = "1";
  return env;
}

async function check(file: string, before: string[], context: AgentContext): Promise<AgentCheck> {
  const found = findExecutable(file, { cwd: context.cwd, path: context.env["PATH"] });
  if (found.kind === "missing") {
    const hint = "install it with `npm install -g @anthropic-ai/claude-code`, or set RALPHD_CLAUDE_PATH";
    return { kind: "missing", message: `claude: ${found.message}; ${hint}` };
  }
  const version = await versionOf([found.path, ...before], context);
  if (version.kind === "missing") return version;
  const login = claudeLogin(context.env);
  if (login.kind === "none") {
    return { kind: "notLoggedIn", message: "claude is not logged in: start `claude` once and log in, or set ANTHROPIC_API_KEY" };
  }
  return { kind: "ready", version: version.version, billing: login.billing };
}

async function versionOf(argv: string[], { cwd, env }: AgentContext) {
  const defined = Object.entries({ ...CLI_ENVIRONMENT, ...env }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const { exit, output } = await runCommand({
    argv: [...argv, "--version"],
    cwd,
    env: Object.fromEntries(defined),
    timeoutMs: VERSION_TIMEOUT_MS,
    outputPath: null,
    signal: new AbortController().signal,
    token: randomUUID(),
    killGraceMs: 1_000,
  });
  if (exit.kind === "exited" && exit.code === 0) {
    return { kind: "ready" as const, version: /\d+\.\d+\.\d+\S*/.exec(output)?.[0] ?? output.trim() };
  }
  const how = exit.kind === "cannotStart" ? exit.message : `${argv.join(" ")} --version: ${exit.kind} ${output.trim().slice(-300)}`;
  return { kind: "missing" as const, message: `claude does not run: ${how}` };
}
