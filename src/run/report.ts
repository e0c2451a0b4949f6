/** The report of a run with git's numbers in it, and the files that stand in `.ralph/state` once a run has ended. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { STATE_DIR } from "../core/paths.js";
import { replaceFile } from "../journal/atomic.js";
import type { Redactor } from "../journal/redact.js";
import { unsafePath } from "../journal/unsafe-path.js";
import { renderReport, type ReportFormat } from "../report/render.js";
import { type ReportReading, reportOf } from "../report/report-of.js";
import { diffSizes } from "../workspace/diff-sizes.js";
import { createGit } from "../workspace/git.js";

export interface ReportPlace {
  root: string;
  truthDir: string;
  redact: Redactor;
  /** Headings of the plan whose tasks count; null means all. */
  sections: string[] | null;
}

/** `run`: null for the newest. */
export function readReport(place: ReportPlace, run: string | null): Promise<ReportReading> {
  return reportOf({ ...place, run, nowMs: Date.now(), diffsOf: (trees) => diffSizes(createGit({ root: place.root }), trees) });
}

const FILES: readonly (readonly [name: string, format: ReportFormat])[] = [
  ["report.md", "md"],
  ["report.html", "html"],
];

/** Returns what kept it from being written; a run is what it is without its views. */
export async function writeReports(place: ReportPlace): Promise<string | null> {
  const unsafe = unsafePath(place.root, STATE_DIR);
  if (unsafe !== null) return `the report was not written: ${unsafe}`;
  try {
    const reading = await readReport(place, null);
    if (reading.kind !== "report") return null;
    mkdirSync(join(place.root, STATE_DIR), { recursive: true });
    for (const [name, format] of FILES) replaceFile(join(place.root, STATE_DIR, name), renderReport(reading.report, format, place.redact));
    return null;
  } catch (error) {
    return `the report was not written: ${error instanceof Error ? error.message : String(error)}`;
  }
}
