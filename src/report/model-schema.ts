/** The report as data: what `ralphd report --format json` prints, and the one source of its Markdown and HTML forms. */
import * as v from "valibot";
import { STOP_REASONS, type FinalStatus } from "../core/words.js";
import { iterationClass, leftovers, mode, stopReason, switchClass, warned } from "./schema-parts.js";

const known = v.nullable(v.number());
const text = v.string();
const optional = v.nullable(v.string());
const STATUSES = [...(Object.keys(STOP_REASONS) as FinalStatus[]), "running", "paused", "waiting"] as const;

const usage = v.object({
  inputTokens: v.pipe(known, v.description("Uncached input, cache writes included")),
  cachedInputTokens: known,
  outputTokens: known,
  countedTokens: v.pipe(known, v.description("Uncached input plus output: what limits count")),
  costUsd: known,
});

const lines = { added: v.pipe(known, v.description("Null for binary files and where git no longer knows")), removed: known };
const file = v.object({ path: text, ...lines });

const proof = v.object({
  iteration: v.number(),
  gates: v.pipe(v.array(text), v.description("Empty: no gate could have refused the tick")),
  changed: v.pipe(v.boolean(), v.description("The iteration changed files outside the plan and .ralph")),
  commit: optional,
  fileCount: known,
  files: v.pipe(v.nullable(v.array(file)), v.description("Null where nobody asked git, or it no longer knows")),
});

const task = v.object({
  id: text,
  text,
  state: v.picklist(["open", "done", "manual", "blocked", "other"]),
  proof: v.nullable(proof),
  attempts: v.pipe(v.number(), v.description("Iterations of this run on this task")),
  spent: v.pipe(
    v.nullable(v.object({ countedTokens: known, costUsd: known, activeMs: v.number() })),
    v.description("Sum over these iterations; null without any"),
  ),
});

const iteration = v.object({
  number: v.number(),
  agent: v.pipe(text, v.description("Who made it")),
  mode,
  task: v.pipe(optional, v.description("Text of the task")),
  class: iterationClass,
  commit: optional,
  fileCount: v.number(),
  ...lines,
  countedTokens: known,
  costUsd: known,
  activeMs: v.number(),
  endedAt: text,
  warned: v.pipe(v.nullable(warned), v.description("The warning that its agent's context filled up; null when there was none")),
  leftovers: v.pipe(
    v.nullable(leftovers),
    v.description("Processes that its agent left running: ended, and kept as declared; null where nobody could count them"),
  ),
  openTasks: v.pipe(known, v.description("Tasks not yet done after it; null for a run without tasks")),
});

const gate = v.object({
  name: text,
  required: v.boolean(),
  verdict: v.picklist(["pass", "fail", "not run"]),
  flaky: v.pipe(v.boolean(), v.description("Failed first, then passed unchanged")),
  reason: text,
  testsRun: known,
  baseline: v.pipe(v.picklist(["pass", "fail", "not run"]), v.description("Before the first iteration")),
  baselineFlaky: v.boolean(),
});

export const reportSchema = v.object({
  version: v.literal(1),
  run: text,
  verdict: v.object({
    status: v.picklist(STATUSES),
    headline: text,
    reason: v.nullable(stopReason),
    meaning: optional,
    verified: v.pipe(v.nullable(v.boolean()), v.description("Null while the run goes on")),
    summary: text,
    proved: v.nullable(v.object({ commit: optional, clean: v.pipe(v.boolean(), v.description("In a clean worktree of the commit")) })),
    waiting: v.nullable(v.object({ until: text, why: text })),
    evidence: v.pipe(v.array(text), v.description("Why it stopped; empty for `done`")),
  }),
  next: v.pipe(v.array(text), v.description("What a person does next, in order; commands in backticks")),
  questions: v.array(v.object({ kind: v.picklist(["parked", "manual"]), task: text, question: text })),
  facts: v.object({
    startedAt: text,
    endedAt: optional,
    reportedAt: text,
    activeMs: v.number(),
    waitedMs: v.number(),
    iterations: v.number(),
    finished: v.pipe(v.number(), v.description("Iterations that ended")),
    counted: v.pipe(v.number(), v.description("Iterations that count against the limit")),
    commits: v.number(),
    branch: optional,
    lastCommit: optional,
    agent: text,
    fallback: v.pipe(v.array(text), v.description("Agents that stood ready while `agent` waited")),
    plan: optional,
    objective: optional,
    protection: v.picklist(["kernel", "compared", "none"]),
    reachable: v.pipe(v.nullable(v.array(text)), v.description("Hosts that agents could reach; null where the network was open")),
    leftovers: v.pipe(
      v.object({ ...leftovers.entries, uncounted: v.pipe(v.number(), v.description("Iterations in which nobody could count them")) }),
      v.description("Processes that agents left running, in all"),
    ),
    root: text,
  }),
  usage: v.object({
    ...usage.entries,
    unknownTokens: v.pipe(v.number(), v.description("Finished iterations whose tokens nobody reported; the true sum is higher")),
    unknownCost: v.pipe(v.number(), v.description("Finished iterations whose cost nobody reported")),
  }),
  perFinishedTask: v.pipe(
    v.nullable(v.object({ tasks: v.number(), costUsd: known, activeMs: v.number() })),
    v.description("The whole run divided by the tasks that gates proved; null without any"),
  ),
  tasks: v.array(task),
  gates: v.array(gate),
  iterations: v.pipe(v.array(iteration), v.description("Oldest first; at most the last 200")),
  earlierIterations: v.pipe(v.number(), v.description("Iterations before those")),
  openIteration: v.nullable(v.object({ number: v.number(), phase: text })),
  switches: v.pipe(
    v.array(
      v.object({
        at: text,
        iteration: v.pipe(v.number(), v.description("After which iteration")),
        from: text,
        to: text,
        class: switchClass,
        until: optional,
        why: text,
      }),
    ),
    v.description("When another agent went on"),
  ),
  restored: v.array(
    v.object({
      iteration: v.number(),
      path: text,
      rule: v.picklist(["frozen", "protected", "plan"]),
      why: text,
      keptAs: v.pipe(optional, v.description("The agent's version, below the run's folder")),
    }),
  ),
  runFolder: v.pipe(optional, v.description("Absolute; null where it is not known")),
  excluded: v.array(v.object({ path: text, reason: text })),
  leftBehind: v.array(text),
  saved: v.array(v.object({ ref: text, commit: text, why: text })),
  signs: v.array(v.object({ path: text, iteration: v.number(), trigger: text })),
  warnings: v.array(text),
  lastWords: v.pipe(optional, v.description("The agent's last message: a claim, not a finding")),
});

export type ReportModel = v.InferOutput<typeof reportSchema>;
export type ReportTask = ReportModel["tasks"][number];
export type ReportIteration = ReportModel["iterations"][number];
export type ReportGate = ReportModel["gates"][number];
