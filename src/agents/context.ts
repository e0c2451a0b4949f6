/** What an agent is made from, beside the settings. */
export interface AgentContext {
  /** The repository's root, where agents start. */
  cwd: string;
  /** The driver's own environment: where to look for programs and logins. */
  env: NodeJS.ProcessEnv;
  /** A person agreed to what the repository's own files run as an agent. Else no program that the settings name is started. */
  confirmed: boolean;
}
