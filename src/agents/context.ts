/** What an agent is made from, beside the settings. */
export interface AgentContext {
  /** The repository's root, where agents start. */
  cwd: string;
  /** The driver's own environment: where to look for programs and logins. */
  env: NodeJS.ProcessEnv;
}
