/** `ralphd status`: where the newest run stands, as sentences or as JSON. */
import { EXIT_CODES, type RunStatus } from "../core/words.js";
import { ADVICE, nextSteps } from "../report/advice.js";
import { count, duration, moment, money, plural, shortCommit, UNKNOWN } from "../report/format.js";
import { oneLine } from "../report/markdown-text.js";
import type { RunState } from "../core/run-state.js";
import type { StatusJson } from "../report/status-schema.js";
import { statusAt } from "./status-of.js";
import { taskText } from "./wording.js";

export interface StatusOptions {
  root: string;
  truthDir: string;
  json: boolean;
  /** One line without its newline, for stdout. */
  out(line: string): void;
  err(line: string): void;
}

const CONTINUE = "`ralphd run` continues it; what its last agent left in the tree is kept and judged.";

/** Returns the exit code: 1 when the record is damaged, else 0 whatever the run's status. */
export async function runStatus({ root, truthDir, json, out, err }: StatusOptions): Promise<number> {
  const reading = await statusAt({ root, truthDir });
  if (reading.kind === "damaged") {
    err(`ralphd: the journal of run ${reading.run} is damaged in line ${reading.problem.line}: ${reading.problem.message}`);
    return EXIT_CODES.failed;
  }
  if (json) out(JSON.stringify(reading.status));
  else for (const line of sentences(reading.status, reading.state)) out(line);
  return 0;
}

const MEANING: Readonly<Partial<Record<RunStatus, string>>> = {
  running: "an iteration is at work",
  waiting: "it waits and goes on by itself",
  interrupted: "its process is gone without a final status; `ralphd run` continues it",
};

function sentences(status: StatusJson, state: RunState | null): string[] {
  if (status.run === null) return ["Nothing has run here yet. `ralphd run` starts."];
  if (state === null || status.status === null) return [`Run ${status.run} has not journaled anything yet.`];
  return [
    headline(status, state),
    ...waiting(state),
    ...agents(status, state),
    `tasks: ${tasks(status)}`,
    `gates: ${status.gates.length === 0 ? "none" : status.gates.map(({ name, verdict }) => `${oneLine(name, 60)} ${verdict ?? "not run"}`).join(", ")}`,
    `used: ${plural(status.iteration ?? 0, "iteration")}, ${duration(status.activeMs)} active, ${usage(status)}`,
    `work: ${plural(state.commits, "commit")} on ${status.branch ?? "no branch"}, last commit ${shortCommit(status.lastCommit)}`,
    ...Object.entries(state.parked).map(([task, question]) => `question: ${oneLine(taskText(state.tasks, task), 80)}: ${oneLine(question)}`),
    ...(status.status === "interrupted" ? [CONTINUE] : nextSteps(state, status.branch)).map((step) => `next: ${step}`),
  ];
}

function headline({ run, status, verified, pid }: StatusJson, { stopped, open, paused, tasks }: RunState): string {
  if (stopped === null || status === null) {
    const process = pid === null ? "" : ` (process ${pid})`;
    const where = open === null ? "" : ` Iteration ${open.number}${open.task === null ? "" : `: ${oneLine(taskText(tasks, open.task), 80)}`}.`;
    return `Run ${run}: ${status}${process}, ${status === "waiting" && paused ? "a person paused it" : (MEANING[status ?? "running"] ?? "")}.${where}`;
  }
  const proof = status !== "done" ? "" : verified === true ? ", verified" : ", NOT verified";
  return `Run ${run}: ${status} (${stopped.reason}${proof}). ${ADVICE[stopped.reason].meaning} ${oneLine(stopped.summary)}`;
}

function waiting({ waiting: wait, stopped, paused, open }: RunState): string[] {
  if (stopped !== null) return [];
  if (paused) return [`${open === null ? "paused" : "paused after this iteration"}: \`ralphd resume\` lets it go on`];
  return wait === null ? [] : [`waiting until ${moment(new Date(wait.untilMs).toISOString())}: ${oneLine(wait.why)}`];
}

/** Said where more than one agent could work. */
function agents({ agent, resting }: StatusJson, { stopped, started }: RunState): string[] {
  if (stopped !== null || (started.fallback ?? []).length === 0) return [];
  const rests = resting.map(
    ({ agent: name, until, why, class: kind }) =>
      `${name} rests ${until === null ? "until `ralphd resume`" : `until ${moment(until)}`} (${kind}): ${oneLine(why)}`,
  );
  return [`agent: ${agent ?? UNKNOWN}${rests.length === 0 ? "" : `; ${rests.join("; ")}`}`];
}

function tasks({ tasks: counts }: StatusJson): string {
  if (counts.open === null) return UNKNOWN;
  const named = (["open", "done", "manual", "blocked", "other"] as const).filter((name) => counts[name] !== 0);
  return named.map((name) => `${count(counts[name])} ${name}`).join(", ") || "none";
}

function usage({ usage: used }: StatusJson): string {
  const cost = used.costUsd === null ? UNKNOWN : money(Math.round(used.costUsd * 1_000_000));
  return `tokens: input ${count(used.inputTokens)}, cached ${count(used.cachedInputTokens)}, output ${count(used.outputTokens)}; cost ${cost}`;
}
