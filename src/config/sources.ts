/** Gathers what the settings are resolved from: files, plan and its front matter. The reading part in front of the pure one. */
import { join } from "node:path";
import { splitSource } from "../core/plan/front-matter.js";
import { parsePlan } from "../core/plan/parse.js";
import { readConfigFiles, readIfThere } from "./files.js";
import { checkTaskGates, type ConfigProblem, type ConfigReading, type RawFlags, resolveSettings } from "./load.js";

export interface ConfigQuestion {
  root: string;
  /** Relative to the root; null when the run has only an objective. */
  plan: string | null;
  objective: string | null;
  flags: RawFlags;
  env: NodeJS.ProcessEnv;
}

/** Front matter follows the `---` of the first line. */
const FRONT_MATTER_LINE = 2;

export function loadConfig(question: ConfigQuestion): ConfigReading {
  const { root, plan, objective, flags, env } = question;
  const source = plan === null ? null : readIfThere(join(root, plan));
  const found = plan === null || source === null ? NO_PLAN : readPlan(source, plan);
  const reading = resolveSettings({
    flags,
    env,
    frontMatter: found.frontMatter,
    frontMatterPath: plan,
    frontMatterLine: FRONT_MATTER_LINE,
    impliedGates: found.impliedGates,
    files: readConfigFiles(root, env),
    objective,
  });
  if (reading.kind === "invalid") return { kind: "invalid", problems: [...found.problems, ...reading.problems] };
  if (found.problems.length > 0) return { kind: "invalid", problems: found.problems };
  if (plan === null || source === null) return reading;
  const problems = taskProblems(source, plan, reading);
  return problems.length === 0 ? reading : { kind: "invalid", problems };
}

interface FoundPlan {
  frontMatter: string | null;
  impliedGates: { name: string; run: string }[];
  problems: ConfigProblem[];
}

const NO_PLAN: FoundPlan = { frontMatter: null, impliedGates: [], problems: [] };

function readPlan(source: string, path: string): FoundPlan {
  const reading = parsePlan(source, { path, sections: null });
  if (reading.kind === "plan") return { frontMatter: reading.plan.frontMatter, impliedGates: reading.plan.impliedGates, problems: [] };
  const problems = reading.problems.map((problem) => ({ ...problem, file: path }));
  return { frontMatter: splitSource(source).frontMatter, impliedGates: [], problems };
}

/** Only tasks of the configured sections are bound to name gates that exist. */
function taskProblems(source: string, path: string, reading: Extract<ConfigReading, { kind: "settings" }>): ConfigProblem[] {
  const plan = parsePlan(source, { path, sections: reading.settings.taskSections });
  return plan.kind === "plan" ? checkTaskGates(plan.plan.tasks, reading.settings.gates, path) : [];
}
