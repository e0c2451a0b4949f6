/** `ralphd why`: explains the last stop. Reads only. */
import { foldAll } from "../core/fold.js";
import { EXIT_CODES } from "../core/words.js";
import { readJournal } from "../journal/read.js";
import { latestRun } from "../journal/run-store.js";
import { oneLine } from "../report/markdown-text.js";
import { explain } from "../report/why.js";
import { frozenSettings } from "./frozen-settings.js";

export interface ReadingOptions {
  root: string;
  truthDir: string;
  json: boolean;
  env: NodeJS.ProcessEnv;
  out(line: string): void;
  err(line: string): void;
}

/** Returns the exit code: 1 when there is nothing to explain. */
export function runWhy({ truthDir, json, out, err }: ReadingOptions): number {
  const store = latestRun(truthDir);
  const reading = store === null ? null : readJournal(store.journalPath, store.run);
  const state = reading === null || reading.problem !== null ? null : foldAll(reading.events);
  if (state === null) {
    err(
      reading?.problem == null
        ? "ralphd: nothing has run here yet."
        : `ralphd: the journal is damaged in line ${reading.problem.line}: ${reading.problem.message}`,
    );
    return EXIT_CODES.failed;
  }
  const why = explain(state, frozenSettings(truthDir));
  if (why === null) {
    err(`ralphd: run ${state.run} has not stopped; \`ralphd status\` shows where it stands.`);
    return EXIT_CODES.failed;
  }
  if (json) {
    out(JSON.stringify(why));
    return 0;
  }
  const block = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${oneLine(line, 400)}`)];
  const lines = [
    `Run ${why.run} ended ${why.status} (${why.reason}). ${why.rule}`,
    ...block("what was seen", [why.summary, ...why.evidence]),
    ...block("thresholds", why.thresholds),
    ...block("what would have changed it", why.otherwise),
    ...block("next", why.next),
  ];
  for (const line of lines) out(line);
  return 0;
}
