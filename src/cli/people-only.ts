/** Refuses controls below an agent: what an agent starts inherits the marks of its iteration. Best effort outside a sandbox. */
import { AGENT_MARKS, markedAncestor } from "../workspace/ancestry.js";

/** Why this process may not control a run; null for a person. */
export function agentAbove(env: NodeJS.ProcessEnv, parent: number = process.ppid): string | null {
  const mark = AGENT_MARKS.find((name) => (env[name] ?? "") !== "");
  if (mark !== undefined) return refusal(`${mark} is set`);
  // A cleared environment does not hide the processes above.
  const above = markedAncestor(parent);
  return above === null ? null : refusal(`process ${above.pid} above it carries ${above.mark}`);
}

function refusal(why: string): string {
  return `this is for people: the command was started below an agent (${why}), and agents do not control their own run.`;
}
