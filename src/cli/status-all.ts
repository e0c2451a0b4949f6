/** `ralphd status --all`: one line for each working tree in which runs were started on this machine. */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { latestRun } from "../journal/run-store.js";
import { EXIT_CODES } from "../core/words.js";
import { line } from "../report/clean-text.js";
import { count, duration, money, UNKNOWN } from "../report/format.js";
import type { StatusJson } from "../report/status-schema.js";
import { type KnownPlace, knownPlaces } from "../run/known-places.js";
import { table } from "./gates/table.js";
import { statusAt } from "./status-of.js";

export interface StatusAllOptions {
  env: NodeJS.ProcessEnv;
  nowMs: number;
  json: boolean;
  out(line: string): void;
  err(line: string): void;
}

interface Row {
  root: string;
  /** Last write of the newest run's journal; ISO 8601. */
  lastActivity: string | null;
  /** Why there is no status; null when there is one. */
  problem: string | null;
  status: StatusJson | null;
}

/** 1 when a record is damaged. */
export async function runStatusAll(options: StatusAllOptions): Promise<number> {
  const { json, out } = options;
  const rows = await Promise.all(knownPlaces(options.env).map(rowOf));
  rows.sort((a, b) => rank(a) - rank(b) || ((a.lastActivity ?? "") < (b.lastActivity ?? "") ? 1 : -1));
  if (json) out(JSON.stringify({ version: 1, repositories: rows }));
  else if (rows.length === 0) out("No run has been started on this machine yet, or its repositories are gone. `ralphd run` starts one.");
  else
    for (const row of table([["REPOSITORY", "STATUS", "ITERATION", "OPEN", "DONE", "COST", "LAST", "WHY"], ...rows.map((row) => cells(row, options))]))
      out(row);
  return rows.some((row) => row.problem !== null) ? EXIT_CODES.failed : 0;
}

async function rowOf({ root, truthDir }: KnownPlace): Promise<Row> {
  try {
    const reading = await statusAt({ root, truthDir });
    const lastActivity = activityOf(truthDir);
    if (reading.kind === "status") return { root, lastActivity, problem: null, status: reading.status };
    return {
      root,
      lastActivity,
      problem: `the journal of run ${reading.run} is damaged in line ${reading.problem.line}: ${reading.problem.message}`,
      status: null,
    };
  } catch (error) {
    // One place that can't be read must not hide the others.
    return { root, lastActivity: null, problem: error instanceof Error ? error.message : String(error), status: null };
  }
}

function activityOf(truthDir: string): string | null {
  const store = latestRun(truthDir);
  const stats = store === null ? undefined : statSync(store.journalPath, { throwIfNoEntry: false });
  return stats === undefined ? null : stats.mtime.toISOString();
}

const WANTS_A_PERSON = ["escalated", "failed", "interrupted"];

/** What is at work first, then what waits for a person, then the rest. */
function rank({ status, problem }: Row): number {
  if (problem !== null) return 1;
  if (status?.status === "running" || status?.status === "waiting") return 0;
  return WANTS_A_PERSON.includes(status?.status ?? "") ? 1 : 2;
}

function cells({ root, lastActivity, problem, status }: Row, { env, nowMs }: StatusAllOptions): string[] {
  const place = line(shortened(root, env));
  const last = lastActivity === null ? UNKNOWN : `${duration(Math.max(0, nowMs - Date.parse(lastActivity)))} ago`;
  if (status === null) return [place, "damaged", "-", "-", "-", "-", last, line(problem ?? "")];
  const { status: word, verified, iteration, tasks, usage, reason } = status;
  const unproved = word === "done" && verified !== true ? " (NOT verified)" : "";
  const cost = usage.costUsd === null ? UNKNOWN : money(Math.round(usage.costUsd * 1_000_000));
  return [place, word === null ? "no run" : `${word}${unproved}`, number(iteration), number(tasks.open), number(tasks.done), cost, last, reason ?? ""];
}

function number(value: number | null): string {
  return value === null ? UNKNOWN : count(value);
}

function shortened(root: string, env: NodeJS.ProcessEnv): string {
  const home = env["HOME"] ?? homedir();
  return root.startsWith(`${home}/`) ? `~${root.slice(home.length)}` : root;
}
