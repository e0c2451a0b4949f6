/** Everything that must hold before a run starts: repository, configuration, plan, agent. Starts and changes nothing. */
import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { type ConfigProblem, formatProblem, type RawFlags, resolveSettings } from "../config/load.js";
import { readConfigFiles, readIfThere } from "../config/files.js";
import type { RepositoryCommand } from "../config/repository-commands.js";
import { checkTaskGates } from "../config/task-gates.js";
import { parsePlan } from "../core/plan/parse.js";
import type { Plan } from "../core/plan/types.js";
import type { Settings } from "../core/settings.js";
import type { Agent } from "../driver/ports.js";
import type { RepoPlace } from "../workspace/discover.js";
import { requireAgents } from "./agents.js";
import { requireRepo } from "./require-repo.js";
import { findSubject } from "./find-plan.js";
import { Refusal } from "./refusal.js";
import { checkTemplates } from "./templates.js";
import { requireSandbox, type RunSandbox } from "./sandbox.js";

export interface RunRequest {
  cwd: string;
  /** A plan path, an objective, `-`, or null. */
  argument: string | null;
  flags: RawFlags;
  env: NodeJS.ProcessEnv;
  /** Reads standard input to its end; null when it is a terminal. */
  stdin: (() => Promise<string>) | null;
  /** Asked before anything that the repository names is run, a look at an agent's version included. Throws a Refusal for no. */
  trust: Trust;
}

/** Whether these commands of the repository's files may run; false for a look that starts nothing of them. */
export type Trust = (root: string, commands: readonly RepositoryCommand[]) => Promise<boolean>;

export interface Preflight {
  repo: RepoPlace;
  settings: Settings;
  origins: Record<string, string>;
  plan: Plan | null;
  /** By label, the first choice in front. */
  agents: Map<string, Agent>;
  /** `agent: claude 2.1.332 (subscription)`, one an agent. */
  agentNotes: string[];
  warnings: string[];
  repositoryCommands: RepositoryCommand[];
  sandbox: RunSandbox;
}

export async function preflight(request: RunRequest): Promise<Preflight> {
  refuseNested(request.env);
  const repo = await requireRepo(request.cwd);
  const read = await readSettings(request, repo.root);
  checkTemplates(repo.root);
  const confirmed = await request.trust(repo.root, read.repositoryCommands);
  const { settings, agents, notes } = await requireAgents(read.settings, { cwd: repo.root, env: request.env, confirmed });
  const sandbox = await requireSandbox(settings, request.env);
  return { repo, ...read, settings, agents, agentNotes: notes, sandbox };
}

/** An agent that starts its own driver multiplies without end. */
function refuseNested(env: NodeJS.ProcessEnv): void {
  if ((env["RALPHD_TOKEN"] ?? "") === "" && (env["RALPHD_RUN"] ?? "") === "") return;
  throw new Refusal(
    `This is inside iteration ${env["RALPHD_ITERATION"] ?? "?"} of run ${env["RALPHD_RUN"] ?? "?"}: an agent may not start a loop of its own.\n` +
      "Start it from a terminal of yours (or unset RALPHD_RUN and RALPHD_TOKEN if you are no agent).",
  );
}

/** A path behind `--` is meant from where it was typed; agents start at the root. */
function typedArgv({ cwd, flags }: Pick<RunRequest, "cwd" | "flags">): string[] | undefined {
  const [program, ...rest] = flags.argv ?? [];
  if (program === undefined || isAbsolute(program) || !program.includes("/")) return flags.argv;
  const path = resolve(cwd, program);
  return existsSync(path) ? [path, ...rest] : flags.argv;
}

export interface ReadSettings {
  settings: Settings;
  origins: Record<string, string>;
  plan: Plan | null;
  warnings: string[];
  repositoryCommands: RepositoryCommand[];
}

/** Settings and plan together, since the plan's front matter is one of the sources. */
export async function readSettings(request: Omit<RunRequest, "trust">, root: string): Promise<ReadSettings> {
  const subject = await findSubject({ argument: request.argument, root, cwd: request.cwd, stdin: request.stdin });
  const source = subject.plan === null ? null : readIfThere(join(root, subject.plan));
  const first = source === null || subject.plan === null ? null : readPlanFile(source, subject.plan, null);
  const reading = resolveSettings({
    flags: { ...request.flags, argv: typedArgv(request) },
    env: request.env,
    frontMatter: first?.frontMatter ?? null,
    frontMatterPath: subject.plan,
    frontMatterLine: 2,
    impliedGates: first?.impliedGates ?? [],
    files: readConfigFiles(root, request.env),
    objective: subject.objective ?? (first?.format === "prompt" ? first.objective : null),
  });
  if (reading.kind === "invalid") throw refusalOf("The configuration can't be used", reading.problems);
  const { settings } = reading;
  const plan = source === null || subject.plan === null ? null : readPlanFile(source, subject.plan, settings.taskSections);
  if (plan !== null && subject.plan !== null) requireTasks(plan, subject.plan, settings);
  const warnings = [...reading.warnings, ...(plan?.warnings ?? []).map((item) => `${subject.plan}:${item.line}: ${item.message}`)];
  return { settings, origins: reading.origins, plan, warnings, repositoryCommands: reading.repositoryCommands };
}

function readPlanFile(source: string, path: string, sections: string[] | null): Plan {
  const reading = parsePlan(source, { path, sections });
  if (reading.kind === "plan") return reading.plan;
  throw refusalOf(
    "The plan can't be read",
    reading.problems.map((problem) => ({ file: path, ...problem })),
  );
}

function requireTasks(plan: Plan, path: string, settings: Settings): void {
  if (plan.format === "prompt") return;
  if (plan.tasks.length === 0) {
    const inside = settings.taskSections === null ? "" : ` below the headings ${settings.taskSections.join(", ")}`;
    throw new Refusal(`${path} has no task${inside}. A task is a list item with a box, such as: - [ ] GET /health returns 200`);
  }
  const problems = checkTaskGates(plan.tasks, settings.gates, path);
  if (problems.length > 0) throw refusalOf("The plan names gates that do not exist", problems);
}

function refusalOf(title: string, problems: readonly ConfigProblem[]): Refusal {
  return new Refusal(`${title}:\n${problems.map((problem) => `  ${formatProblem(problem)}`).join("\n")}`);
}
