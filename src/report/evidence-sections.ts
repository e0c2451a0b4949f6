/** The Markdown report's tables of evidence: what proves each task, what the gates said, what each iteration did and cost. */
import { count, duration, plural, shortCommit } from "./format.js";
import { code, plain, table } from "./markdown-text.js";
import type { ReportGate, ReportModel, ReportTask } from "./model-schema.js";
import { dollars, gateWord, lines, modeWord, proofWords, spentWords, taskWord } from "./words.js";

/** File names shown in a cell before the rest is only counted. */
const MAX_FILES_SHOWN = 5;

export function taskSection({ tasks, verdict }: ReportModel): string {
  const rows = tasks.map((task) => [plain(task.text), taskWord(task, verdict), ...evidence(task), spentWords(task.spent)]);
  return table(["task", "state", "proved by", "commit", "files", "spent on it"], rows);
}

function evidence(task: ReportTask): string[] {
  const { proof } = task;
  if (proof === null) return [proofWords(task), "", ""];
  const by = proof.gates.length === 0 ? proofWords(task) : proof.gates.map(code).join(", ");
  return [`${by}, iteration ${proof.iteration}`, code(shortCommit(proof.commit)), filesOf(proof)];
}

function filesOf({ files, fileCount }: NonNullable<ReportTask["proof"]>): string {
  if (files === null) return fileCount === null ? "unknown" : plural(fileCount, "file");
  const rest = files.length > MAX_FILES_SHOWN ? ` and ${files.length - MAX_FILES_SHOWN} more` : "";
  return `${files
    .slice(0, MAX_FILES_SHOWN)
    .map((file) => code(file.path))
    .join(", ")}${rest}`;
}

export function gateSection(gates: readonly ReportGate[]): string {
  const rows = gates.map((gate) => [
    code(gate.name) + (gate.required ? "" : " (advisory)"),
    gateWord(gate.verdict, gate.flaky),
    plain(gate.reason),
    gate.testsRun === null ? "" : count(gate.testsRun),
    gateWord(gate.baseline, gate.baselineFlaky),
  ]);
  return table(["gate", "verdict", "reason", "tests run", "before the run"], rows);
}

export function iterationSection({ iterations, earlierIterations, openIteration }: ReportModel): string {
  const several = new Set(iterations.map(({ agent }) => agent)).size > 1;
  const rows = iterations.map((iteration) => [
    `${iteration.number}${iteration.mode === "work" ? "" : ` (${modeWord(iteration.mode)})`}`,
    plain(iteration.task ?? ""),
    ...(several ? [plain(iteration.agent)] : []),
    iteration.class,
    code(shortCommit(iteration.commit)),
    String(iteration.fileCount),
    lines(iteration),
    count(iteration.countedTokens),
    dollars(iteration.costUsd),
    duration(iteration.activeMs),
  ]);
  const shown = table(["#", "task", ...(several ? ["agent"] : []), "class", "commit", "files", "lines", "tokens", "cost", "duration"], rows);
  const more = earlierIterations > 0 ? `\n\nThe ${plural(earlierIterations, "earlier iteration")} are in the journal: \`ralphd logs\`.` : "";
  const open = openIteration === null ? "" : `\n\nIteration ${openIteration.number} is open (${openIteration.phase}).`;
  return `${shown}${more}${open}`.trim();
}
