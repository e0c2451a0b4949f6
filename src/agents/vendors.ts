/** What each agent needs of its vendor: variables of the environment, and hosts. One row an agent. */

export interface Vendor {
  /** Keys, endpoints and settings, which an agent gets in a `minimal` environment too; `*` stands for any characters. */
  variables: readonly string[];
  /** Model and login, as the vendor documents them for firewalls; absent where the user chooses whom to ask. */
  hosts?: readonly string[];
  /** Variables that move the model elsewhere; what they name then stands instead of the hosts. */
  addresses?: readonly string[];
}

const VENDORS: Readonly<Record<string, Vendor>> = {
  claude: {
    variables: ["ANTHROPIC_*", "CLAUDE_*", "API_TIMEOUT_MS", "DISABLE_*", "AWS_*", "CLOUD_ML_REGION", "GOOGLE_APPLICATION_CREDENTIALS"],
    hosts: ["api.anthropic.com", "claude.ai", "platform.claude.com", "console.anthropic.com"],
    addresses: ["ANTHROPIC_BASE_URL", "ANTHROPIC_BEDROCK_BASE_URL", "ANTHROPIC_VERTEX_BASE_URL"],
  },
  anthropic: { variables: ["ANTHROPIC_*"], hosts: ["api.anthropic.com"], addresses: ["ANTHROPIC_BASE_URL"] },
  codex: {
    variables: ["OPENAI_*", "CODEX_*", "AZURE_OPENAI_*"],
    hosts: ["api.openai.com", "chatgpt.com", "auth.openai.com"],
    addresses: ["OPENAI_BASE_URL"],
  },
  gemini: {
    variables: ["GEMINI_*", "GOOGLE_*"],
    hosts: ["generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com", "oauth2.googleapis.com"],
    addresses: ["GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "CODE_ASSIST_ENDPOINT"],
  },
  opencode: { variables: ["OPENCODE_*", "OPENAI_*", "ANTHROPIC_*", "OPENROUTER_*", "GEMINI_*", "GOOGLE_*", "GROQ_*"] },
  copilot: {
    variables: ["COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN"],
    hosts: ["api.githubcopilot.com", "*.githubcopilot.com", "api.github.com"],
    addresses: ["COPILOT_PROVIDER_BASE_URL"],
  },
  pi: { variables: ["PI_*", "OPENAI_*", "ANTHROPIC_*", "OPENROUTER_*", "GEMINI_*", "GROQ_*", "XAI_*"] },
  cursor: { variables: ["CURSOR_*"], hosts: ["*.cursor.sh", "api.cursor.com"] },
  replay: { variables: [], hosts: [] },
};

/** A command of the user's own has no vendor that anybody knows. */
const UNKNOWN: Vendor = { variables: [] };

export function vendorOf(kind: string): Vendor {
  return (Object.hasOwn(VENDORS, kind) ? VENDORS[kind] : undefined) ?? UNKNOWN;
}
