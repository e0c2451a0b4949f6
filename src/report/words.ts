/** Sentences that every form of the report shares, made of the report's data alone. */
import type { ContextWarning } from "../core/context-warning.js";
import type { Leftovers } from "../core/kept-process.js";
import { count, duration, money, moment, plural, shortCommit, UNKNOWN } from "./format.js";
import type { ReportGate, ReportIteration, ReportModel, ReportTask } from "./model-schema.js";

const PROTECTION: Readonly<Record<ReportModel["facts"]["protection"], string>> = {
  kernel: "frozen paths were read-only in the kernel (sandbox)",
  compared: "no sandbox: frozen paths were compared after each iteration and restored",
  none: "none: nothing kept the agent from the files that judge it",
};

export function protectionWords({ facts }: ReportModel): string {
  if (facts.reachable === null) return PROTECTION[facts.protection];
  const but = facts.reachable.length === 0 ? "" : `, but for the agent to ${facts.reachable.join(", ")}`;
  return `${PROTECTION[facts.protection]}; no network${but}`;
}

export function dollars(usd: number | null): string {
  return money(usd === null ? null : Math.round(usd * 1_000_000));
}

export function unknownFor(iterations: number): string {
  return iterations > 0 ? `; unknown for ${plural(iterations, "iteration")}, so that the true sum is higher` : "";
}

/** `+12 −3`; empty where nobody knows. */
export function lines(change: { added: number | null; removed: number | null }): string {
  if (change.added === null && change.removed === null) return "";
  return `+${change.added ?? 0} −${change.removed ?? 0}`;
}

export function proofWords(task: ReportTask): string {
  const { proof } = task;
  if (proof === null) return task.state === "done" ? "not by this run" : "";
  if (proof.gates.length > 0) return "";
  return proof.changed ? "no gate" : "no gate, and no file changed";
}

/** The plan's box is the agent's word; gates of the task or of the whole run make it `done`. */
export function isProved({ state, proof }: ReportTask, { verified }: ReportModel["verdict"]): boolean {
  return state === "done" && (verified === true || (proof?.gates.length ?? 0) > 0);
}

export function taskWord(task: ReportTask, verdict: ReportModel["verdict"]): string {
  return task.state === "done" && !isProved(task, verdict) ? "ticked" : task.state;
}

export function gateWord(verdict: ReportGate["verdict"], flaky: boolean): string {
  return flaky ? `${verdict} (flaky: failed first)` : verdict;
}

export function modeWord(mode: ReportIteration["mode"]): string {
  return mode === "work" ? "" : mode === "wrapUp" ? "wrap-up" : "step back";
}

export function spentWords(spent: ReportTask["spent"]): string {
  if (spent === null) return "";
  return `${spent.costUsd === null ? `cost ${UNKNOWN}` : dollars(spent.costUsd)}, ${duration(spent.activeMs)}`;
}

/** `after iteration 4 codex went on instead of claude (account, until 2026-11-30 23:31 UTC): limit reached` */
export function switchWords({ iteration, from, to, class: kind, until, why }: ReportModel["switches"][number]): string {
  const instead = from === to ? "was tried again" : `went on instead of ${from}`;
  return `after iteration ${iteration} ${to} ${instead} (${kind}${until === null ? "" : `, until ${moment(until)}`}): ${why}`;
}

export function timeWords({ facts }: ReportModel): string {
  const end = facts.endedAt === null ? `still open at ${moment(facts.reportedAt)}` : `to ${moment(facts.endedAt)}`;
  const waited = facts.waitedMs > 0 ? `, waited ${duration(facts.waitedMs)}` : "";
  return `${moment(facts.startedAt)} ${end}; active ${duration(facts.activeMs)}${waited}`;
}

/** `every required gate passed on commit `x`, in a clean worktree of it`, with the commit as the form writes code. */
export function provedWords({ verdict }: ReportModel, code: (text: string) => string): string {
  const where = verdict.proved?.clean === true ? ", in a clean worktree of it" : "";
  const commit = verdict.proved === null ? "the final commit" : `commit ${code(shortCommit(verdict.proved.commit))}`;
  return `every required gate passed on ${commit}${where}.`;
}

export function perTaskWords({ perFinishedTask: per }: ReportModel): string {
  if (per === null) return "";
  return `${per.costUsd === null ? "" : `${dollars(per.costUsd)} and `}${duration(per.activeMs)} for ${per.tasks === 1 ? "the one finished task" : `each of ${count(per.tasks)} finished tasks`}`;
}

/** `3 ended, 1 kept`; empty when nothing was left. */
export function leftoverWords({ ended, kept }: Leftovers): string {
  return [...(ended === 0 ? [] : [`${count(ended)} ended`]), ...(kept === 0 ? [] : [`${count(kept)} kept`])].join(", ");
}

/** What became of the warning that an agent's context fills up. */
export function warningWords({ tokens, estimated, channel, delivered }: ContextWarning): string {
  const size = `${estimated ? "~" : ""}${count(tokens)} tokens`;
  const ways = { message: "told by a message", file: "told by a file", none: "not told: nothing reaches this agent while it works" } as const;
  const seen = channel === "none" ? "" : delivered === true ? ", which it took in" : delivered === false ? ", which it was not seen to take in" : "";
  return `context at ${size}, ${ways[channel]}${seen}`;
}
