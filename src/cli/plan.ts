/** `ralphd plan "…"`: an agent drafts, the person edits and remarks, until the plan is theirs. No run is started. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { createAgent } from "../agents/registry.js";
import { detectProject } from "../config/detect.js";
import { readIfThere } from "../config/files.js";
import { formatProblem, type RawFlags } from "../config/load.js";
import { agentCommands } from "../config/repository-commands.js";
import { loadConfig } from "../config/sources.js";
import { gateText } from "../core/gate.js";
import { DEFAULT_PLAN, DRAFTS_DIR, TRUTH_DIR } from "../core/paths.js";
import { weaknesses } from "../core/plan/draft.js";
import { slugOf } from "../core/plan/task-id.js";
import type { Settings } from "../core/settings.js";
import { countedTokens, microToUsd, sumUsage, type Usage } from "../core/usage.js";
import { EXIT_CODES } from "../core/words.js";
import type { Agent } from "../driver/ports.js";
import { replaceFile } from "../journal/atomic.js";
import { unsafePath } from "../journal/unsafe-path.js";
import { count, money, plural, UNKNOWN } from "../report/format.js";
import { checkDraft, draftPlan, type Drafted, type DraftRequest, keepAnswer } from "../run/draft-plan.js";
import { Refusal } from "../run/refusal.js";
import { requireRepo } from "../run/require-repo.js";
import type { RepoPlace } from "../workspace/discover.js";
import { askForTrust } from "./ask-for-trust.js";
import { NO_CHECKS, planText } from "./init/texts.js";
import { agentAbove } from "./people-only.js";

export interface PlanOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  description: string;
  /** `agent`, `model`, `agentOutput`, `argv`. */
  flags: RawFlags;
  /** As typed; null takes PLAN.md, or a name of its own beside one that stands. */
  file: string | null;
  trust: boolean;
  json: boolean;
  signal: AbortSignal;
  /** Both absent without a terminal. */
  ask?: ((question: string) => Promise<string | null>) | undefined;
  edit?: ((path: string) => Promise<string | null>) | undefined;
  out(line: string): void;
  err(line: string): void;
}

export async function runPlan(options: PlanOptions): Promise<number> {
  const above = agentAbove(options.env);
  if (above !== null) throw new Refusal(above);
  if (options.description.trim() === "") throw new Refusal('Say what you want: `ralphd plan "a health endpoint with tests"`.');
  const repo = await requireRepo(options.cwd);
  const settings = await settingsFor(options, repo);
  const path = planPath(options, repo.root);
  const { agent, note } = await readyAgent(settings, repo.root, options.env);
  options.err(`${note} drafts ${path} in a copy of this repository; nothing is run.`);
  const request: DraftRequest = {
    ...{ repo, settings, agent, path, env: options.env, signal: options.signal, description: options.description, say: options.err },
    facts: factsOf(repo.root, settings),
    before: null,
  };
  const first = await draftPlan(request);
  if (first.kind === "failed") return failed(options, first);
  writeDraft(repo.root, path, first.text);
  return converse(options, request, first);
}

/** The person's turn: edit, remark, again, until there are no more remarks. */
async function converse(options: PlanOptions, request: DraftRequest, first: Extract<Drafted, { kind: "draft" }>): Promise<number> {
  const { path, repo } = request;
  const file = join(repo.root, path);
  let { usage } = first;
  for (;;) {
    const problem = (await options.edit?.(file)) ?? null;
    if (problem !== null) options.err(`${problem}; the draft stands in ${path}.`);
    const draft = readIfThere(file);
    if (draft === null) return gone(options, path);
    const checked = checkDraft(draft, request);
    if (options.json !== true) for (const line of standLines(checked, path)) options.out(line);
    const remarks = ((await options.ask?.("Remarks for another draft, or enter to keep this one: ")) ?? "").trim();
    if (remarks === "") return ending(options, { path, checked, usage });
    const next = await draftPlan({ ...request, before: { draft, remarks } });
    usage = sumUsage(usage, next.usage);
    if (next.kind === "failed") {
      failed(options, next);
      options.err(`The draft in ${path} stays as it is.`);
      continue;
    }
    options.err(`The draft before is kept as ${keepEarlier(repo, path, draft)}.`);
    replaceFile(file, next.text);
  }
}

type Checked = ReturnType<typeof checkDraft>;

function ending(options: PlanOptions, { path, checked, usage }: { path: string; checked: Checked; usage: Usage }): number {
  const fine = "plan" in checked;
  const next = `ralphd run${path === DEFAULT_PLAN ? "" : ` ${path}`}`;
  if (options.json) {
    const tasks = fine ? checked.plan.tasks.filter((task) => task.state === "open").map((task) => task.text) : [];
    const gates = fine ? checked.settings.gates.map((gate) => ({ name: gate.name, check: gateText(gate) })) : [];
    options.out(
      JSON.stringify({
        version: 1,
        plan: path,
        tasks,
        gates,
        problems: fine ? [] : checked.problems,
        notes: fine ? weaknesses(checked.plan, checked.settings.gates) : [],
        usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, costUsd: microToUsd(usage.costMicroUsd) },
        next,
      }),
    );
  } else {
    options.out("");
    options.out(`Nothing was run. Drafting took ${usageText(usage)}. Next:`);
    options.out(`  1. read and edit ${path}${fine ? "" : ", which a run would refuse as it is"}`);
    options.out(`  2. ralphd gates test${path === DEFAULT_PLAN ? "" : ` --plan ${path}`} (shows that each gate can say no)`);
    options.out(`  3. ${next}`);
  }
  return fine ? 0 : EXIT_CODES.failed;
}

function standLines(checked: Checked, path: string): string[] {
  if (!("plan" in checked)) return [`${path} can't be run as it stands:`, ...checked.problems.map((problem) => `  ${problem}`)];
  const { plan, settings } = checked;
  const open = plan.tasks.filter((task) => task.state === "open");
  return [
    `${path}: ${plural(open.length, "open task")}, ${settings.gates.length === 0 ? "no gate" : `gates ${settings.gates.map((gate) => gate.name).join(", ")}`}`,
    ...open.map((task, at) => `  ${at + 1}. ${task.text}${task.gates.length === 0 ? "" : `  [${task.gates.join(", ")}]`}`),
    ...settings.gates.map((gate) => `  gate ${gate.name}: ${gateText(gate)}`),
    ...weaknesses(plan, settings.gates).map((note) => `  look at: ${note}`),
  ];
}

function failed({ err }: PlanOptions, drafted: Extract<Drafted, { kind: "failed" }>): number {
  err(`ralphd: no plan was drafted (${usageText(drafted.usage)}): ${drafted.why}`);
  if (drafted.answer !== null && drafted.answer !== "") err(`What the agent answered is kept in ${keepAnswer(drafted.answer)}.`);
  return EXIT_CODES.failed;
}

function gone({ err }: PlanOptions, path: string): number {
  err(`ralphd: ${path} is gone, so there is nothing to go on with.`);
  return EXIT_CODES.failed;
}

async function settingsFor(options: PlanOptions, repo: RepoPlace): Promise<Settings> {
  const { flags, env, cwd, trust } = options;
  const [program, ...rest] = flags.argv ?? [];
  // A path behind `--` is meant from where it was typed; the agent starts in a copy.
  const argv = program === undefined ? undefined : [existsSync(resolve(cwd, program)) ? resolve(cwd, program) : program, ...rest];
  const reading = loadConfig({ root: repo.root, plan: null, objective: null, flags: { ...flags, argv }, env });
  if (reading.kind === "invalid")
    throw new Refusal(`The configuration can't be used:\n${reading.problems.map((problem) => `  ${formatProblem(problem)}`).join("\n")}`);
  await askForTrust(repo.root, agentCommands(reading.repositoryCommands), trust);
  return reading.settings;
}

async function readyAgent(settings: Settings, root: string, env: NodeJS.ProcessEnv): Promise<{ agent: Agent; note: string }> {
  const created = await createAgent(settings, { cwd: root, env, confirmed: true });
  if ("error" in created) throw new Refusal(created.error);
  if (created.note !== null) return { agent: created.agent, note: created.note.replace(/^agent: /, "") };
  const check = await created.agent.check();
  if (check.kind !== "ready") throw new Refusal(check.message);
  return { agent: created.agent, note: `${created.agent.kind} ${check.version}` };
}

function planPath({ file, cwd, description }: PlanOptions, root: string): string {
  if (file === null) {
    if (isFree(root, DEFAULT_PLAN)) return DEFAULT_PLAN;
    const name = `plan-${slugOf(description)}`;
    for (let number = 1; ; number += 1) {
      const path = number === 1 ? `${name}.md` : `${name}-${number}.md`;
      if (isFree(root, path)) return path;
    }
  }
  const path = relative(root, resolve(cwd, file)).split(sep).join("/");
  if (path === "" || path.startsWith("..") || isAbsolute(path) || !/\.(?:md|markdown)$/i.test(path))
    throw new Refusal(`--file ${file} must name a Markdown file inside ${root}.`);
  if (!isFree(root, path)) throw new Refusal(`${path} stands already, and no draft takes its place.`);
  return path;
}

/** Absent, or the template that `init` wrote, in which nobody has changed a byte. */
function isFree(root: string, path: string): boolean {
  const standing = readIfThere(join(root, path));
  if (standing === null) return true;
  const proposal = detectProject(root);
  return [planText(proposal, false, path), planText(NO_CHECKS, false, path), planText(NO_CHECKS, true, path)].includes(standing);
}

function writeDraft(root: string, path: string, text: string): void {
  const unsafe = unsafePath(root, dirname(path));
  if (unsafe !== null) throw new Refusal(unsafe);
  mkdirSync(dirname(join(root, path)), { recursive: true });
  // Looked at once more: drafting took minutes, and somebody may have written the file.
  if (!isFree(root, path)) throw new Refusal(`${path} was written while the agent was drafting; the draft is kept in ${keepAnswer(text)}.`);
  if (existsSync(join(root, path))) replaceFile(join(root, path), text);
  else writeFileSync(join(root, path), text, { flag: "wx" });
}

/** Below the git directory, so that no earlier draft is committed, and none is lost. */
function keepEarlier({ gitDir }: RepoPlace, plan: string, text: string): string {
  const folder = join(gitDir, TRUTH_DIR, DRAFTS_DIR);
  mkdirSync(folder, { recursive: true });
  const name = slugOf(plan.replace(/\.[^.]*$/, ""));
  let number = 1;
  while (existsSync(join(folder, `${name}-${number}.md`))) number += 1;
  const path = join(folder, `${name}-${number}.md`);
  writeFileSync(path, text, { flag: "wx" });
  return path;
}

function factsOf(root: string, settings: Settings): string {
  const { tools, setup, gates } = detectProject(root);
  const known = settings.gates.map((gate) => `- gate \`${gate.name}\` stands in the configuration already: ${gateText(gate)}`);
  const found = gates
    .filter((gate) => !settings.gates.some((one) => one.name === gate.name))
    .map((gate) => `- \`${gate.run}\` was found as its ${gate.kind} command; it would be the gate \`${gate.name}\``);
  const instructions = ["AGENTS.md", "CLAUDE.md"]
    .filter((name) => existsSync(join(root, name)) && readFileSync(join(root, name), "utf8").trim() !== "")
    .map((name) => `- \`${name}\` holds the repository's own rules; read it`);
  const lines = [
    ...(tools.length === 0 ? [] : [`- tools: ${tools.join(", ")}`]),
    ...(settings.setup !== null
      ? [`- setup stands in the configuration already: \`${settings.setup}\``]
      : setup !== null
        ? [`- \`${setup}\` prepares a fresh checkout`]
        : []),
    ...known,
    ...found,
    ...instructions,
  ];
  return lines.length === 0
    ? "No test, lint or type-check command was found. A good first task is to make one command that checks this project."
    : lines.join("\n");
}

function usageText(usage: Usage): string {
  const tokens = countedTokens(usage);
  return `${tokens === null ? `tokens ${UNKNOWN}` : `${count(tokens)} tokens`}, cost ${money(usage.costMicroUsd)}`;
}
