/** `ralphd doctor`: can a loop run here, and can it be believed? Changes nothing; with `--probe` it asks the agent one word. */
import { count, plural } from "../../report/format.js";
import { version } from "../../version.js";
import { checkAgent } from "./agent.js";
import { chooseAgent, type Examined, examine } from "./examined.js";
import { type Finding, gap, hint, type Level, ok, type QuestionName, questionOf, QUESTIONS, worst } from "./finding.js";
import { checkForget } from "./forget.js";
import { checkGit, type GitFindings } from "./git.js";
import { checkMachine } from "./machine.js";
import { checkRefuse } from "./refuse.js";
import { checkStop } from "./stop.js";
import { checkWrites } from "./writes.js";

export interface DoctorOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  probe: boolean;
  json: boolean;
  signal: AbortSignal;
  out(line: string): void;
}

const NAMES = Object.keys(QUESTIONS) as QuestionName[];

/** 1 when there is a gap. */
export async function runDoctor(options: DoctorOptions): Promise<number> {
  const findings = await diagnose(options);
  const level = worst(findings);
  if (options.json)
    options.out(
      JSON.stringify({
        version: 1,
        ralphd: version(),
        level,
        questions: byQuestion(findings),
        findings: findings.map((one) => ({ question: questionOf(one), ...one })),
      }),
    );
  else for (const line of asLines(findings)) options.out(line);
  return level === "gap" ? 1 : 0;
}

/** All at once: most of the time is waiting for git, gates and the agent's own `--version`. */
async function diagnose(options: Pick<DoctorOptions, "cwd" | "env" | "probe" | "signal">): Promise<Finding[]> {
  const examined = await examine(options.cwd, options.env);
  const git = checkGit(examined);
  // Without its settings a loop's answers would be about another loop.
  const known = examined.repo !== null && examined.configProblems.length === 0;
  const ofLoop = known ? loopChecks(examined, git, options) : [];
  const groups = await Promise.all([setting(examined), git.then(({ findings }) => findings), checkMachine(examined), ...ofLoop]);
  const findings = groups.flat();
  return NAMES.flatMap((name) => findings.filter((one) => questionOf(one) === name));
}

function loopChecks(examined: Examined, git: Promise<GitFindings>, { probe, signal }: Pick<DoctorOptions, "probe" | "signal">): Promise<Finding[]>[] {
  const chosen = chooseAgent(examined);
  return [
    chosen.then((agent) => checkForget(examined, agent)),
    chosen.then((agent) => checkStop(examined, agent)),
    chosen.then((agent) => checkRefuse(examined, agent)),
    git.then(({ hooksDir }) => checkWrites(examined, hooksDir)),
    chosen.then((agent) => checkAgent(examined, agent, { ask: probe, signal })),
  ];
}

function setting({ repo, configProblems, warnings, settings, tasks }: Examined): Finding[] {
  if (repo === null) return [];
  if (configProblems.length > 0)
    return configProblems.map((problem) =>
      gap("machine.config", problem, "Correct it; gates and limits could not be looked at. `ralphd config` prints every value."),
    );
  const remarks = warnings.map((warning) => hint("machine.config", warning, "`ralphd config` prints every value with where it came from."));
  return [...(remarks.length > 0 ? remarks : [ok("machine.config", "the configuration can be read")]), plan(settings.plan, tasks)];
}

function plan(path: string | null, tasks: Examined["tasks"]): Finding {
  if (path === null)
    return hint("machine.plan", "there is no plan", '`ralphd init` writes one, `ralphd plan "what you want"` drafts one; `ralphd run "objective"` needs none.');
  if (tasks === null) return ok("machine.plan", `${path} is a prompt without tasks`);
  const open = tasks.filter((task) => task.state === "open").length;
  if (open > 0) return ok("machine.plan", `${path} has ${plural(open, "open task")} of ${count(tasks.length)}`);
  return hint("machine.plan", `${path} has no open task`, "Add one: a list item with an empty box, such as - [ ] GET /health returns 200");
}

/** null where nothing could be looked at. */
function byQuestion(findings: readonly Finding[]): Record<QuestionName, Level | null> {
  const answer = (own: Finding[]): Level | null => (own.length === 0 ? null : worst(own));
  return Object.fromEntries(NAMES.map((name) => [name, answer(of(findings, name))])) as Record<QuestionName, Level | null>; // one entry a name
}

function of(findings: readonly Finding[], name: QuestionName): Finding[] {
  return findings.filter((one) => questionOf(one) === name);
}

const WORD = { ok: "ok  ", hint: "hint", gap: "GAP " } as const;
const ANSWER = { ok: "yes", hint: "yes, with hints", gap: "NO" } as const;

function asLines(findings: readonly Finding[]): string[] {
  const lines = NAMES.flatMap((name) => {
    const own = of(findings, name);
    const answer = own.length === 0 ? "unknown: the configuration or the repository can't be read" : ANSWER[worst(own)];
    return [`${QUESTIONS[name]} ${answer}`, ...own.flatMap(findingLines), ""];
  });
  const gaps = findings.filter((one) => one.level === "gap").length;
  const hints = findings.filter((one) => one.level === "hint").length;
  return [
    ...lines,
    gaps === 0
      ? `No gap, ${plural(hints, "hint")}.`
      : `${plural(gaps, "gap")}, ${plural(hints, "hint")}. A run here would be wrong or impossible until the gaps are mended.`,
  ];
}

function findingLines({ level, seen, fix }: Finding): string[] {
  return [`  ${WORD[level]}  ${seen.replaceAll("\n", "\n        ")}`, ...(fix === null ? [] : [`        -> ${fix}`])];
}
