/** Brings an iteration that a dead driver left open to its end, without running or counting anything twice. */
import { NOTE_FILE } from "../core/context-warning.js";
import { iterationDir } from "../core/paths.js";
import type { OpenIteration } from "../core/run-state.js";
import { newSession, recordEnd } from "./act.js";
import type { Driver } from "./driver.js";
import { close, finish } from "./finish.js";
import { judge } from "./judge.js";
import { keep } from "./keep.js";
import { restore } from "./restore.js";

export async function recover(driver: Driver): Promise<void> {
  const { open } = driver.state;
  if (open === null) return;
  switch (open.phase) {
    case "started":
      await settleDead(driver, open);
      await finish(driver, openOf(driver));
      return;
    case "ended":
      await finish(driver, open);
      return;
    case "judged":
      await completeCommit(driver, open);
      return;
    case "committed":
      await closeAgain(driver, open);
  }
}

/** What the agent had done is read from its recorded stream; what it left in the tree is saved, then judged as this iteration. */
async function settleDead(driver: Driver, open: OpenIteration): Promise<void> {
  const { world } = driver;
  const folder = iterationDir(open.number);
  const session = newSession(driver, world.runFiles.read(`${folder}/prompt.md`) ?? "");
  const raw = world.runFiles.read(`${folder}/stream.jsonl`) ?? "";
  for (const event of driver.agent.replayStream(raw)) session.take(event, world.clock.nowMs());
  // Nobody knows any more whether the dead driver had written one.
  world.files.remove(NOTE_FILE);
  const candidate = await world.repo.capture({ against: open.tree, exclude: driver.state.untouched });
  if (candidate.changes.length > 0) {
    const ref = `${driver.state.run}/${open.number}`;
    const message = `Work found after iteration ${open.number} of run ${driver.state.run} was killed\n`;
    const commit = await world.repo.saveRef(ref, { tree: candidate.tree, parent: candidate.head, message });
    driver.record({ type: "work.saved", ref: `refs/ralphd/${ref}`, commit, why: "the driver died during this iteration" });
  }
  recordEnd(driver, session, { kind: "signalled", signal: "the driver's death" }, { durationMs: 0, outputBytes: raw.length });
}

/** The intent to commit is durable: the commit is there, or it is made now from the same tree. */
async function completeCommit(driver: Driver, open: OpenIteration): Promise<void> {
  const { judged } = open;
  const found = await driver.world.repo.findIterationCommit(driver.state.run, open.number);
  if (judged !== null && found !== null) {
    driver.record({ type: "commit.created", commit: found.commit, tree: found.tree, parent: judged.parent, files: 0 });
    await closeAgain(driver, openOf(driver));
    return;
  }
  if (judged !== null && !judged.commit) {
    await closeAgain(driver, open);
    return;
  }
  const restored = await restore(driver, open);
  const judgement = await judge(driver, open, restored);
  await keep(driver, open, judgement);
  await close(driver, openOf(driver), judgement);
}

/** Facts of a commit that is made already, read again from the trees. */
async function closeAgain(driver: Driver, open: OpenIteration): Promise<void> {
  const { repo } = driver.world;
  const tree = open.judged?.tree ?? driver.state.lastTree;
  const own = driver.ownPaths();
  const changes = await repo.changes(open.tree, tree);
  const workTree = await repo.treeWithout(tree, own);
  await close(driver, open, {
    class: open.judged?.class ?? "killed",
    newTree: driver.state.brakes.trees[workTree] === undefined,
    betterGates: open.judged?.betterGates ?? false,
    workTree,
    files: changes.filter((change) => !own.some((path) => change.path === path || change.path.startsWith(`${path}/`))).length,
  });
}

function openOf(driver: Driver): OpenIteration {
  const { open } = driver.state;
  if (open === null) throw new Error("the iteration to recover is gone from the journal");
  return open;
}
