/** Judges a candidate tree: gates of ticked tasks, gates of a run-level claim, what progressed. The exit code comes last. */
import { isBetter } from "../core/brakes/counters.js";
import { classify } from "../core/class.js";
import { isComplete } from "../core/decide.js";
import type { GateResult } from "../core/gate.js";
import { setTick } from "../core/plan/tick.js";
import type { OpenIteration } from "../core/run-state.js";
import type { IterationClass } from "../core/words.js";
import type { Driver } from "./driver.js";
import { requiredGates, runGates, settleSideEffects, writeVerdicts } from "./gate-runs.js";
import { identityOf, readPlan } from "./plan-view.js";
import type { Candidate } from "./ports.js";
import type { Restored } from "./restore.js";

export interface Judgement {
  candidate: Candidate;
  /** Parent of the commit. */
  head: string | null;
  class: IterationClass;
  results: GateResult[];
  newTree: boolean;
  betterGates: boolean;
  workTree: string;
  files: number;
}

export async function judge(driver: Driver, open: OpenIteration, restored: Restored): Promise<Judgement> {
  const before = driver.state.brakes.failing;
  const { results, refused } = await judgeClaims(driver, open, restored);
  let { candidate } = restored;
  if (results.length > 0) await settleSideEffects(driver, candidate.tree);
  // Only now: what gates did to the plan is put back first.
  for (const id of refused) untick(driver, id);
  if (refused.length > 0) candidate = await driver.world.repo.capture({ against: open.tree, exclude: driver.state.untouched });
  writeVerdicts(driver, open.number, results);
  const own = driver.ownPaths();
  const workTree = await driver.world.repo.treeWithout(candidate.tree, own);
  const work = candidate.changes.filter((change) => !own.some((path) => change.path === path || change.path.startsWith(`${path}/`)));
  const newTree = driver.state.brakes.trees[workTree] === undefined;
  const betterGates = judgedBetter(before, results);
  const progressed = newTree || betterGates || open.proved.length > 0;
  if (open.ending === null) throw new Error("an iteration without an ending can't be judged");
  const iterationClass = classify({ ending: open.ending, claims: open.claims, progressed });
  return { candidate, head: restored.head, class: iterationClass, results, newTree, betterGates, workTree, files: work.length };
}

/** Task gates first, since a refused tick is also a refused run-level claim. */
async function judgeClaims(driver: Driver, open: OpenIteration, restored: Restored): Promise<{ results: GateResult[]; refused: string[] }> {
  const { tree } = restored.candidate;
  const request = { tree, task: null, cwd: driver.world.repo.root };
  const ticks = await judgeTicks(driver, restored);
  const always = driver.settings.gates.filter((gate) => gate.when === "iteration");
  const results = [...ticks.results, ...(await runGates(driver, always, { ...request, moment: "iteration" }))];
  if (ticks.refused.length === 0 && runLevelClaim(driver, open) !== null) {
    const gates = driver.settings.gates.filter((gate) => gate.required || gate.scope === "plan");
    results.push(...(await runGates(driver, gates, { ...request, moment: "claim" })));
  }
  return { results: unique(results), refused: ticks.refused };
}

async function judgeTicks(driver: Driver, restored: Restored): Promise<{ results: GateResult[]; refused: string[] }> {
  const results: GateResult[] = [];
  const own = driver.ownPaths();
  const changed = restored.candidate.changes.some((change) => !own.some((path) => change.path === path || change.path.startsWith(`${path}/`)));
  const refused: string[] = [];
  for (const id of restored.ticked) {
    const seen = readPlan(driver);
    const task = seen.plan?.tasks.find((item) => item.id === id);
    if (task === undefined) continue;
    const names = identityOf(driver, task).gates;
    const specs = driver.settings.gates.filter((gate) => names.includes(gate.name));
    const request = { tree: restored.candidate.tree, moment: "claim" as const, task: id, cwd: driver.world.repo.root };
    const verdicts = await runGates(driver, specs, request);
    results.push(...verdicts);
    const failed = verdicts.find((result) => result.verdict === "fail" && result.required);
    if (failed !== undefined) {
      const why = `gate ${failed.name} failed: ${failed.reason}`;
      if (driver.state.open?.unticked.includes(id) !== true) driver.record({ type: "task.unticked", task: id, gate: failed.name, why });
      refused.push(id);
    } else if (driver.state.proved[id] === undefined) {
      driver.record(specs.length > 0 ? { type: "task.proved", task: id, gates: names } : { type: "task.accepted", task: id, changed });
    }
  }
  return { results, refused };
}

/** The driver only unticks, and only one byte. */
export function untick(driver: Driver, id: string): void {
  const { plan, source } = readPlan(driver);
  const path = driver.settings.plan;
  if (plan === null || source === null || path === null) return;
  if (!driver.world.files.write(path, setTick(source, plan, id, false))) {
    driver.record({ type: "warning", message: `${path} could not be written to untick ${id}.` });
  }
}

/** Who claims that the whole run is finished; null when nobody does. */
export function runLevelClaim(driver: Driver, open: OpenIteration): "tasks" | "marker" | "gates" | null {
  const { view } = readPlan(driver);
  if (view.kind === "tasks" && isComplete(view.counts)) return "tasks";
  if (open.claims.complete) return "marker";
  return view.kind === "objective" && baselineWasRed(driver) ? "gates" : null;
}

/** With an objective alone, gates that were red say something when they turn green; gates that were green all along don't. */
function baselineWasRed(driver: Driver): boolean {
  return requiredGates(driver).some((gate) => driver.state.baseline[gate.name]?.verdict === "fail");
}

function judgedBetter(before: readonly string[] | null, results: readonly GateResult[]): boolean {
  if (before === null || results.length === 0) return false;
  const failing = results.filter((result) => result.verdict === "fail");
  const now = failing.flatMap((result) => (result.failing.length === 0 ? [result.name] : result.failing.map((name) => `${result.name}: ${name}`)));
  const judged = new Set(results.map((result) => result.name));
  const comparable = before.filter((name) => judged.has(name.split(": ")[0] ?? name));
  return isBetter(comparable, now);
}

function unique(results: readonly GateResult[]): GateResult[] {
  return [...new Map(results.map((result) => [result.name, result])).values()];
}
