/** The live block at several widths: what a person reads while a run goes on. */
import fc from "fast-check";
import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import { type AgentNow, newAgent, seeAgent } from "../../../src/cli/screen/agent-now.js";
import { type BlockView, blockLines } from "../../../src/cli/screen/block.js";
import { displayWidth } from "../../../src/cli/screen/fit.js";
import { DEFAULT_SETTINGS } from "../../../src/core/defaults.js";
import { foldAll } from "../../../src/core/fold.js";
import type { AgentEvent } from "../../../src/core/agent-event.js";
import type { JournalEvent } from "../../../src/core/journal-event.js";
import type { RunState } from "../../../src/core/run-state.js";
import { iterationStarted, RUN, started, timeline } from "../../journal/events.js";
import { stuckRun } from "../../report/runs.js";

const grey = createColors(false);

/** Up to and with the event at which `last` says so. */
function stateUntil(events: readonly JournalEvent[], last: (event: JournalEvent) => boolean): { state: RunState; nowMs: number } {
  const end = events.findIndex(last);
  const state = foldAll(events.slice(0, end + 1));
  if (state === null) throw new Error("no run");
  return { state, nowMs: Date.parse(events[end]?.at ?? "") };
}

const second = stateUntil(stuckRun, (event) => event.type === "iteration.started" && event.iteration === 2);

function agentAt(atMs: number, ...events: AgentEvent[]): AgentNow {
  return events.reduce((now, event) => seeAgent(now, event, atMs), newAgent(2));
}

const USED: AgentEvent = { type: "usage", scope: "total", inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 500, costUsd: 0.02, contextTokens: 9_600 };
const TESTS: AgentEvent = { type: "toolCall", id: "1", name: "bash", input: {}, command: "node --test test/users/list.test.js test/users/remove.test.js" };

function view(fields: Partial<BlockView> = {}): BlockView {
  const agent = agentAt(second.nowMs + 3_000, USED, TESTS);
  return {
    state: second.state,
    settings: DEFAULT_SETTINGS,
    agent,
    nowMs: second.nowMs + 65_000,
    notice: null,
    clock: (ms) => new Date(ms).toISOString().slice(11, 19),
    ...fields,
  };
}

function lines(columns: number, fields: Partial<BlockView> = {}, rows = 24): string[] {
  return blockLines(view(fields), { columns, rows }, grey);
}

describe("the live block", () => {
  it("at 80 columns", () => {
    expect(lines(80)).toEqual([
      "─".repeat(40),
      "iteration 2 of 20 · 1 min 5 s · 1 task done",
      "task    split the users | module",
      "now     $ node --test test/users/list.test.js test/users/remove.tes…, 1 min 2 s",
      "used    context green 12 % · 25,900 tokens · cost $0.2025 · 11 h 57 min left",
      "commit  c1c1c1c1c1 · 1 commit on ralph/health",
    ]);
  });

  it("at 40 columns", () => {
    expect(lines(40)).toEqual([
      "─".repeat(39),
      "iteration 2 of 20 · 1 min 5 s",
      "1 task done",
      "task    split the users | module",
      "now     $ node --test test/…, 1 min 2 s",
      "used    context green 12 %",
      "        25,900 tokens · cost $0.2025",
      "        11 h 57 min left",
      "commit  c1c1c1c1c1",
      "        1 commit on ralph/health",
    ]);
  });

  it("at 200 columns nothing is cut", () => {
    expect(lines(200).join("\n")).toContain("remove.test.js, 1 min 2 s");
    expect(lines(200)).toHaveLength(6);
  });

  it.each([
    [47_000, "context green 59 %"],
    [48_000, "context yellow 60 %"],
    [64_000, "context yellow 80 %"],
    [65_000, "context red 81 %"],
  ])("with %i tokens of context: %s", (contextTokens, words) => {
    expect(lines(80, { agent: agentAt(0, { ...USED, contextTokens }) }).join("\n")).toContain(words);
  });

  it("with an agent that reports no context, marked as an estimate of what was seen", () => {
    const seen: AgentEvent[] = [
      { type: "text", text: "x".repeat(100_000) },
      TESTS,
      { type: "toolResult", id: "1", ok: true, exitCode: 0, output: "y".repeat(100_000) },
    ];
    expect(lines(80, { agent: agentAt(0, ...seen) }).join("\n")).toContain("context yellow ~63 %");
    expect(lines(80, { agent: agentAt(0, ...seen, USED) }).join("\n")).toContain("context green 12 %");
    expect(lines(80, { agent: agentAt(0) }).join("\n")).toContain("context unknown");
  });

  it("says what nobody knows, and which sums are too small", () => {
    const first = stateUntil(
      timeline([
        [0, started({ requiredGates: [] })],
        [1, iterationStarted()],
      ]),
      (event) => event.iteration === 1,
    );
    expect(lines(80, { ...first, agent: null })).toContain("used    context unknown · tokens unknown · cost unknown · 12 h left");
    const third = stateUntil(stuckRun, (event) => event.type === "iteration.started" && event.iteration === 3);
    // The second iteration reported neither tokens nor cost.
    expect(lines(90, { ...third, agent: null }).join("\n")).toContain("at least 24,400 tokens · cost at least $0.1825");
  });

  it("says why it waits and until when, and that it is paused", () => {
    const at = (body: Parameters<typeof timeline>[0][number][1]): Partial<BlockView> => {
      const events = timeline([
        [0, started()],
        [0, body],
      ]);
      return { ...stateUntil(events, (event) => event === events.at(-1)), agent: null };
    };
    const waiting = at({ type: "wait.started", untilMs: Date.parse("2026-11-30T23:40:00.000Z"), why: "account limit" });
    expect(lines(80, { ...waiting, nowMs: Date.parse("2026-11-30T22:28:00.000Z") })).toContain("now     waiting until 23:40 (1 h 12 min left): account limit");
    expect(lines(80, at({ type: "run.paused", by: "ann" })).join("\n")).toContain("paused");
  });

  it("shows what follows a tool as the model's time", () => {
    const done: AgentEvent = { type: "toolResult", id: "1", ok: true, exitCode: 0, output: "" };
    const agent = seeAgent(agentAt(second.nowMs, TESTS), done, second.nowMs + 60_000);
    expect(lines(200, { agent }).join("\n")).toContain("now     thinking, after $ node --test test/users/list.test.js test/users/remove.test.js, 5 s");
  });

  it("counts apart iterations that do not use up the limit, and names the mode", () => {
    const events = timeline([
      [0, started()],
      [7, iterationStarted({ mode: "wrapUp", spent: 1 })],
    ]);
    expect(
      lines(
        80,
        stateUntil(events, (event) => event.iteration === 7),
      )[1],
    ).toMatch(/^iteration 7 \(1 of 20\) \(wrap-up\) · /);
    expect(lines(80, { settings: { ...DEFAULT_SETTINGS, limits: { ...DEFAULT_SETTINGS.limits, iterations: null } } })[1]).toMatch(/^iteration 2 · /);
  });

  it("keeps the answer to a person in view", () => {
    expect(lines(80, { notice: "Stopping after this iteration." })[2]).toBe("Stopping after this iteration.");
  });

  it("fits into any terminal, whatever tasks and commands say", () => {
    const text = fc.string({ unit: fc.constantFrom("a", " ", "字", "👩‍👩‍👧", "\u001b[31m", "\n", "\u0007", "é"), maxLength: 80 });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 220 }), fc.integer({ min: 1, max: 60 }), (task, command, columns, rows) => {
        const events = timeline([
          [0, started({ tasks: [{ id: "t", text: task, gates: [], edits: [] }] })],
          [1, iterationStarted({ task: "t" })],
        ]);
        const seen = stateUntil(events, (event) => event.iteration === 1);
        const drawn = lines(columns, { ...seen, agent: agentAt(seen.nowMs, { ...TESTS, command } as AgentEvent), notice: task }, rows);
        expect(drawn.length).toBeLessThanOrEqual(Math.max(1, rows - 2));
        for (const line of drawn) {
          expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(1, columns - 1));
          expect(line).not.toMatch(/[\u0000-\u001f]/);
        }
      }),
    );
  });

  it("has colours only when asked", () => {
    expect(blockLines(view(), { columns: 80, rows: 24 }, createColors(true)).join("\n")).toContain("\u001b[32mcontext green");
    expect(lines(80).join("\n")).not.toContain("\u001b");
    expect(view().state.run).toBe(RUN);
  });
});
