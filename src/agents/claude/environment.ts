/** Environment of every Claude Code process that the driver starts. */

/**
 * Set unless the user did. By itself the CLI repeats a failing request for three minutes, and a hanging one for
 * half an hour; waiting is the driver's part, and three tries must fit into its time for silence.
 */
export const CLI_ENVIRONMENT: Readonly<Record<string, string>> = {
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_MAX_RETRIES: "2",
  API_TIMEOUT_MS: "180000",
};
