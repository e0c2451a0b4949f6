/** Refuses controls below an agent: what an agent starts inherits the marks of its iteration. Best effort outside a sandbox. */

/** Set by the driver in the environment of every agent, gate and hook. */
const MARKS = ["RALPHD_TOKEN", "RALPHD_RUN"] as const;

/** Why this process may not control a run; null for a person. */
export function agentAbove(env: NodeJS.ProcessEnv): string | null {
  const mark = MARKS.find((name) => (env[name] ?? "") !== "");
  if (mark === undefined) return null;
  return `this is for people: the command was started below an agent (${mark} is set), and agents do not control their own run.`;
}
