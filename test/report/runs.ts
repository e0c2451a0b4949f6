/** Two hand-made runs as event lists: one that escalates after some work, one that ends done and verified. */
import type { JournalEvent } from "../../src/core/journal-event.js";
import type { PlanTask } from "../../src/report/context.js";
import { agentEnded, gate, iterationEnded, iterationStarted, started, timeline, used } from "../journal/events.js";

const health = { id: "get-health-returns-200", text: "`GET /health` returns 200", gates: ["health"], edits: [] };
const users = { id: "split-the-users-module", text: "split the users | module", gates: [], edits: ["test/users/**"] };
const key = { id: "rotate-the-production-key", text: "rotate the production key", gates: [], edits: [] };
const docs = { id: "describe-the-api", text: "describe the <api>", gates: [], edits: [] };

const COMMIT_1 = "c1".repeat(20);
const COMMIT_2 = "c2".repeat(20);

const failing = gate({
  verdict: "fail",
  reason: "exit code 1: 2 of 12 tests fail",
  failing: ["users > lists", "users > removes"],
  fingerprint: "users",
  detail: "AssertionError: expected 3 to be 2",
  exitCode: 1,
});

export const planTasks: PlanTask[] = [
  { id: health.id, text: health.text, state: "done" },
  { id: users.id, text: users.text, state: "open" },
  { id: key.id, text: key.text, state: "manual" },
  { id: docs.id, text: docs.text, state: "blocked" },
];

export const stuckRun: JournalEvent[] = timeline([
  [0, started({ tasks: [health, users, key, docs], requiredGates: ["tests", "health"] })],
  [0, { type: "gate.verdict", ...gate({ flaky: true }), moment: "baseline", task: null }],
  [0, { type: "gate.verdict", ...gate({ name: "health", verdict: "fail", reason: "exit code 1", testsRun: null }), moment: "baseline", task: null }],
  [1, iterationStarted({ task: health.id }), agentEnded({ usage: used(21_000, 3_400, 182_500) })],
  [
    1,
    {
      type: "path.restored",
      path: "package.json",
      rule: "frozen",
      why: "scripts that gates call may not change",
      keptAs: "iterations/0001/package.json.rejected",
    },
  ],
  [1, { type: "gate.verdict", ...gate({ name: "health", reason: "exit code 0", testsRun: null }), moment: "claim", task: health.id }],
  [1, { type: "task.proved", task: health.id, gates: ["health"] }],
  [1, { type: "iteration.judged", class: "progress", tree: "a1".repeat(20), parent: null, commit: true }],
  [1, { type: "commit.created", commit: COMMIT_1, tree: "a1".repeat(20), parent: null, files: 2 }],
  [1, iterationEnded({ usage: used(21_000, 3_400, 182_500), workTree: "w1" })],
  [2, iterationStarted({ task: users.id, spent: 2 }), agentEnded()],
  [2, { type: "tree.excluded", paths: [{ path: ".env", reason: "looks like a secret" }] }],
  [2, { type: "gate.verdict", ...failing, moment: "claim", task: null }],
  [2, { type: "task.unticked", task: users.id, gate: "tests", why: "2 of 12 tests fail" }],
  [2, { type: "plan.restored", what: ["the task `rotate the production key` had vanished"], frozen: false }],
  [
    2,
    {
      type: "sign.drafted",
      sign: { trigger: "moving the users module", instruction: "move its tests as well", signature: "npm test" },
      path: ".ralph/guardrails/users.md",
    },
  ],
  [2, { type: "commit.created", commit: COMMIT_2, tree: "a2".repeat(20), parent: COMMIT_1, files: 1 }],
  [2, iterationEnded({ files: 1, workTree: "w2", activeMs: 3_720_000 })],
  [2, { type: "task.parked", task: docs.id, question: "Which of the two APIs?\nThe old or the new one?" }],
  [2, { type: "warning", message: "cost is not reported by this agent: --max-cost can not hold" }],
  [3, iterationStarted({ task: users.id, spent: 3 }), agentEnded({ usage: used(30_000, 900, 90_000) })],
  [3, { type: "work.saved", ref: "refs/ralphd/20261130-2011/3", commit: "d3".repeat(20), why: "the agent switched the branch" }],
  [3, iterationEnded({ class: "no_op", usage: used(30_000, 900, 90_000), newTree: false, files: 0, workTree: "w2" })],
  [
    3,
    {
      type: "brake.hit",
      hit: {
        reason: "gutter_command",
        summary: "`npm test` failed 3 times with the same outcome (limit 3).",
        signature: "shell: npm test",
        lastActions: ["edit src/users.ts", "edit src/users.ts", "npm test"],
        advice: "Run `npm test` yourself and remove the cause.",
      },
    },
  ],
  [
    0,
    {
      type: "run.stopped",
      status: "escalated",
      reason: "gutter_command",
      verified: false,
      summary: "`npm test` failed 3 times with the same outcome (limit 3).",
      evidence: ["signature: shell: npm test", "last action: edit src/users.ts", "last action: npm test"],
    },
  ],
]);

export const doneRun: JournalEvent[] = timeline([
  [0, started({ tasks: [health] })],
  [1, iterationStarted({ task: health.id }), agentEnded({ usage: used(9_000, 1_000, 40_000) })],
  [1, { type: "gate.verdict", ...gate(), moment: "claim", task: health.id }],
  [1, { type: "task.proved", task: health.id, gates: ["tests"] }],
  [1, { type: "iteration.judged", class: "progress", tree: "a1".repeat(20), parent: null, commit: true }],
  [1, { type: "commit.created", commit: COMMIT_1, tree: "a1".repeat(20), parent: null, files: 2 }],
  [1, iterationEnded({ usage: used(9_000, 1_000, 40_000) })],
  [0, { type: "run.proved", commit: COMMIT_1, gates: ["tests"], clean: true, by: "tasks" }],
  [0, { type: "run.stopped", status: "done", reason: "all_tasks_checked", verified: true, summary: "No open task is left.", evidence: ["gate tests: pass"] }],
]);
