/** `ralphd init`: writes `.ralph/` and a plan to edit, with the checks that were detected. Never overwrites, never asks. */
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { detectProject, type Proposal } from "../config/detect.js";
import { readYaml } from "../config/document.js";
import { readIfThere } from "../config/files.js";
import { CONFIG_FILE, DEFAULT_PLAN } from "../core/paths.js";
import { frontMatterKeys, splitSource } from "../core/plan/front-matter.js";
import { parsePlan } from "../core/plan/parse.js";
import { EXIT_CODES } from "../core/words.js";
import { PLAN_NAMES } from "../run/find-plan.js";
import { startGit } from "../workspace/git.js";
import { findRoot } from "../workspace/root.js";
import { checksHome, type ChecksHome, filesToWrite, type Present, writeMissing } from "./init/files.js";

export interface InitOptions {
  cwd: string;
  /** Accepted for scripts that say it everywhere; init has no questions. */
  yes?: boolean | undefined;
  json?: boolean | undefined;
  /** Plan to write, relative to `cwd`. */
  plan?: string | undefined;
  out(line: string): void;
  err(line: string): void;
}

interface InitReport {
  root: string;
  plan: string;
  written: string[];
  kept: string[];
  /** Where setup and gates were written. */
  checksIn: string | null;
  proposal: Proposal;
  ignored: string[];
}

export async function runInit(options: InitOptions): Promise<number> {
  const refuse = (message: string): number => {
    options.err(`ralphd: ${message}`);
    return EXIT_CODES.refused;
  };
  const root = await findRoot(options.cwd);
  if (root === null) return refuse("not inside the working tree of a git repository. Progress is kept in git: run `git init`, then `ralphd init` again.");
  const plan = planPath(root, options);
  if (plan === null) return refuse(`--plan ${options.plan} must name a Markdown file inside ${root}.`);
  const present = lookAround(root, plan);
  const proposal = detectProject(root);
  const outcome = writeMissing(root, filesToWrite({ plan, present, proposal }));
  if (outcome.kind === "refused") return refuse(outcome.message);
  const found = proposal.gates.length > 0 || proposal.setup !== null;
  const report: InitReport = {
    root,
    plan,
    written: outcome.written,
    kept: outcome.kept,
    checksIn: found ? pathOf(checksHome(present), plan) : null,
    proposal,
    ignored: await ignoredByGit(root, [plan, CONFIG_FILE]),
  };
  if (options.json === true) options.out(JSON.stringify(asJson(report)));
  else for (const line of asLines(report)) options.out(line);
  return 0;
}

/** Another tool's plan stays the plan, since a new PLAN.md beside it would silently take its place. */
function planPath(root: string, options: InitOptions): string | null {
  if (options.plan === undefined) return PLAN_NAMES.find((name) => readIfThere(join(root, name)) !== null) ?? DEFAULT_PLAN;
  const path = relative(root, resolve(options.cwd, options.plan)).split(sep).join("/");
  if (path === "" || path.startsWith("../") || path === ".." || isAbsolute(path)) return null;
  return /\.(md|markdown)$/i.test(path) ? path : null;
}

function lookAround(root: string, plan: string): Present {
  const planSource = readIfThere(join(root, plan));
  const config = readIfThere(join(root, CONFIG_FILE));
  const inConfig = config === null ? null : readYaml({ text: config, file: CONFIG_FILE, firstLine: 1 }).value;
  const checks = planSource !== null && planHasChecks(planSource, plan) ? "plan" : hasChecks(inConfig) ? "config" : "nowhere";
  return { plan: planSource !== null, config: config !== null, checks };
}

function planHasChecks(source: string, path: string): boolean {
  if (hasChecks(frontMatterKeys(splitSource(source).frontMatter))) return true;
  const reading = parsePlan(source, { path, sections: null });
  return reading.kind === "plan" && reading.plan.impliedGates.length > 0;
}

function hasChecks(keys: Record<string, unknown> | null): boolean {
  return keys !== null && (keys["gates"] != null || keys["setup"] != null);
}

function pathOf(home: ChecksHome, plan: string): string | null {
  switch (home) {
    case "plan":
      return plan;
    case "config":
      return CONFIG_FILE;
    case "nowhere":
      return null;
  }
}

async function ignoredByGit(root: string, paths: string[]): Promise<string[]> {
  const result = await startGit({ cwd: root, args: ["check-ignore", "-z", "--stdin"], optionalLocks: "none" }).finish(paths.join("\0"));
  return result.stdout.toString("utf8").split("\0").filter((path) => path !== "");
}

function asJson(report: InitReport): object {
  const { proposal, ...rest } = report;
  return { ...rest, tools: proposal.tools, setup: proposal.setup, gates: proposal.gates.map(({ name, run }) => ({ name, run })), notes: proposal.notes };
}

function asLines(report: InitReport): string[] {
  const { proposal, plan } = report;
  return [
    ...report.written.map((path) => `wrote  ${path}`),
    ...report.kept.map((path) => `kept   ${path} (it existed already)`),
    ...checkLines(report),
    ...proposal.notes.map((note) => `note   ${note}`),
    ...report.ignored.map((path) => `note   git ignores ${path}, so the run's commits will not hold it`),
    "",
    "Next:",
    `  1. edit ${plan}: put in your own tasks${report.checksIn === plan ? " and check the gates at its top" : ""}`,
    `  2. ralphd run${PLAN_NAMES.includes(plan) ? "" : ` ${plan}`}`,
  ];
}

function checkLines({ proposal, checksIn }: InitReport): string[] {
  if (proposal.gates.length === 0) return ["", "No test, lint or type-check command was found. Without a gate nothing but the agent's word says that work is done:", "name one in the plan, or with `ralphd run --gate CMD`."];
  const checks = [...(proposal.setup === null ? [] : [{ name: "setup", run: proposal.setup }]), ...proposal.gates];
  const width = Math.max(...checks.map((check) => check.name.length));
  const title = checksIn === null ? "Found, but not written, since the plan or the config stands already:" : `Found, and written to ${checksIn}:`;
  return ["", title, ...checks.map(({ name, run }) => `  ${name.padEnd(width)}  ${run}`)];
}
