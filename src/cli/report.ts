/** `ralphd report`: the report of a run, made anew from its journal, in the wanted form. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { STATE_DIR } from "../core/paths.js";
import { EXIT_CODES } from "../core/words.js";
import { replaceFile } from "../journal/atomic.js";
import { createRedactor } from "../journal/redact.js";
import { renderReport, type ReportFormat } from "../report/render.js";
import { readReport } from "../run/report.js";
import { frozenSections } from "./frozen-sections.js";

export interface ReportOptions {
  root: string;
  truthDir: string;
  env: NodeJS.ProcessEnv;
  format: ReportFormat;
  /** Null: the newest. */
  run: string | null;
  /** Shows a file to the person and returns what kept it from that; null: print. */
  open: ((path: string) => Promise<string | null>) | null;
  /** The report without its last newline, for stdout. */
  out(text: string): void;
  err(line: string): void;
}

/** Returns the exit code: 1 when nothing has run, the run is unknown, or the record is damaged. */
export async function runReport(options: ReportOptions): Promise<number> {
  const { root, truthDir, env, run, out, err } = options;
  const redact = createRedactor(env);
  const reading = await readReport({ root, truthDir, redact, sections: frozenSections(truthDir) }, run);
  switch (reading.kind) {
    case "report":
      if (options.open !== null) return shown(renderReport(reading.report, "html", redact), options, options.open);
      out(renderReport(reading.report, options.format, redact).trimEnd());
      return 0;
    case "none":
      err(run === null ? "ralphd: nothing has run here yet." : `ralphd: there is no run ${run} here.`);
      return EXIT_CODES.failed;
    case "damaged":
      err(`ralphd: the journal of run ${reading.run} is damaged in line ${reading.problem.line}: ${reading.problem.message}`);
      return EXIT_CODES.failed;
  }
}

/** A browser wants a page, whatever form was asked for. */
async function shown(page: string, { root, run, out, err }: ReportOptions, open: (path: string) => Promise<string | null>): Promise<number> {
  const folder = join(root, STATE_DIR);
  const path = join(folder, run === null ? "report.html" : `report-${run}.html`);
  mkdirSync(folder, { recursive: true });
  replaceFile(path, page);
  out(path);
  const problem = await open(path);
  if (problem === null) return 0;
  err(`ralphd: ${problem}`);
  return EXIT_CODES.failed;
}
