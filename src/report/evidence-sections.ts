/** The report's tables of evidence: what proves each task, what the gates said, what each iteration did and cost. */
import type { IterationRecord, RunState } from "../core/run-state.js";
import { countedTokens } from "../core/usage.js";
import type { PlanTask, ReportContext } from "./context.js";
import { count, duration, money, plural, shortCommit } from "./format.js";
import { code, plain, table } from "./markdown-text.js";

/** File names shown in a cell before the rest is only counted. */
const MAX_FILES_SHOWN = 5;

export function taskSection(state: RunState, context: ReportContext): string {
  const tasks = context.tasks ?? state.tasks.map((task) => fromJournal(state, task));
  const rows = tasks.map((task) => [plain(task.text), task.state, ...evidence(state, context, task)]);
  return table(["task", "state", "proved by", "commit", "files"], rows);
}

/** Without a readable plan the journal still knows what was proved and what was parked. */
function fromJournal(state: RunState, { id, text }: { id: string; text: string }): PlanTask {
  return { id, text, state: state.proved[id] !== undefined ? "done" : state.parked[id] !== undefined ? "blocked" : "open" };
}

function evidence(state: RunState, context: ReportContext, task: PlanTask): string[] {
  const proof = state.proved[task.id];
  if (proof === undefined) return [task.state === "done" ? "not by this run" : "", "", ""];
  const by = proof.gates.length === 0 ? (proof.changed ? "no gate" : "no gate, and no file changed") : proof.gates.map((gate) => code(gate)).join(", ");
  const record = state.records.find(({ number }) => number === proof.iteration);
  return [`${by}, iteration ${proof.iteration}`, code(shortCommit(proof.commit)), filesOf(proof.commit, record, context)];
}

function filesOf(commit: string | null, record: IterationRecord | undefined, context: ReportContext): string {
  const names = commit === null ? undefined : context.filesByCommit?.[commit];
  if (names === undefined) return record === undefined ? "unknown" : plural(record.files, "file");
  const rest = names.length > MAX_FILES_SHOWN ? ` and ${names.length - MAX_FILES_SHOWN} more` : "";
  return `${names.slice(0, MAX_FILES_SHOWN).map(code).join(", ")}${rest}`;
}

export function gateSection(state: RunState): string {
  const names = [...new Set([...state.started.requiredGates, ...Object.keys(state.baseline), ...Object.keys(state.gates)])];
  const rows = names.map((name) => {
    const latest = state.gates[name];
    const baseline = state.baseline[name];
    const required = latest?.required ?? state.started.requiredGates.includes(name);
    return [
      code(name) + (required ? "" : " (advisory)"),
      latest === undefined ? "not run" : verdict(latest.verdict, latest.flaky),
      latest === undefined ? "" : plain(latest.reason),
      latest?.testsRun == null ? "" : count(latest.testsRun),
      baseline === undefined ? "not run" : verdict(baseline.verdict, baseline.flaky),
    ];
  });
  return table(["gate", "verdict", "reason", "tests run", "before the run"], rows);
}

function verdict(word: string, flaky: boolean): string {
  return flaky ? `${word} (flaky: failed first)` : word;
}

export function iterationSection(state: RunState): string {
  const rows = state.records.map((record) => [
    String(record.number) + (record.mode === "work" ? "" : record.mode === "wrapUp" ? " (wrap-up)" : " (step back)"),
    taskText(state, record.task),
    record.class,
    code(shortCommit(record.commit)),
    String(record.files),
    count(countedTokens(record.usage)),
    money(record.usage.costMicroUsd),
    duration(record.activeMs),
  ]);
  const shown = table(["#", "task", "class", "commit", "files", "tokens", "cost", "duration"], rows);
  const missing = state.iteration - (state.open === null ? 0 : 1) - state.records.length;
  const more = missing > 0 ? `\n\nThe ${plural(missing, "earlier iteration")} are in the journal: \`ralphd logs\`.` : "";
  const open = state.open === null ? "" : `\n\nIteration ${state.open.number} is open (${state.open.phase}).`;
  return `${shown}${more}${open}`.trim();
}

export function taskText(state: RunState, id: string | null): string {
  if (id === null) return "";
  return plain(state.tasks.find((task) => task.id === id)?.text ?? id);
}
