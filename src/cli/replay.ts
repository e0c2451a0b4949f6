/** `ralphd replay N`: what iteration N saw and did, from its record. Reads only. */
import { createColors } from "picocolors";
import type { JournalEvent } from "../core/journal-event.js";
import { iterationDir } from "../core/paths.js";
import { EXIT_CODES } from "../core/words.js";
import { readJournal } from "../journal/read.js";
import { createRedactor, redactValue } from "../journal/redact.js";
import { latestRun, type RunStore } from "../journal/run-store.js";
import type { ActivityLine } from "../report/activity.js";
import { oneLine } from "../report/markdown-text.js";
import { createGit } from "../workspace/git.js";
import { formatEvent } from "./format-event.js";
import { actionText, recordedActions } from "./recorded-actions.js";
import type { ReadingOptions } from "./why.js";

export async function runReplay(options: ReadingOptions & { iteration: number; colours: boolean }): Promise<number> {
  const { root, truthDir, iteration, json, env, colours, out, err } = options;
  const store = latestRun(truthDir);
  const events = store === null ? [] : readJournal(store.journalPath, store.run).events.filter((event) => event.iteration === iteration);
  if (store === null || events.length === 0) {
    err(`ralphd: ${store === null ? "nothing has run here yet" : `run ${store.run} has no iteration ${iteration}`}.`);
    return EXIT_CODES.failed;
  }
  const redact = createRedactor(env);
  const seen = redactValue(await recordOf(store, events, options), redact);
  if (json) {
    out(JSON.stringify({ run: store.run, iteration, ...seen, events }));
    return 0;
  }
  const palette = createColors(colours);
  const title = (text: string): void => out(palette.bold(`# ${text}`));
  title(`Iteration ${iteration} of run ${store.run}${seen.class === null ? "" : `: ${seen.class}`}`);
  title("What it saw");
  out(seen.prompt?.trimEnd() ?? "The prompt is not on record.");
  title("What it did");
  if (seen.problem !== null) out(seen.problem);
  for (const line of seen.actions) out(actionText(line));
  if (seen.finalText !== null) out(`last message: ${oneLine(seen.finalText, 1_000)}`);
  title("What came of it");
  for (const event of events) {
    const line = formatEvent(event, palette);
    if (line !== null) out(line);
  }
  if (seen.diffstat !== null) out(seen.diffstat.trimEnd());
  err(`All of it: ${store.dir}/${iterationDir(iteration)} (of ${root})`);
  return 0;
}

interface Recorded {
  class: string | null;
  prompt: string | null;
  actions: ActivityLine[];
  finalText: string | null;
  /** `git show --stat` of the iteration's commit; null without one. */
  diffstat: string | null;
  /** Why the actions could not be read. */
  problem: string | null;
}

async function recordOf(
  store: RunStore,
  events: readonly JournalEvent[],
  { root, truthDir, env, iteration }: Parameters<typeof runReplay>[0],
): Promise<Recorded> {
  const folder = iterationDir(iteration);
  const commit = events.findLast((event) => event.type === "commit.created")?.commit ?? null;
  const { lines, problem } = await recordedActions({ store, root, truthDir, env }, iteration, whoMade(events));
  return {
    class: events.findLast((event) => event.type === "iteration.ended")?.class ?? null,
    prompt: store.files.read(`${folder}/prompt.md`),
    actions: lines,
    finalText: events.findLast((event) => event.type === "agent.ended")?.finalText ?? null,
    diffstat: commit === null ? null : await statOf(root, commit),
    problem,
  };
}

function whoMade(events: readonly JournalEvent[]): string {
  return events.find((event) => event.type === "iteration.started")?.agent ?? "";
}

async function statOf(root: string, commit: string): Promise<string | null> {
  const shown = await createGit({ root }).read(["show", "--stat", "--format=", "--no-color", commit, "--"]);
  return shown.code === 0 ? shown.stdout.toString("utf8") : null;
}
