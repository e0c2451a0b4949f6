/** The HTML report's sections of evidence: tasks with their proofs, gates, iterations, and what was put back or left out. */
import { contextLines, leftoverLines } from "./change-sections.js";
import { count, duration, plural, shortCommit } from "./format.js";
import { code, esc, items, rich, table } from "./html-text.js";
import type { ReportGate, ReportIteration, ReportModel, ReportTask } from "./model-schema.js";
import { dollars, gateWord, modeWord, proofWords, spentWords, switchWords, taskWord } from "./words.js";

const MARKS: Readonly<Record<ReportTask["state"], { mark: string; tone: string }>> = {
  done: { mark: "✓", tone: "good" },
  open: { mark: "○", tone: "info" },
  manual: { mark: "☞", tone: "warn" },
  blocked: { mark: "!", tone: "warn" },
  other: { mark: "–", tone: "info" },
};

export function tasks({ tasks: list, verdict }: ReportModel): string {
  return list.length === 0 ? "" : `<ul class="tasks">${list.map((task) => taskRow(task, verdict)).join("\n")}</ul>`;
}

function taskRow(task: ReportTask, verdict: ReportModel["verdict"]): string {
  const word = taskWord(task, verdict);
  const { mark, tone } = word === "ticked" ? { ...MARKS.done, tone: "warn" } : MARKS[task.state];
  return `<li class="tone-${tone}"><span class="mark" aria-hidden="true">${mark}</span><span>${rich(task.text)}</span><span class="pill">${word}</span>${evidence(task)}</li>`;
}

function evidence(task: ReportTask): string {
  const { proof } = task;
  const tries = task.attempts > 1 ? plural(task.attempts, "iteration") : "";
  const spent = [spentWords(task.spent), tries].filter((part) => part !== "").map(esc);
  if (proof === null) {
    const words = [esc(proofWords(task)), ...spent].filter((part) => part !== "");
    return words.length === 0 ? "" : `<div class="evidence">${words.join(" · ")}</div>`;
  }
  const by = proof.gates.length === 0 ? `<strong>${esc(proofWords(task))}</strong>` : `proved by ${proof.gates.map(code).join(", ")}`;
  const words = [`${by} in iteration ${proof.iteration}`, ...(proof.commit === null ? [] : [`commit ${code(shortCommit(proof.commit))}`]), ...spent];
  return `<div class="evidence">${words.join(" · ")}${files(proof)}</div>`;
}

function files({ files: list, fileCount }: NonNullable<ReportTask["proof"]>): string {
  if (list === null) return fileCount === null ? "" : ` · ${plural(fileCount, "file")}`;
  if (list.length === 0) return "";
  return `<details><summary>${plural(list.length, "file")}</summary>${items(list.map((file) => `${code(file.path)} ${size(file) || '<span class="soft">binary</span>'}`))}</details>`;
}

function size({ added, removed }: { added: number | null; removed: number | null }): string {
  return added === null && removed === null ? "" : `<span class="plus">+${count(added ?? 0)}</span> <span class="minus">−${count(removed ?? 0)}</span>`;
}

export function gates(list: readonly ReportGate[]): string {
  const rows = list.map((gate) => [
    code(gate.name) + (gate.required ? "" : ' <span class="soft">advisory</span>'),
    pill(gateWord(gate.verdict, gate.flaky), gate.verdict === "pass" ? (gate.flaky ? "warn" : "good") : gate.verdict === "fail" ? "bad" : "warn"),
    rich(gate.reason),
    gate.testsRun === null ? "" : count(gate.testsRun),
    esc(gateWord(gate.baseline, gate.baselineFlaky)),
  ]);
  return table(
    [
      { head: "gate" },
      { head: "verdict", narrow: "bare" },
      { head: "reason", narrow: "wide" },
      { head: "tests run", number: true },
      { head: "before the run" },
    ],
    rows,
  );
}

function pill(text: string, tone: string): string {
  return `<span class="pill tone-${tone}">${esc(text)}</span>`;
}

const COLUMNS = [
  { head: "#" },
  { head: "task", narrow: "bare" },
  { head: "ended as", narrow: "bare" },
  { head: "commit" },
  { head: "files", number: true },
  { head: "lines", number: true },
  { head: "tokens", number: true },
  { head: "cost", number: true },
  { head: "time", number: true },
] as const;

export function iterations({ iterations: list, earlierIterations, openIteration }: ReportModel): string {
  const more =
    earlierIterations > 0 ? `<p class="soft">The ${plural(earlierIterations, "earlier iteration")} are in the journal: ${code("ralphd logs")}.</p>` : "";
  const open = openIteration === null ? "" : `<p>Iteration ${openIteration.number} is open (${esc(openIteration.phase)}).</p>`;
  const several = new Set(list.map(({ agent }) => agent)).size > 1;
  return (
    table(
      COLUMNS,
      list.map((row) => iterationRow(row, several)),
    ) +
    more +
    open
  );
}

function iterationRow(row: ReportIteration, several: boolean): string[] {
  const mode = modeWord(row.mode);
  return [
    `${row.number}${mode === "" ? "" : ` <span class="soft">${mode}</span>`}`,
    `${rich(row.task ?? "")}${several ? ` <span class="soft">by ${esc(row.agent)}</span>` : ""}`,
    pill(row.class, row.class === "progress" ? "good" : row.class === "waiting" || row.class === "limit" ? "info" : "warn"),
    row.commit === null ? "" : code(shortCommit(row.commit)),
    count(row.fileCount),
    size(row),
    count(row.countedTokens),
    dollars(row.costUsd),
    duration(row.activeMs),
  ];
}

export function changes(report: ReportModel): { title: string; body: string }[] {
  const signs = items(report.signs.map(({ trigger, path, iteration }) => `${code(path)} after iteration ${iteration}: when ${rich(trigger)}`));
  return [
    { title: "Agents that stood in", body: items(report.switches.map((change) => rich(switchWords(change)))) },
    { title: "Restored: what must not change and did", body: restored(report) },
    { title: "Left out of commits", body: items(report.excluded.map(({ path, reason }) => `${code(path)}: ${rich(reason)}`)) },
    { title: "Left behind by gates", body: items(report.leftBehind.map(code)) },
    { title: "Saved aside", body: items(report.saved.map(({ ref, commit, why }) => `${code(ref)} at ${code(shortCommit(commit))}: ${rich(why)}`)) },
    { title: "Context warnings", body: items(contextLines(report).map(rich)) },
    { title: "Left running by agents", body: items(leftoverLines(report).map(rich)) },
    { title: "Signs drafted", body: signs === "" ? "" : `${signs}<p class="soft">Review them with ${code("ralphd guardrails review")}.</p>` },
    { title: "Warnings", body: items(report.warnings.map(rich)) },
  ];
}

function restored({ restored: list, runFolder }: ReportModel): string {
  const rows = list.map(({ iteration, path, rule, why, keptAs }) => [String(iteration), code(path), rule, rich(why), keptAs === null ? "" : code(keptAs)]);
  const where =
    runFolder !== null && list.some(({ keptAs }) => keptAs !== null) ? `<p class="soft">The agent's versions lie below ${code(runFolder)}.</p>` : "";
  return (
    table(
      [
        { head: "#" },
        { head: "path", narrow: "bare" },
        { head: "rule", narrow: "bare" },
        { head: "why", narrow: "wide" },
        { head: "the agent's version", narrow: "wide" },
      ],
      rows,
    ) + where
  );
}
