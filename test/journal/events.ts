/** Journal events made by hand, for tests of the journal, the views and the commands. */
import type { JournalBody, JournalEvent } from "../../src/core/journal-event.js";
import type { GateResult } from "../../src/core/gate.js";
import { EMPTY_WATCH } from "../../src/core/brakes/watch-state.js";
import { NO_CLAIMS } from "../../src/core/journal-event.js";
import { UNKNOWN_USAGE, type Usage } from "../../src/core/usage.js";

export const RUN = "20261130-2011";

export type Body<T extends JournalBody["type"]> = Extract<JournalBody, { type: T }>;

export function started(fields: Partial<Body<"run.started">> = {}): Body<"run.started"> {
  return {
    type: "run.started",
    journalVersion: 1,
    plan: "PLAN.md",
    objective: null,
    agent: "claude",
    branch: "ralph/health",
    baseHead: "b".repeat(40),
    baseTree: "1".repeat(40),
    workTree: "2".repeat(40),
    tasks: [],
    requiredGates: ["tests"],
    level: 2,
    sandbox: true,
    untouched: [],
    ...fields,
  };
}

export function gate(fields: Partial<GateResult> = {}): GateResult {
  return {
    name: "tests",
    verdict: "pass",
    reason: "exit code 0, 12 tests",
    required: true,
    failing: [],
    fingerprint: "pass",
    testsRun: 12,
    exitCode: 0,
    durationMs: 2_100,
    flaky: false,
    outputPath: null,
    detail: null,
    ...fields,
  };
}

export function agentEnded(fields: Partial<Body<"agent.ended">> = {}): Body<"agent.ended"> {
  return {
    type: "agent.ended",
    ending: {
      exit: { kind: "exited", code: 0 },
      finishedOk: true,
      error: null,
      limit: null,
      toolCalls: 3,
      outputBytes: 900,
      durationMs: 60_000,
    },
    usage: UNKNOWN_USAGE,
    claims: NO_CLAIMS,
    watch: EMPTY_WATCH,
    signs: [],
    finalText: null,
    ...fields,
  };
}

export function iterationStarted(fields: Partial<Body<"iteration.started">> = {}): Body<"iteration.started"> {
  return { type: "iteration.started", mode: "work", task: null, head: null, tree: "3".repeat(40), spent: 1, ...fields };
}

export function iterationEnded(fields: Partial<Body<"iteration.ended">> = {}): Body<"iteration.ended"> {
  return {
    type: "iteration.ended",
    class: "progress",
    usage: UNKNOWN_USAGE,
    newTree: true,
    betterGates: false,
    workTree: "4".repeat(40),
    files: 2,
    activeMs: 61_000,
    ...fields,
  };
}

export function used(inputTokens: number, outputTokens: number, costMicroUsd: number | null): Usage {
  return { inputTokens, cachedInputTokens: 0, outputTokens, costMicroUsd };
}

/** The bodies as events, one minute apart from the evening of the example run on. */
export function timeline(steps: readonly (readonly [iteration: number, ...bodies: JournalBody[]])[], run = RUN): JournalEvent[] {
  let minute = 0;
  return steps.flatMap(([iteration, ...bodies]) =>
    bodies.map((body) => ({ ...body, at: new Date(Date.UTC(2026, 10, 30, 20, 11 + minute++)).toISOString(), run, iteration })),
  );
}

export function asLines(events: readonly JournalEvent[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}
