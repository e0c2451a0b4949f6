/** The Markdown report's sections about what was put back, kept aside, left out, drafted or warned of. */
import { plural, shortCommit } from "./format.js";
import { bullets, code, plain, table } from "./markdown-text.js";
import { switchWords } from "./words.js";
import type { ReportModel } from "./model-schema.js";
import { leftoverWords, warningWords } from "./words.js";

export function changeSections(report: ReportModel): { title: string; body: string }[] {
  return [
    { title: "Agents that stood in", body: bullets(report.switches.map((change) => plain(switchWords(change)))) },
    { title: "Restored", body: restored(report) },
    { title: "Left out of commits", body: bullets(report.excluded.map(({ path, reason }) => `${code(path)}: ${plain(reason)}`)) },
    { title: "Left behind by gates", body: bullets(report.leftBehind.map(code)) },
    { title: "Saved aside", body: bullets(report.saved.map(({ ref, commit, why }) => `${code(ref)} at ${code(shortCommit(commit))}: ${plain(why)}`)) },
    { title: "Context warnings", body: bullets(contextLines(report)) },
    { title: "Left running by agents", body: bullets(leftoverLines(report)) },
    { title: "Signs drafted", body: signs(report) },
    { title: "Warnings", body: bullets(report.warnings.map(plain)) },
  ];
}

function restored({ restored: items, runFolder }: ReportModel): string {
  const rows = items.map(({ iteration, path, rule, why, keptAs }) => [String(iteration), code(path), rule, plain(why), keptAs === null ? "" : code(keptAs)]);
  const where = runFolder !== null && items.some(({ keptAs }) => keptAs !== null) ? `\n\nThe agent's versions lie below ${code(runFolder)}.` : "";
  return `${table(["#", "path", "rule", "why", "the agent's version"], rows)}${where}`;
}

export function contextLines({ iterations }: Pick<ReportModel, "iterations">): string[] {
  return iterations.flatMap(({ number, warned }) => (warned === null ? [] : [`Iteration ${number}: ${warningWords(warned)}`]));
}

/** By iteration, and in all where that is more than the lines say. */
export function leftoverLines({ iterations, facts }: Pick<ReportModel, "iterations" | "facts">): string[] {
  const all = leftoverWords(facts.leftovers);
  if (all === "") return [];
  const each = iterations.flatMap(({ number, leftovers }) => {
    const words = leftovers === null ? "" : leftoverWords(leftovers);
    return words === "" ? [] : [`Iteration ${number}: ${words}`];
  });
  const { uncounted } = facts.leftovers;
  return [...each, `In all: ${all}${uncounted === 0 ? "" : `; not counted in ${plural(uncounted, "iteration")}`}`];
}

function signs({ signs: drafted }: ReportModel): string {
  const items = drafted.map(({ trigger, path, iteration }) => `${code(path)} after iteration ${iteration}: when ${plain(trigger)}`);
  return items.length === 0 ? "" : `${bullets(items)}\n\nReview them with \`ralphd guardrails review\`.`;
}
