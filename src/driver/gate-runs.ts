/** Runs gates on a tree and records their verdicts; the same gate passes a tree once, and fails it once an iteration. */
import { type GateResult, type GateSpec, isDeterministic, judgesTree } from "../core/gate.js";
import type { JournalBody } from "../core/journal-event.js";
import { judgeBaseline, judgeCounts } from "../core/gate-verdict.js";
import { iterationDir } from "../core/paths.js";
import type { Driver } from "./driver.js";
import { Interrupted } from "./interrupted.js";
import type { RunTrees, TreeChange } from "./ports.js";

export type GateMoment = Extract<JournalBody, { type: "gate.verdict" }>["moment"];

export interface GateRequest {
  tree: string;
  moment: GateMoment;
  task: string | null;
  /** The root, or a clean worktree. */
  cwd: string;
}

async function runGate(driver: Driver, spec: GateSpec, request: GateRequest): Promise<GateResult> {
  // A clean worktree is another place than the working tree, so its verdicts are its own.
  const place = request.cwd === driver.world.repo.root || judgesTree(spec) ? "" : request.cwd;
  const { world, state } = driver;
  const passed = `${spec.name}@${request.tree}@${place}`;
  // What failed for want of a server, by chance or by the clock may pass later, as it would after a restart.
  const failed = `${passed}@${state.iteration}`;
  const known = driver.verdicts.get(passed) ?? driver.verdicts.get(failed);
  if (known !== undefined) return known;
  driver.settled = null;
  const iteration = state.open?.number ?? 0;
  const raw = await world.gates.run(spec, {
    cwd: request.cwd,
    outputDir: `${world.runFiles.iterationDir(iteration)}/gates`,
    signal: world.control.now,
    env: gateEnv(driver),
    trees: runTrees(driver, request.tree),
  });
  if (raw.verdict === "fail" && world.control.now.aborted) throw new Interrupted(`gate ${spec.name}`);
  const baseline = request.moment === "baseline" ? null : (state.baseline[spec.name] ?? null);
  const result = judgeBaseline(judgeCounts(raw, baseline), baseline, spec);
  remember(driver.verdicts, result.verdict === "pass" ? passed : failed, result);
  const unsure = lowConfidence(spec, result);
  // In one write: a verdict that nobody may trust and the brake that says so belong together.
  driver.record({ type: "gate.verdict", ...result, moment: request.moment, task: request.task }, ...(unsure === null ? [] : [unsure]));
  return result;
}

/** Reviewers that disagree can neither prove nor refuse; a person decides. */
function lowConfidence(spec: GateSpec, { name, confidence, reason, detail }: GateResult): JournalBody | null {
  if (spec.kind !== "rubric" || !spec.required || confidence === undefined || confidence === null || confidence >= spec.minConfidence) return null;
  return {
    type: "brake.hit",
    hit: {
      reason: "low_confidence",
      summary: `Gate ${name} could not be judged with enough confidence: ${reason}`,
      signature: `gate ${name}`,
      lastActions: (detail ?? "")
        .split("\n")
        .filter((line) => line !== "")
        .slice(0, 3),
      advice: "Read the cited places and decide yourself; make the question sharper when it can be read in two ways.",
    },
  };
}

/** What the run changed so far, without the maker's own words in plan and loop files. */
function runTrees(driver: Driver, tree: string): RunTrees {
  const { repo } = driver.world;
  const base = driver.state.started.baseTree;
  const own = driver.ownPaths();
  return {
    changes: async () => (await repo.changes(base, tree)).filter(({ path }) => !own.some((mine) => path === mine || path.startsWith(`${mine}/`))),
    before: (path) => repo.readAt(base, path),
    after: (path) => repo.readAt(tree, path),
  };
}

/** Trees of long ago are not judged again. */
const MAX_VERDICTS = 64;

function remember(verdicts: Map<string, GateResult>, key: string, result: GateResult): void {
  const [oldest] = verdicts.keys();
  if (verdicts.size >= MAX_VERDICTS && oldest !== undefined) verdicts.delete(oldest);
  verdicts.set(key, result);
}

/** Deterministic gates first; a model is asked only about what they let through. */
export async function runGates(driver: Driver, specs: readonly GateSpec[], request: GateRequest): Promise<GateResult[]> {
  const results: GateResult[] = [];
  for (const spec of specs.filter(isDeterministic)) results.push(await runGate(driver, spec, request));
  if (results.some((result) => result.required && result.verdict === "fail")) return results;
  for (const spec of specs.filter((one) => !isDeterministic(one))) results.push(await runGate(driver, spec, request));
  return results;
}

export function gateEnv(driver: Driver): Record<string, string> {
  const iteration = driver.state.iteration;
  return driver.env(iteration, driver.token(iteration));
}

/** The gates that a run-level claim has to pass: all required ones, whoever names them. */
export function requiredGates(driver: Driver): GateSpec[] {
  return driver.settings.gates.filter((gate) => gate.required);
}

/**
 * What gates left behind is reported, not committed: new files are kept out of every candidate,
 * changed ones are put back to what was judged.
 */
export async function settleSideEffects(driver: Driver, tree: string): Promise<void> {
  const { repo } = driver.world;
  const after = await repo.capture({ against: tree, exclude: driver.state.untouched });
  if (after.changes.length === 0) return;
  const added = after.changes.filter((change) => change.kind === "added").map(pathOf);
  const others = after.changes.filter((change) => change.kind !== "added").map(pathOf);
  if (added.length > 0) driver.record({ type: "gate.sideEffects", paths: added });
  if (others.length > 0) {
    await repo.restore(tree, others);
    driver.record({ type: "warning", message: `Gates changed tracked files, which were put back: ${others.slice(0, 5).join(", ")}` });
  }
}

function pathOf(change: TreeChange): string {
  return change.path;
}

/** For people who look into the run's folder. */
export function writeVerdicts(driver: Driver, iteration: number, results: readonly GateResult[]): void {
  if (results.length > 0) driver.world.runFiles.writeView(`${iterationDir(iteration)}/verdicts.json`, `${JSON.stringify(results, null, 2)}\n`);
}
