/** What `ralphd init` says: before it writes, and afterwards. */
import type { Proposal } from "../../config/detect.js";
import { PLAN_NAMES } from "../../run/find-plan.js";
import type { ReadyAgent } from "./agents.js";
import type { InitFile } from "./files.js";

export interface InitReport {
  root: string;
  plan: string;
  written: string[];
  kept: string[];
  /** Where setup and gates were written. */
  checksIn: string | null;
  proposal: Proposal;
  languages: string[];
  /** null when nobody looked. */
  agents: ReadyAgent[] | null;
  /** Where tasks or signs were taken from. */
  imported: string[];
  /** Whether the plan was made of them. */
  importedTasks: boolean;
  /** About the import, the detection, and what a run would object to. */
  notes: string[];
  ignored: string[];
}

export function asJson({ proposal, ...rest }: InitReport): object {
  return { ...rest, tools: proposal.tools, setup: proposal.setup, gates: proposal.gates.map(({ name, run }) => ({ name, run })) };
}

export function asLines(report: InitReport): string[] {
  const { plan } = report;
  return [
    ...report.written.map((path) => `wrote  ${path}`),
    ...report.kept.map((path) => `kept   ${path} (it existed already)`),
    ...report.imported.map((from) => `import ${from}`),
    ...checkLines(report),
    ...report.notes.map((note) => `note   ${note}`),
    ...report.ignored.map((path) => `note   git ignores ${path}, so the run's commits will not hold it`),
    ...(report.agents?.length === 0 ? [`note   ${NO_AGENT}`] : []),
    "",
    "Next:",
    `  1. edit ${plan}: ${firstStep(report)}`,
    ...(report.agents === null || report.agents.length === 0 || report.importedTasks ? [] : ['     or let an agent draft it: ralphd plan "what you want"']),
    `  2. ${report.agents?.length === 0 ? "log an agent in (see the note), then " : ""}ralphd run${PLAN_NAMES.includes(plan) ? "" : ` ${plan}`}`,
  ];
}

const NO_AGENT = "no agent is installed and logged in: `ralphd agents` says what is missing; `ralphd run -- ./any-program` works without one";

function firstStep({ checksIn, plan, importedTasks }: InitReport): string {
  const tasks = importedTasks ? "read the imported tasks" : "put in your own tasks";
  return `${tasks}${checksIn === plan ? " and check the gates at its top" : ""}`;
}

function checkLines({ proposal, checksIn }: Pick<InitReport, "proposal" | "checksIn">): string[] {
  if (proposal.gates.length === 0)
    return [
      "",
      "No test, lint or type-check command was found. Without a gate nothing but the agent's word says that work is done:",
      "name one in the plan, or with `ralphd run --gate CMD`.",
    ];
  const title = checksIn === null ? "Found, but not written, since the plan or the config stands already:" : `Found, and written to ${checksIn}:`;
  return ["", title, ...commandLines(proposal)];
}

function commandLines({ setup, gates }: Proposal): string[] {
  const checks = [...(setup === null ? [] : [{ name: "setup", run: setup }]), ...gates];
  const width = Math.max(...checks.map((check) => check.name.length));
  return checks.map(({ name, run }) => `  ${name.padEnd(width)}  ${run}`);
}

/** What was found, before the first question. */
export function foundLines({
  root,
  proposal,
  languages,
  agents,
  checksIn,
}: Pick<InitReport, "root" | "proposal" | "languages" | "agents" | "checksIn">): string[] {
  const kind = [languages.join(", "), proposal.tools.join(", ")].filter((part) => part !== "").join("; ");
  return [
    `Repository: ${root}${kind === "" ? "" : ` (${kind})`}`,
    ...(agents === null ? [] : [`Agents: ${agents.length === 0 ? NO_AGENT : agents.map((agent) => agent.note).join("; ")}`]),
    ...(proposal.gates.length === 0 && proposal.setup === null
      ? ["Checks: no test, lint or type-check command was found"]
      : [`Checks that were found${checksIn === null ? "" : `, for ${checksIn}`}:`, ...commandLines(proposal)]),
  ];
}

/** What is going to be written, before the question whether to; nothing is there yet. */
export function fileLines(files: readonly InitFile[], existing: ReadonlySet<string>, notes: readonly string[]): string[] {
  const width = Math.max(...files.map((file) => file.path.length));
  const line = ({ path, about = "" }: InitFile): string =>
    existing.has(path) ? `  keep   ${path.padEnd(width)}  stands already and is not touched` : `  write  ${path.padEnd(width)}  ${about}`;
  return [...notes.map((note) => `Note: ${note}`), "Files:", ...files.map(line)];
}
