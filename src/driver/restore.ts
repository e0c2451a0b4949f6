/** After the agent: whatever must not change and did comes back, and is named. Ends with the candidate tree. */
import { comparedChanges, restoreCompared } from "../core/guard/compared.js";
import { MAX_ADDED_TASKS } from "../core/defaults.js";
import { iterationDir, rejectedPath } from "../core/paths.js";
import { parsePlan } from "../core/plan/parse.js";
import { reconcilePlan } from "../core/plan/reconcile.js";
import type { OpenIteration } from "../core/run-state.js";
import type { Driver } from "./driver.js";
import { undoWork } from "./look-only.js";
import { readPlan } from "./plan-view.js";
import type { Candidate } from "./ports.js";

export interface Restored {
  candidate: Candidate;
  /** Where HEAD stands; the parent of the iteration's commit. */
  head: string | null;
  /** Task ids that the agent ticked. */
  ticked: string[];
}

export async function restore(driver: Driver, open: OpenIteration): Promise<Restored> {
  const moved = await restorePlan(driver, open);
  const edits = editsOf(driver, [open.task, ...moved.ticked]);
  await driver.world.frozen.restore(open.number, edits, (item) => driver.record({ type: "path.restored", ...item }));
  for (const message of driver.world.frozen.takeNotes()) driver.record({ type: "warning", message });
  const captured = await captureOnBranch(driver, open);
  const candidate = await undoWork(driver, open, await restoreComparedPaths(driver, open, edits, captured));
  const fresh = candidate.excluded.filter((item) => !driver.state.excluded.some((known) => known.path === item.path));
  if (fresh.length > 0) driver.record({ type: "tree.excluded", paths: fresh });
  return { candidate, head: captured.head, ticked: moved.ticked };
}

/** Globs that the tasks in work may change; only powers that the run or a person brought in count. */
function editsOf(driver: Driver, ids: (string | null)[]): string[] {
  return driver.state.tasks.filter((task) => ids.includes(task.id)).flatMap((task) => task.edits);
}

async function restorePlan(driver: Driver, open: OpenIteration): Promise<{ ticked: string[] }> {
  const path = driver.settings.plan;
  const { files, runFiles } = driver.world;
  const before = path === null ? null : runFiles.read(`${iterationDir(open.number)}/plan.md`);
  if (path === null || before === null) return { ticked: [] };
  if (open.ticked !== null) return { ticked: open.ticked };
  const now = files.read(path);
  const after = now ?? (await findMovedPlan(driver, open, before));
  const result = reconcilePlan({
    before,
    after,
    path,
    sections: driver.settings.taskSections,
    fixed: new Set(driver.state.tasks.map((task) => task.id)),
    maxAdded: MAX_ADDED_TASKS,
  });
  const what = now === null && after !== null ? [`${path} was moved away; it stands where it was, with its ticks`, ...result.restored] : result.restored;
  if (what.length > 0) driver.record({ type: "plan.restored", what, frozen: result.frozenTouched });
  if (result.source !== now) putPlan(driver, path, result.source);
  recordAdded(driver, result.added);
  // From here on the driver's own unticking may change the plan; after a restart these are still the agent's ticks.
  driver.record({ type: "claims.taken", ticked: result.ticked });
  return { ticked: result.ticked };
}

/** A link that the agent put in the plan's place is taken away first: nobody writes through it. A folder keeps what is in it. */
function putPlan(driver: Driver, path: string, source: string): void {
  const { files } = driver.world;
  if (files.write(path, source)) return;
  files.remove(path);
  if (files.write(path, source)) return;
  const aside = files.setAside(path);
  const written = files.write(path, source);
  if (aside !== null) driver.record({ type: "warning", message: `Something that is no file stood where ${path} belongs; it is ${aside} now.` });
  if (!written) driver.record({ type: "warning", message: `${path} could not be written; is it read-only or open in an editor?` });
}

function recordAdded(driver: Driver, added: string[]): void {
  const known = new Set(driver.state.tasks.map((task) => task.id));
  const plan = readPlan(driver).plan;
  for (const id of added.filter((item) => !known.has(item))) {
    const task = plan?.tasks.find((item) => item.id === id);
    if (task !== undefined) driver.record({ type: "task.added", task: { id, text: task.text, gates: [], edits: [] } });
  }
}

/** A plan that was renamed still carries its ticks: the added file that holds most of its tasks. */
async function findMovedPlan(driver: Driver, open: OpenIteration, before: string): Promise<string | null> {
  const path = driver.settings.plan ?? "";
  const reading = parsePlan(before, { path, sections: driver.settings.taskSections });
  if (reading.kind === "invalid") return null;
  const ids = new Set(reading.plan.tasks.map((task) => task.id));
  const candidate = await driver.world.repo.capture({ against: open.tree, exclude: driver.state.untouched });
  for (const change of candidate.changes.filter((item) => item.kind === "added" && item.path.endsWith(".md"))) {
    const source = driver.world.files.read(change.path);
    const found = source === null ? null : parsePlan(source, { path, sections: driver.settings.taskSections });
    if (found?.kind !== "plan") continue;
    const same = found.plan.tasks.filter((task) => ids.has(task.id)).length;
    if (same * 2 > ids.size) return source;
  }
  return null;
}

/**
 * Agents switch branches, detach HEAD and rewrite history. Their tips are kept under a ref, and the run goes on where
 * it was. The capture tells where HEAD stands, so that git is asked once for both.
 */
async function captureOnBranch(driver: Driver, open: OpenIteration): Promise<Candidate> {
  const { repo } = driver.world;
  const wanted = { against: open.tree, exclude: driver.state.untouched };
  const branch = driver.state.started.branch;
  const name = `${driver.state.run}/${open.number}`;
  let candidate = await repo.capture(wanted);
  if (branch !== null && candidate.branch !== branch) {
    const { head } = candidate;
    if (head !== null && head !== open.head) {
      const commit = await repo.saveRef(`${name}-head`, { commit: head });
      driver.record({ type: "work.saved", ref: `refs/ralphd/${name}-head`, commit, why: `HEAD stood on ${candidate.branch ?? "no branch"}` });
    }
    await repo.attach(branch, open.head);
    driver.record({ type: "repo.moved", what: `The agent left ${branch} for ${candidate.branch ?? "a detached HEAD"}; HEAD points to ${branch} again.` });
    candidate = await repo.capture(wanted);
  }
  const { head } = candidate;
  if (open.head === null || head === open.head) return candidate;
  if (head === null || !(await repo.isAncestor(open.head, head))) {
    const commit = await repo.saveRef(`${name}-base`, { commit: open.head });
    driver.record(
      { type: "work.saved", ref: `refs/ralphd/${name}-base`, commit, why: "the agent rewrote the branch it started on" },
      { type: "repo.moved", what: `The agent rewrote history: ${open.head.slice(0, 9)} is no ancestor of ${branch ?? "HEAD"} any more.` },
    );
  }
  return candidate;
}

async function restoreComparedPaths(driver: Driver, open: OpenIteration, edits: string[], candidate: Candidate): Promise<Candidate> {
  const { repo, runFiles } = driver.world;
  const suspects = comparedChanges(candidate.changes, driver.settings.protect, edits);
  if (suspects.length === 0) return candidate;
  const before = new Map<string, string | null>();
  const after = new Map<string, string | null>();
  for (const { path } of suspects) {
    before.set(path, await repo.readAt(open.tree, path));
    after.set(path, await repo.readAt(candidate.tree, path));
  }
  const wrong = restoreCompared({
    changes: candidate.changes,
    readBefore: (path) => before.get(path) ?? null,
    readAfter: (path) => after.get(path) ?? null,
    protect: driver.settings.protect,
    edits,
  });
  if (wrong.length === 0) return candidate;
  // Kept and named first: once they are put back, a restart can't see what they were.
  for (const { path, why } of wrong) {
    const text = after.get(path) ?? null;
    const keptAs = text === null ? null : rejectedPath(open.number, path);
    if (keptAs !== null && text !== null) runFiles.write(keptAs, text);
    driver.record({ type: "path.restored", path, rule: "compared", why, keptAs });
  }
  await repo.restore(
    open.tree,
    wrong.map((item) => item.path),
  );
  return repo.capture({ against: open.tree, exclude: driver.state.untouched });
}
