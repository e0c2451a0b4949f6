/** Notes of people: who was shown one answers in progress.md, or is shown it once more. */
import { UNSPENT_CLASSES } from "../core/class.js";
import { iterationDir, PROGRESS_FILE } from "../core/paths.js";
import { notesChanged } from "../core/progress-notes.js";
import type { OpenIteration } from "../core/run-state.js";
import type { IterationClass } from "../core/words.js";
import type { Driver } from "./driver.js";

const BEFORE_FILE = "progress-before.md";

/** Only where a note waits for an answer: the file is what the answer is seen by. */
export function keepProgressBefore(driver: Driver, iteration: number): void {
  if (!driver.state.feedback.some((item) => item.kind === "note")) return;
  driver.world.runFiles.write(`${iterationDir(iteration)}/${BEFORE_FILE}`, driver.world.files.read(PROGRESS_FILE) ?? "");
}

export function repeatNotes(driver: Driver, open: OpenIteration, ended: IterationClass): void {
  // Whoever never got to work is not asked twice: the next iteration gets its whole feedback anyway.
  if (UNSPENT_CLASSES.has(ended) || ended === "killed") return;
  const notes = open.carried.filter((item) => item.kind === "note" && item.again !== true);
  const before = driver.world.runFiles.read(`${iterationDir(open.number)}/${BEFORE_FILE}`);
  if (notes.length === 0 || before === null || notesChanged(before, driver.world.files.read(PROGRESS_FILE) ?? "")) return;
  driver.record(...notes.flatMap((item) => (item.kind === "note" ? [{ type: "note.unanswered" as const, text: item.text }] : [])));
}
