/** The environment of commands that the model runs: the process's own without its secrets, and without anything that waits for a person. */
import { CONFIG_ENV } from "../config.js";

const UNATTENDED: Record<string, string> = {
  CI: "1",
  PAGER: "cat",
  MANPAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  NO_COLOR: "1",
  DEBIAN_FRONTEND: "noninteractive",
};

export function commandEnv(own: NodeJS.ProcessEnv): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined || name.startsWith("ANTHROPIC_") || name === CONFIG_ENV) continue;
    env[name] = value;
  }
  return { ...env, ...UNATTENDED };
}
