/** Claude Code, headless: the prompt and later notes as `stream-json` messages on stdin, `stream-json` out. */
import { ownInput } from "../core/context-warning.js";
import type { Settings } from "../core/settings.js";
import { CLI_ENVIRONMENT } from "./claude/environment.js";
import { claudeLogin } from "./claude/login.js";
import { createClaudeTranslator } from "./claude/translate.js";
import { type CliProduct, option } from "./cli/cli-agent.js";

const BASE_ARGUMENTS = ["-p", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"];
/** Each message comes back when the CLI takes it in, which shows that a note has reached the model. */
const INPUT_ARGUMENTS = ["--input-format", "stream-json", "--replay-user-messages"];

export const product: CliProduct = {
  kind: "claude",
  program: "claude",
  install: "npm install -g @anthropic-ai/claude-code",
  reach: { streams: true, reportsUsage: true, reportsCost: true, reportsCommands: true },
  argv: claudeArguments,
  message: ({ agent }) => (ownInput(agent.args) ? null : userMessage),
  refuses: asksForApproval,
  environment: claudeEnvironment,
  login: ({ env }) => claudeLogin(env),
  loginHint: "start `claude` once and log in, or set ANTHROPIC_API_KEY",
  translator: createClaudeTranslator,
};

/** Nobody answers at night: modes that ask or only plan would spend money on nothing. */
function asksForApproval(args: readonly string[]): string | null {
  const at = args.findIndex((arg) => arg === "--permission-mode" || arg.startsWith("--permission-mode="));
  const mode = at === -1 ? undefined : (args[at]?.split("=")[1] ?? args[at + 1]);
  if (mode !== "plan" && mode !== "default" && mode !== "manual") return null;
  return `--permission-mode ${mode} waits for a person's approval; leave it out of agent.args for an unattended run`;
}

function claudeArguments({ agent }: Settings): string[] {
  return [...BASE_ARGUMENTS, ...(ownInput(agent.args) ? [] : INPUT_ARGUMENTS), ...option("--model", agent.model), ...agent.args];
}

function claudeEnvironment({ agent }: Settings): Record<string, string> {
  const env: Record<string, string> = { ...CLI_ENVIRONMENT };
  if (agent.effort !== null) env["CLAUDE_CODE_EFFORT_LEVEL"] = agent.effort;
  // Without it the CLI refuses to skip its permission prompts as root, which is the usual user of a container.
  if (process.getuid?.() === 0) env["IS_SANDBOX"] = "1";
  return env;
}

function userMessage(text: string): string {
  return `${JSON.stringify({ type: "user", message: { role: "user", content: [{ type: "text", text }] } })}\n`;
}
