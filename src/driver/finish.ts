/** From a settled agent to a finished iteration. A restart enters here too, at the first step without an outcome. */
import { iterationDir } from "../core/paths.js";
import type { OpenIteration } from "../core/run-state.js";
import { UNKNOWN_USAGE } from "../core/usage.js";
import type { Driver } from "./driver.js";
import { judge, runLevelClaim, type Judgement } from "./judge.js";
import { keep } from "./keep.js";
import { repeatNotes } from "./notes.js";
import { boundProgress } from "./notes-bound.js";
import { reviewEdits } from "./plan-edits.js";
import { prove } from "./prove.js";
import { restore } from "./restore.js";
import { draftSigns } from "./signs.js";

export async function finish(driver: Driver, open: OpenIteration): Promise<void> {
  const tampered = driver.world.journal.tampering();
  if (tampered !== null) recordTampering(driver, tampered);
  draftSigns(driver, open);
  parkBlocked(driver, open);
  boundProgress(driver);
  const restored = await restore(driver, open);
  const judgement = await judge(driver, open, restored);
  await keep(driver, open, judgement);
  await close(driver, open, judgement);
}

export type Closing = Omit<Judgement, "candidate" | "results" | "head">;

/** After the commit: the run-level claim is checked on it, then the iteration ends. */
export async function close(driver: Driver, open: OpenIteration, judgement: Closing): Promise<void> {
  const by = runLevelClaim(driver, open);
  if (by !== null) {
    const { head } = await driver.world.repo.look();
    // Work that a hook kept out of a commit can't be proved on one.
    if (head === driver.state.lastCommit) await prove(driver, { by, commit: head, tree: driver.state.lastTree, claimed: by !== "gates" });
  }
  const { class: iterationClass, newTree, betterGates, workTree, files } = judgement;
  repeatNotes(driver, open, iterationClass);
  reviewEdits(driver, "unknown");
  driver.record({
    type: "iteration.ended",
    class: iterationClass,
    usage: open.usage ?? UNKNOWN_USAGE,
    newTree,
    betterGates,
    workTree,
    files,
    activeMs: open.ending?.durationMs ?? 0,
  });
  writeSummary(driver, open, judgement);
}

function writeSummary(driver: Driver, open: OpenIteration, judgement: Closing): void {
  const lines = [`class ${judgement.class}`, `files ${judgement.files}`, `tree ${driver.state.lastTree}`, `commit ${open.commit ?? "none"}`];
  driver.world.runFiles.writeView(`${iterationDir(open.number)}/diffstat`, `${lines.join("\n")}\n`);
}

function recordTampering(driver: Driver, what: string): void {
  driver.record({
    type: "brake.hit",
    hit: {
      reason: "tampering",
      summary: `Someone other than the driver changed the run's journal: ${what}.`,
      signature: "journal",
      lastActions: driver.state.watch.last.slice(-3),
      advice: "Compare the run's folder below the git directory with the commits on the run branch before you trust this run.",
    },
  });
}

/** A parked task keeps its question; the run goes on with the next one. */
function parkBlocked(driver: Driver, open: OpenIteration): void {
  const { blocked, gutter } = open.claims;
  if (blocked !== null && open.task !== null) {
    driver.record({ type: "task.parked", task: open.task, question: blocked });
  } else if (blocked !== null || gutter) {
    driver.record({
      type: "brake.hit",
      hit: {
        reason: "gutter_signal",
        summary: blocked === null ? "The agent says that it goes in circles and asks for a person." : `The agent asks for a person: ${blocked}`,
        signature: blocked === null ? "GUTTER" : "BLOCKED",
        lastActions: driver.state.watch.last.slice(-3),
        advice: "Read the last notes in .ralph/progress.md, answer the question in the plan or the objective, and run again.",
      },
    });
  }
}
