/** The report as data: what `ralphd report --format json` prints, and the one source of its Markdown and HTML forms. */
import { z } from "zod";
import { STOP_REASONS, type FinalStatus } from "../core/words.js";
import { iterationClass, leftovers, mode, stopReason, switchClass, warned } from "./schema-parts.js";

const known = z.number().nullable();
const text = z.string();
const optional = z.string().nullable();
const STATUSES = [...(Object.keys(STOP_REASONS) as FinalStatus[]), "running", "paused", "waiting"] as const;

const usage = z.object({
  inputTokens: known.describe("Uncached input, cache writes included"),
  cachedInputTokens: known,
  outputTokens: known,
  countedTokens: known.describe("Uncached input plus output: what limits count"),
  costUsd: known,
});

const lines = { added: known.describe("Null for binary files and where git no longer knows"), removed: known };
const file = z.object({ path: text, ...lines });

const proof = z.object({
  iteration: z.number(),
  gates: z.array(text).describe("Empty: no gate could have refused the tick"),
  changed: z.boolean().describe("The iteration changed files outside the plan and .ralph"),
  commit: optional,
  fileCount: known,
  files: z.array(file).nullable().describe("Null where nobody asked git, or it no longer knows"),
});

const task = z.object({
  id: text,
  text,
  state: z.enum(["open", "done", "manual", "blocked", "other"]),
  proof: proof.nullable(),
  attempts: z.number().describe("Iterations of this run on this task"),
  spent: z.object({ countedTokens: known, costUsd: known, activeMs: z.number() }).nullable().describe("Sum over these iterations; null without any"),
});

const iteration = z.object({
  number: z.number(),
  agent: text.describe("Who made it"),
  mode,
  task: optional.describe("Text of the task"),
  class: iterationClass,
  commit: optional,
  fileCount: z.number(),
  ...lines,
  countedTokens: known,
  costUsd: known,
  activeMs: z.number(),
  endedAt: text,
  warned: warned.nullable().describe("The warning that its agent's context filled up; null when there was none"),
  leftovers: leftovers.nullable().describe("Processes that its agent left running: ended, and kept as declared; null where nobody could count them"),
  openTasks: known.describe("Tasks not yet done after it; null for a run without tasks"),
});

const gate = z.object({
  name: text,
  required: z.boolean(),
  verdict: z.enum(["pass", "fail", "not run"]),
  flaky: z.boolean().describe("Failed first, then passed unchanged"),
  reason: text,
  testsRun: known,
  baseline: z.enum(["pass", "fail", "not run"]).describe("Before the first iteration"),
  baselineFlaky: z.boolean(),
});

export const reportSchema = z.object({
  version: z.literal(1),
  run: text,
  verdict: z.object({
    status: z.enum(STATUSES),
    headline: text,
    reason: stopReason.nullable(),
    meaning: optional,
    verified: z.boolean().nullable().describe("Null while the run goes on"),
    summary: text,
    proved: z.object({ commit: optional, clean: z.boolean().describe("In a clean worktree of the commit") }).nullable(),
    waiting: z.object({ until: text, why: text }).nullable(),
    evidence: z.array(text).describe("Why it stopped; empty for `done`"),
  }),
  next: z.array(text).describe("What a person does next, in order; commands in backticks"),
  questions: z.array(z.object({ kind: z.enum(["parked", "manual"]), task: text, question: text })),
  facts: z.object({
    startedAt: text,
    endedAt: optional,
    reportedAt: text,
    activeMs: z.number(),
    waitedMs: z.number(),
    iterations: z.number(),
    finished: z.number().describe("Iterations that ended"),
    counted: z.number().describe("Iterations that count against the limit"),
    commits: z.number(),
    branch: optional,
    lastCommit: optional,
    agent: text,
    fallback: z.array(text).describe("Agents that stood ready while `agent` waited"),
    plan: optional,
    objective: optional,
    protection: z.enum(["kernel", "compared", "none"]),
    reachable: z.array(text).nullable().describe("Hosts that agents could reach; null where the network was open"),
    leftovers: leftovers
      .extend({ uncounted: z.number().describe("Iterations in which nobody could count them") })
      .describe("Processes that agents left running, in all"),
    root: text,
  }),
  usage: usage.extend({
    unknownTokens: z.number().describe("Finished iterations whose tokens nobody reported; the true sum is higher"),
    unknownCost: z.number().describe("Finished iterations whose cost nobody reported"),
  }),
  perFinishedTask: z
    .object({ tasks: z.number(), costUsd: known, activeMs: z.number() })
    .nullable()
    .describe("The whole run divided by the tasks that gates proved; null without any"),
  tasks: z.array(task),
  gates: z.array(gate),
  iterations: z.array(iteration).describe("Oldest first; at most the last 200"),
  earlierIterations: z.number().describe("Iterations before those"),
  openIteration: z.object({ number: z.number(), phase: text }).nullable(),
  switches: z
    .array(
      z.object({ at: text, iteration: z.number().describe("After which iteration"), from: text, to: text, class: switchClass, until: optional, why: text }),
    )
    .describe("When another agent went on"),
  restored: z.array(
    z.object({
      iteration: z.number(),
      path: text,
      rule: z.enum(["frozen", "protected", "plan"]),
      why: text,
      keptAs: optional.describe("The agent's version, below the run's folder"),
    }),
  ),
  runFolder: optional.describe("Absolute; null where it is not known"),
  excluded: z.array(z.object({ path: text, reason: text })),
  leftBehind: z.array(text),
  saved: z.array(z.object({ ref: text, commit: text, why: text })),
  signs: z.array(z.object({ path: text, iteration: z.number(), trigger: text })),
  warnings: z.array(text),
  lastWords: optional.describe("The agent's last message: a claim, not a finding"),
});

export type ReportModel = z.infer<typeof reportSchema>;
export type ReportTask = ReportModel["tasks"][number];
export type ReportIteration = ReportModel["iterations"][number];
export type ReportGate = ReportModel["gates"][number];
