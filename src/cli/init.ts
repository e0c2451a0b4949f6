/** `ralphd init`: writes `.ralph/` and a plan to edit, with the checks that were detected or the tasks that were imported. Never overwrites. */
import { existsSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { detectProject, languagesOf } from "../config/detect.js";
import { readYaml } from "../config/document.js";
import { readIfThere } from "../config/files.js";
import { formatProblem } from "../config/load.js";
import { loadConfig } from "../config/sources.js";
import { CONFIG_FILE, DEFAULT_PLAN } from "../core/paths.js";
import { frontMatterKeys, splitSource } from "../core/plan/front-matter.js";
import { parsePlan } from "../core/plan/parse.js";
import { EXIT_CODES } from "../core/words.js";
import { PLAN_NAMES } from "../run/find-plan.js";
import { startGit } from "../workspace/git.js";
import { findRoot } from "../workspace/root.js";
import type { ReadyAgent } from "./init/agents.js";
import { checksHome, type ChecksHome, filesToWrite, type InitFile, type Present, writeMissing } from "./init/files.js";
import { type PlanBody, readImport, readSigns } from "./init/import.js";
import { asJson, asLines, fileLines, foundLines } from "./init/report.js";

export interface InitOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** Takes every proposal, old signs included, and asks nothing. */
  yes?: boolean | undefined;
  json?: boolean | undefined;
  /** Plan to write, relative to `cwd`. */
  plan?: string | undefined;
  /** A file, `gh` or `gh:LABEL`. */
  import?: string | undefined;
  /** Prints every file with its content and writes none. */
  dryRun?: boolean | undefined;
  /** One answer of a person; null when there will be none. Absent without a terminal. */
  ask?: ((question: string) => Promise<string | null>) | undefined;
  /** Looks for agents; absent where nobody wants to know. */
  agents?: ((root: string) => Promise<ReadyAgent[]>) | undefined;
  out(line: string): void;
  err(line: string): void;
}

/** Everything that is known before the first question. */
interface Found {
  root: string;
  plan: string;
  present: Present;
  imported: PlanBody | null;
  signs: InitFile[];
  importedFrom: string[];
  notes: string[];
}

export async function runInit(options: InitOptions): Promise<number> {
  const refuse = (message: string): number => {
    options.err(`ralphd: ${message}`);
    return EXIT_CODES.refused;
  };
  const root = await findRoot(options.cwd);
  if (root === null) return refuse("not inside the working tree of a git repository. Progress is kept in git: run `git init`, then `ralphd init` again.");
  const found = await lookAround(root, options);
  if (typeof found === "string") return refuse(found);
  const proposal = detectProject(root);
  const languages = languagesOf(root, proposal.tools);
  const agents = (await options.agents?.(root)) ?? null;
  const checks = proposal.gates.length > 0 || proposal.setup !== null ? pathOf(checksHome(found.present), found.plan) : null;
  const facts = { root, plan: found.plan, proposal, languages, agents, checksIn: checks };
  const shows = asks(options) || options.dryRun === true;
  if (shows) foundLines(facts).forEach(options.out);
  const chosen = await choose(options, found, agents);
  const files = filesToWrite({ plan: found.plan, present: found.present, proposal, agent: chosen.agent, imported: found.imported, signs: chosen.signs });
  const notes = [...proposal.notes, ...found.notes, ...chosen.notes];
  const existing = new Set(files.map((file) => file.path).filter((path) => existsSync(join(root, path))));
  if (shows) fileLines(files, existing, notes).forEach(options.out);
  if (options.dryRun === true)
    return dryRun(
      options,
      files.filter((file) => !existing.has(file.path)),
    );
  if (asks(options) && !isYes(await options.ask?.("Write these files? [Y/n] "))) return nothingWritten(options);
  const outcome = writeMissing(root, files);
  if (outcome.kind === "refused") return refuse(outcome.message);
  const { written, kept } = outcome;
  const objections = written.includes(found.plan) ? objectionsTo(root, found.plan, options.env ?? {}) : [];
  const ignored = await ignoredByGit(root, [found.plan, CONFIG_FILE]);
  const report = { ...facts, written, kept, imported: chosen.importedFrom, importedTasks: found.imported !== null, notes: [...notes, ...objections], ignored };
  if (options.json === true) options.out(JSON.stringify(asJson(report)));
  else for (const line of asLines(report)) options.out(line);
  return 0;
}

function asks(options: InitOptions): boolean {
  return options.ask !== undefined && options.yes !== true && options.json !== true && options.dryRun !== true;
}

/** Enter is the proposal; a closed terminal is no consent. */
function isYes(answer: string | null | undefined): boolean {
  return answer !== null && answer !== undefined && /^(?:y(?:es)?)?$/i.test(answer.trim());
}

function nothingWritten({ out }: InitOptions): number {
  out("Nothing was written.");
  return 0;
}

function dryRun({ out }: InitOptions, files: readonly InitFile[]): number {
  for (const { path, content, copyOf } of files) out(`==> ${path}\n${copyOf === undefined ? content : `(a copy of ${copyOf} of the package)\n`}`);
  out("Dry run: nothing was written.");
  return 0;
}

/** A sentence when init can't go on. */
async function lookAround(root: string, options: InitOptions): Promise<Found | string> {
  const nothing = { root, imported: null, signs: [], importedFrom: [], notes: [] };
  const plan = planPath(root, options);
  if (plan === null) return `--plan ${options.plan} must name a Markdown file inside ${root}.`;
  if (options.import === undefined) return { ...nothing, plan, present: presentAt(root, plan), notes: otherPlanNotes(root, plan) };
  const imported = await readImport({ from: options.import, root, cwd: options.cwd, env: options.env ?? {} });
  if (imported.kind === "refused") return imported.message;
  const { notes } = imported;
  if (imported.kind === "signs") return { ...nothing, plan, present: presentAt(root, plan), signs: imported.files, importedFrom: [imported.from], notes };
  const present = presentAt(root, plan);
  if (present.plan) return `${plan} stands already and is never overwritten. Name another file: \`ralphd init --import ${options.import} --plan night.md\`.`;
  return { ...nothing, plan, present, imported: imported.plan, importedFrom: [imported.from], notes };
}

/** Another tool's plan stays the plan, since a new PLAN.md beside it would silently take its place. An import is meant to take it. */
function planPath(root: string, options: InitOptions): string | null {
  if (options.plan === undefined) {
    const standing = PLAN_NAMES.find((name) => readIfThere(join(root, name)) !== null);
    const takenOver = options.import !== undefined && standing !== DEFAULT_PLAN;
    return takenOver ? DEFAULT_PLAN : (standing ?? DEFAULT_PLAN);
  }
  const path = relative(root, resolve(options.cwd, options.plan)).split(sep).join("/");
  if (path === "" || path.startsWith("../") || path === ".." || isAbsolute(path)) return null;
  return /\.(md|markdown)$/i.test(path) ? path : null;
}

function otherPlanNotes(root: string, plan: string): string[] {
  if (plan === DEFAULT_PLAN || !PLAN_NAMES.includes(plan)) return [];
  const source = readIfThere(join(root, plan)) ?? "";
  const reading = parsePlan(source, { path: plan, sections: null });
  const has = reading.kind === "plan" && (reading.plan.tasks.length > 0 || reading.plan.format === "prompt");
  return [`${plan} ${has ? "is read as it is" : "has no tasks that a run could read"}; \`ralphd init --import ${plan}\` makes a PLAN.md of it`];
}

interface Chosen {
  agent: string | null;
  signs: InitFile[];
  importedFrom: string[];
  notes: string[];
}

/** Where other loop tools keep their lessons. */
const OLD_SIGNS = [".ralph/guardrails.md", "guardrails.md"];

/** The two questions before the last one: both have a proposal, and neither is asked where there is nothing to choose. */
async function choose(options: InitOptions, found: Found, agents: readonly ReadyAgent[] | null): Promise<Chosen> {
  const chosen: Chosen = { agent: null, signs: [...found.signs], importedFrom: [...found.importedFrom], notes: [] };
  const old = found.signs.length > 0 ? undefined : OLD_SIGNS.find((path) => readIfThere(join(found.root, path)) !== null);
  const signs = old === undefined ? null : readSigns(readIfThere(join(found.root, old)) ?? "", old);
  if (signs?.kind === "signs" && old !== undefined) {
    const wanted = options.yes === true || (asks(options) && isYes(await options.ask?.(`Take over ${signs.files.length} sign(s) of ${old} as drafts? [Y/n] `)));
    if (wanted) {
      chosen.signs.push(...signs.files);
      chosen.importedFrom.push(old);
      chosen.notes.push(...signs.notes);
    } else chosen.notes.push(`${old} holds signs of an older form; \`ralphd guardrails import ${old}\` reads them`);
  }
  if (asks(options) && agents !== null && agents.length > 1 && !found.present.config) chosen.agent = await chooseAgent(options, agents);
  return chosen;
}

/** Without an answer `auto` decides at each start. */
async function chooseAgent({ ask, out }: InitOptions, agents: readonly ReadyAgent[]): Promise<string | null> {
  const kinds = agents.map((agent) => agent.kind);
  for (;;) {
    const answer = (await ask?.(`Which agent, ${kinds.join(" or ")}? [enter: the first that is ready] `))?.trim() ?? "";
    if (answer === "") return null;
    if (kinds.includes(answer)) return answer;
    out(`${answer} is none of ${kinds.join(", ")}.`);
  }
}

function presentAt(root: string, plan: string): Present {
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

/** What a run would refuse in the plan as it was written, such as a gate that an imported task names. */
function objectionsTo(root: string, plan: string, env: NodeJS.ProcessEnv): string[] {
  const reading = loadConfig({ root, plan, objective: null, flags: {}, env });
  return reading.kind === "invalid" ? reading.problems.map((problem) => `to correct before a run: ${formatProblem(problem)}`) : [];
}

async function ignoredByGit(root: string, paths: string[]): Promise<string[]> {
  const result = await startGit({ cwd: root, args: ["check-ignore", "-z", "--stdin"], optionalLocks: "none" }).finish(paths.join("\0"));
  return result.stdout
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "");
}
