/**
 * What people change in plan and guardrails while no agent runs: taken up at the next iteration. What is frozen goes
 * back, a plan that can't be read gives way to the last good one; the person's version is kept and named.
 */
import { createTwoFilesPatch } from "diff/lib/patch/create.js";
import { hashText } from "../core/hash.js";
import { GUARDRAILS_DIR } from "../core/paths.js";
import { restoreFrozenPart } from "../core/plan/frozen-part.js";
import { parsePlan } from "../core/plan/parse.js";
import type { Plan, Task } from "../core/plan/types.js";
import type { Driver } from "./driver.js";

/** The plan as it last was in order, and the guardrails as they were with it. */
const LAST_PLAN = "last-plan";
const LAST_SIGNS = "last-signs.json";
const EDITS_DIR = "edits";

/**
 * `person`: nothing of ours has run since the last look, so that new tasks have the gates and edits they name.
 * `unknown`: an iteration has run; whoever changed what is still different now gets no powers by it.
 */
export type Editor = "person" | "unknown";

export function reviewEdits(driver: Driver, editor: Editor): void {
  reviewSigns(driver, editor);
  const path = driver.settings.plan;
  const source = path === null ? null : driver.world.files.read(path);
  // A plan that is gone is a decision of its own.
  if (path === null || source === null) return;
  const since = driver.world.runFiles.read(LAST_PLAN);
  if (source === since) return;
  const options = { path, sections: driver.settings.taskSections };
  const reading = parsePlan(source, options);
  if (reading.kind === "invalid") {
    if (since === null) return;
    const first = reading.problems[0];
    const where = first === undefined ? "" : ` in line ${first.line}, column ${first.column}: ${first.message}`;
    const keptAs = keep(driver, "md", source);
    if (putBack(driver, path, since))
      driver.record({ type: "plan.edited", what: [`${path} can't be read${where}; the last good version stands again`], keptAs });
    return;
  }
  if (since !== null) takeUp(driver, { path, source, since, plan: reading.plan, editor });
  driver.world.runFiles.writeView(LAST_PLAN, driver.world.files.read(path) ?? source);
}

/**
 * Frozen paths that somebody changed while no agent ran. The run keeps what it was started with, so they go back; what
 * was written is kept, and is nobody's offence. Named before it goes back: whoever dies in between finds it once more.
 */
export async function reviewFrozen(driver: Driver): Promise<void> {
  await driver.world.frozen.putBackEdits(`${EDITS_DIR}/after-${driver.state.iteration}`, ({ path, why, keptAs }, { theirs, ours }) => {
    const patch = theirs === null || ours === null ? keptAs : keep(driver, "patch", createTwoFilesPatch(path, path, ours, theirs, "", ""));
    const what = `${path} ${why}, while no agent ran; the run goes on with what it was started with`;
    // A removal leaves nothing to keep, but is no less to be told.
    driver.record(
      patch === null
        ? { type: "warning", message: what }
        : { type: "plan.edited", what: [what, "change limits with `ralphd budget`, the rest in a new run"], keptAs: patch },
    );
  });
}

interface Edit {
  path: string;
  source: string;
  since: string;
  plan: Plan;
  editor: Editor;
}

function takeUp(driver: Driver, edit: Edit): void {
  const { path, source, since, plan, editor } = edit;
  const what: string[] = [];
  let keptAs: string | null = null;
  const frozen = plan.format === "prd_json" ? null : restoreFrozenPart(since, source);
  if (frozen !== null && frozen.source !== source) {
    // Kept first: a crash in between loses nothing.
    keptAs = keep(driver, "patch", createTwoFilesPatch(path, path, since, source, "", ""));
    if (putBack(driver, path, frozen.source)) what.push(...frozen.restored, "gates and limits change with a command (`ralphd budget`) or in a new run");
  }
  what.push(...addTasks(driver, plan.tasks, editor), ...goneTasks(driver, edit));
  if (what.length > 0) driver.record({ type: "plan.edited", what, keptAs });
}

/** New tasks join the fixed ones: from now on no agent changes them. */
function addTasks(driver: Driver, tasks: readonly Task[], editor: Editor): string[] {
  const known = new Set(driver.state.tasks.map((task) => task.id));
  const gates = new Set(driver.settings.gates.map((gate) => gate.name));
  return tasks
    .filter((task) => !known.has(task.id))
    .flatMap((task) => {
      const powers = editor === "person" ? { gates: task.gates.filter((name) => gates.has(name)), edits: task.edits } : { gates: [], edits: [] };
      driver.record({ type: "task.added", task: { id: task.id, text: task.text, ...powers } });
      const lost = task.gates.filter((name) => !powers.gates.includes(name));
      return [`new task "${task.text}"`, ...(lost.length === 0 ? [] : [`its gate ${lost.join(", ")} is not one of this run and proves nothing`])];
    });
}

function goneTasks(driver: Driver, { path, since, plan }: Edit): string[] {
  const before = parsePlan(since, { path, sections: driver.settings.taskSections });
  const now = new Set(plan.tasks.map((task) => task.id));
  return before.kind === "invalid" ? [] : before.plan.tasks.filter((task) => !now.has(task.id)).map((task) => `task "${task.text}" is no longer there`);
}

function putBack(driver: Driver, path: string, text: string): boolean {
  if (driver.world.files.write(path, text)) return true;
  driver.record({ type: "warning", message: `${path} could not be written; is it read-only or open in an editor?` });
  return false;
}

/** Beside the run's record, where no gate and no commit finds it. */
function keep(driver: Driver, ending: "md" | "patch", text: string): string {
  const { runFiles } = driver.world;
  for (let number = 1; ; number += 1) {
    const name = `${EDITS_DIR}/after-${driver.state.iteration}-${number}.${ending}`;
    const there = runFiles.read(name);
    // What a driver kept that died before it could name it.
    if (there === text) return name;
    if (there !== null || runFiles.exists(name)) continue;
    runFiles.write(name, text);
    return name;
  }
}

/** Signs that a person wrote, changed or removed count as they are; else the end of the next iteration would undo it. */
function reviewSigns(driver: Driver, editor: Editor): void {
  const { files, runFiles, frozen } = driver.world;
  const paths = files.list(GUARDRAILS_DIR).map((name) => `${GUARDRAILS_DIR}/${name}`);
  const now = Object.fromEntries(paths.map((path) => [path, hashText(files.read(path) ?? "")]));
  const text = JSON.stringify(now);
  const last = runFiles.read(LAST_SIGNS);
  if (text === last) return;
  if (last !== null && editor === "person") {
    // Written below by this module alone.
    const before = JSON.parse(last) as Record<string, string>;
    const changed = [...new Set([...Object.keys(before), ...paths])].filter((path) => before[path] !== now[path]);
    frozen.accept(changed);
    driver.record({
      type: "plan.edited",
      what: changed.map((path) => `${path} ${now[path] === undefined ? "is no longer there" : "counts as it is now"}`),
      keptAs: null,
    });
  }
  runFiles.writeView(LAST_SIGNS, text);
}
