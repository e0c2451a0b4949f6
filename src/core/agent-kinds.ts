/** The agents that can be named, in the order in which `auto` tries those that are installed. */
export const AGENT_KINDS = ["auto", "claude", "codex", "gemini", "opencode", "copilot", "pi", "cursor", "acp", "anthropic", "command", "replay"] as const;

/** `acp:<command>` names the kind and its command in one word. */
export const ACP_PREFIX = "acp:";
