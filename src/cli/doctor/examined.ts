/** What the doctor looks at: repository, settings and plan of this place, as far as they can be read. */
import { join } from "node:path";
import { createAgent } from "../../agents/registry.js";
import { type ConfigProblem, formatProblem } from "../../config/load.js";
import { agentCommands, type RepositoryCommand } from "../../config/repository-commands.js";
import { readIfThere } from "../../config/files.js";
import { loadConfig } from "../../config/sources.js";
import { isConfirmed } from "../../config/trust.js";
import { DEFAULT_SETTINGS } from "../../core/defaults.js";
import { parsePlan } from "../../core/plan/parse.js";
import type { Task } from "../../core/plan/types.js";
import type { Settings } from "../../core/settings.js";
import type { Agent } from "../../driver/ports.js";
import { findSubject } from "../../run/find-plan.js";
import { Refusal } from "../../run/refusal.js";
import { discoverRepo, type RepoPlace } from "../../workspace/discover.js";

export interface Examined {
  cwd: string;
  env: NodeJS.ProcessEnv;
  repo: RepoPlace | null;
  /** Why there is none. */
  repoProblem: string | null;
  /** Defaults where the configuration can't be read. */
  settings: Settings;
  /** Why it can't be; empty when it was read. */
  configProblems: string[];
  /** What else the configuration's reader remarked. */
  warnings: string[];
  /** null without a plan that can be read. */
  tasks: Task[] | null;
  repositoryCommands: RepositoryCommand[];
  /** The person has confirmed what the repository's own files would run, or they would run nothing. */
  trusted: boolean;
}

export async function examine(cwd: string, env: NodeJS.ProcessEnv): Promise<Examined> {
  const found = await discoverRepo(cwd);
  const nothing: Omit<Examined, "repo" | "repoProblem"> = {
    cwd,
    env,
    settings: DEFAULT_SETTINGS,
    configProblems: [],
    warnings: [],
    tasks: null,
    repositoryCommands: [],
    trusted: true,
  };
  if (found.kind !== "repo") {
    const why = found.kind === "bare" ? `${found.gitDir} is a bare repository; a run needs a working tree` : found.message;
    return { ...nothing, repo: null, repoProblem: why };
  }
  const { root, gitDir, commonDir, superproject } = found;
  const place = { ...nothing, repo: { root, gitDir, commonDir, superproject }, repoProblem: null };
  const subject = await findSubject({ argument: null, root, cwd, stdin: null }).catch((error: unknown) => {
    // Without a plan the configuration still has answers; that there is none is a finding of its own.
    if (error instanceof Refusal) return { plan: null, objective: null };
    throw error;
  });
  const reading = loadConfig({ root, plan: subject.plan, objective: null, flags: {}, env });
  if (reading.kind === "invalid") return { ...place, configProblems: reading.problems.map((problem: ConfigProblem) => formatProblem(problem)) };
  const { settings, warnings, repositoryCommands } = reading;
  return { ...place, settings, warnings, tasks: tasksOf(root, settings), repositoryCommands, trusted: isConfirmed(root, repositoryCommands, env) };
}

function tasksOf(root: string, { plan, taskSections }: Settings): Task[] | null {
  const source = plan === null ? null : readIfThere(join(root, plan));
  if (plan === null || source === null) return null;
  const reading = parsePlan(source, { path: plan, sections: taskSections });
  return reading.kind === "plan" && reading.plan.format !== "prompt" ? reading.plan.tasks : null;
}

/** Whether agents may be started, be it only to ask for their version. */
export function agentsConfirmed({ trusted, repositoryCommands }: Pick<Examined, "trusted" | "repositoryCommands">): boolean {
  return trusted || agentCommands(repositoryCommands).length === 0;
}

export type ChosenAgent =
  | { kind: "ready"; agent: Agent; note: string }
  | { kind: "missing"; agent: Agent; message: string }
  | { kind: "notLoggedIn"; agent: Agent; message: string }
  /** The repository names its program, and nobody has confirmed that yet. */
  | { kind: "unconfirmed"; agent: Agent; message: string }
  /** There is no agent of that name, or `auto` found none that is ready. */
  | { kind: "none"; message: string };

export async function chooseAgent(examined: Examined): Promise<ChosenAgent> {
  const { settings, repo, cwd, env } = examined;
  const confirmed = agentsConfirmed(examined);
  const created = await createAgent(settings, { cwd: repo?.root ?? cwd, env, confirmed });
  if ("error" in created) return { kind: "none", message: created.error };
  const { agent, note } = created;
  // What `auto` chose is checked already.
  if (note !== null) return { kind: "ready", agent, note: note.replace(/^agent: /, "") };
  const check = await agent.check();
  if (check.kind !== "ready") return { kind: check.kind, agent, message: check.message };
  return { kind: "ready", agent, note: `${agent.kind} ${check.version}${check.billing === null ? "" : ` (${check.billing})`}` };
}
