/** Keeps progress.md within its size after each agent, so that no iteration is dearer for what earlier ones wrote. Nothing is dropped. */
import { PROGRESS_ARCHIVE, PROGRESS_FILE, RALPH_DIR } from "../core/paths.js";
import { boundNotes, notesFit } from "../core/progress-notes.js";
import type { Driver } from "./driver.js";

/** Before the tree is captured: what is judged and committed is what the next agent reads. */
export function boundProgress(driver: Driver): void {
  const { files } = driver.world;
  const notes = files.read(PROGRESS_FILE);
  if (notes === null || notesFit(notes, driver.settings.progressBytes)) return;
  const archive = files.read(PROGRESS_ARCHIVE);
  const there = files.list(RALPH_DIR).some((name) => `${RALPH_DIR}/${name}` === PROGRESS_ARCHIVE);
  const bounded = boundNotes(notes, archive ?? "", driver.settings.progressBytes);
  if (bounded === null) return;
  // The archive first: a crash in between leaves the notes in both places, and the next time sees that.
  const kept = (archive !== null || !there) && files.write(PROGRESS_ARCHIVE, bounded.archive) && files.write(PROGRESS_FILE, bounded.notes);
  if (!kept)
    warnOnce(
      driver,
      `${PROGRESS_FILE} is longer than ${driver.settings.progressBytes} bytes and could not be shortened: ${PROGRESS_ARCHIVE} or itself can't be read or written.`,
    );
}

function warnOnce(driver: Driver, message: string): void {
  if (!driver.state.warnings.includes(message)) driver.record({ type: "warning", message });
}
