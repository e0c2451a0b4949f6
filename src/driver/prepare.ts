/** Before the agent: what it starts on is captured, its prompt written, the intent journaled. */
import type { IterationMode } from "../core/journal-event.js";
import { GUARDRAILS_DIR, iterationDir, PROGRESS_FILE } from "../core/paths.js";
import { shownNotes } from "../core/progress-notes.js";
import { assemblePrompt, type Prompt } from "../core/prompt.js";
import type { Feedback, RunState } from "../core/run-state.js";
import type { Settings } from "../core/settings.js";
import { parseSign, type Sign } from "../core/sign.js";
import { signProblemText } from "../core/sign-lint.js";
import { sortSigns } from "../core/sign-list.js";
import { countedTokens } from "../core/usage.js";
import type { Driver, DriverOptions } from "./driver.js";
import { identityOf, type Reader, type SeenPlan } from "./plan-view.js";
import { keepProgressBefore } from "./notes.js";
import type { RepoLook } from "./ports.js";
import { channelOf } from "./warn.js";

export interface Prepared {
  iteration: number;
  prompt: string;
  promptBreaks: number[];
}

export async function prepare(driver: Driver, seen: { look: RepoLook; plan: SeenPlan; mode: IterationMode; task: string | null }): Promise<Prepared> {
  const iteration = driver.state.iteration + 1;
  // People may go on with their own changed files between iterations.
  const { untouched } = driver.state.started;
  if (untouched.length > 0) driver.world.frozen.accept(untouched);
  const tree = await startTree(driver, seen.look);
  const { runFiles } = driver.world;
  // The plan first: a restart tells the agent's ticks from it, so that it and its new folder must be durable.
  if (seen.plan.source !== null) runFiles.write(`${iterationDir(iteration)}/plan.md`, seen.plan.source);
  nameRefusedSigns(driver);
  const { text: prompt, breaks } = promptFor(driver, iteration, seen);
  runFiles.writeView(`${iterationDir(iteration)}/prompt.md`, prompt);
  keepProgressBefore(driver, iteration);
  driver.recordAt(iteration, {
    type: "iteration.started",
    mode: seen.mode,
    task: seen.task,
    head: seen.look.head,
    tree,
    spent: driver.state.spent + 1,
    agent: driver.state.agent,
  });
  return { iteration, prompt, promptBreaks: breaks };
}

/** The tree that the agent starts on. What others changed since the last commit is named, not slipped in. */
async function startTree(driver: Driver, look: RepoLook): Promise<string> {
  const { state, world } = driver;
  const untouched = new Set(state.untouched);
  const clean = look.dirty.every((path) => untouched.has(path));
  if (clean && look.head === state.lastCommit) return state.lastTree;
  const candidate = await world.repo.capture({ against: state.lastTree, exclude: state.untouched });
  if (look.head !== state.lastCommit) {
    driver.record({ type: "repo.moved", what: `HEAD moved from ${short(state.lastCommit)} to ${short(look.head)} between iterations.` });
  }
  const own = driver.ownPaths();
  const foreign = candidate.changes.map((change) => change.path).filter((path) => !own.some((mine) => path === mine || path.startsWith(`${mine}/`)));
  if (foreign.length > 0) {
    driver.record({ type: "repo.moved", what: `Files changed between iterations: ${foreign.slice(0, 10).join(", ")}` });
  }
  return candidate.tree;
}

function short(commit: string | null): string {
  return commit === null ? "nothing" : commit.slice(0, 9);
}

export function promptFor(
  driver: Reader & { readonly options: Pick<DriverOptions, "templates"> },
  iteration: number,
  seen: { plan: SeenPlan; mode: IterationMode; task: string | null },
): Prompt {
  const { settings, state, options } = driver;
  const task = seen.plan.plan?.tasks.find((item) => item.id === seen.task) ?? null;
  return assemblePrompt({
    templates: options.templates,
    mode: seen.mode,
    plan: settings.plan,
    objective: settings.objective ?? seen.plan.plan?.objective ?? null,
    marker: settings.marker,
    iteration,
    task: task === null ? null : identityOf(driver, task),
    left: whatIsLeft(state, settings),
    reportOnly: settings.level === 1,
    feedback: [...endingFeedback(state), ...state.feedback],
    signs: readSigns(driver).shown,
    noteFile: channelOf(driver) === "file",
    progress: shownNotes(driver.world.files.read(PROGRESS_FILE) ?? "", settings.progressBytes),
  });
}

/** How the last agent ended, when that explains why things are as they are. */
function endingFeedback(state: RunState): Feedback[] {
  const last = state.records.at(-1);
  if (last === undefined) return [];
  const { exit } = last.ending;
  if (exit.kind === "stopped" && exit.cause !== "settled") {
    return [{ kind: "ending", text: `The last agent was ended by the driver: ${exit.cause.replaceAll("_", " ")}.` }];
  }
  if (last.class === "no_op") return [{ kind: "ending", text: "The last iteration changed nothing that counts. Say in the notes what stands in the way." }];
  return [];
}

/** Those that may be shown, and in words those that are refused. */
function readSigns(driver: Reader): { shown: Sign[]; refused: string[] } {
  const { files } = driver.world;
  const signs = files
    .list(GUARDRAILS_DIR)
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => {
      const sign = parseSign(files.read(`${GUARDRAILS_DIR}/${name}`) ?? "");
      return sign === null ? [] : [{ name, sign }];
    });
  const { shown, refused } = sortSigns(signs);
  return {
    shown: shown.map(({ sign }) => sign),
    refused: refused.map(({ name, problem }) => `The sign ${GUARDRAILS_DIR}/${name} is not shown to agents: ${signProblemText(problem)}.`),
  };
}

/** Each once. */
function nameRefusedSigns(driver: Driver): void {
  for (const message of readSigns(driver).refused) {
    if (!driver.state.warnings.includes(message)) driver.record({ type: "warning", message });
  }
}

/** What remains of each limit, this iteration included. */
export function whatIsLeft(state: RunState, settings: Settings): string[] {
  const { limits } = settings;
  const left: string[] = [];
  if (limits.iterations !== null)
    left.push(`${limits.iterations + state.granted.iterations - state.spent} of ${limits.iterations + state.granted.iterations} iterations`);
  if (limits.tokens !== null) {
    const used = countedTokens(state.usage);
    left.push(used === null && state.records.length > 0 ? "tokens unknown" : `${limits.tokens + state.granted.tokens - (used ?? 0)} tokens`);
  }
  if (limits.costMicroUsd !== null) {
    const used = state.usage.costMicroUsd;
    const total = limits.costMicroUsd + state.granted.costMicroUsd;
    left.push(used === null && state.records.length > 0 ? "cost unknown" : `$${((total - (used ?? 0)) / 1e6).toFixed(2)}`);
  }
  left.push(`${Math.max(0, Math.round((limits.timeMs + state.granted.timeMs - state.activeMs) / 60_000))} minutes`);
  return left;
}
