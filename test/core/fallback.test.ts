/** Who works next, where others stand in for an agent that must rest. */
import { describe, expect, it } from "vitest";
import { type Decision, decide, type PlanView } from "../../src/core/decide.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import { foldAll } from "../../src/core/fold.js";
import type { Ending, JournalBody, JournalEvent } from "../../src/core/journal-event.js";
import type { RunState } from "../../src/core/run-state.js";
import type { IterationClass } from "../../src/core/words.js";
import { agentEnded, iterationEnded, iterationStarted, started, timeline } from "../journal/events.js";

const MINUTE = 60_000;
const OPEN: PlanView = { kind: "tasks", counts: { open: 2, done: 0, manual: 0, blocked: 0, other: 0 }, next: { id: "a", text: "a" } };
const named = (name: string) => ({ ...DEFAULT_SETTINGS.agent, name, kind: name });
const SETTINGS = { ...DEFAULT_SETTINGS, agent: named("claude"), fallback: [named("codex"), named("anthropic")] };

type Limit = NonNullable<Ending["limit"]>;
const limit = (kind: Limit["kind"], resumeAtMs: number | null): Partial<Ending> => ({
  finishedOk: false,
  exit: { kind: "exited", code: 1 },
  limit: { kind, resumeAtMs, message: `${kind} limit` },
});
const error = (kind: string): Partial<Ending> => ({ finishedOk: false, exit: { kind: "exited", code: 1 }, error: { kind, message: `${kind} trouble` } });

/** Iterations with how each ended, then events outside of any. */
function run(steps: ([string, IterationClass, Partial<Ending>?] | JournalBody)[]): { state: RunState; nowMs: number } {
  let number = 0;
  const events: JournalEvent[] = timeline([
    [0, started({ fallback: ["codex", "anthropic"] })],
    ...steps.map((step): readonly [number, ...JournalBody[]] => {
      if (!Array.isArray(step)) return [0, step];
      const [agent, kind, ending = {}] = step;
      number += 1;
      const whole = agentEnded();
      return [
        number,
        iterationStarted({ agent }),
        { ...whole, ending: { ...whole.ending, ...ending } },
        iterationEnded({ class: kind, newTree: kind === "progress", workTree: `w${kind === "progress" ? number : 0}` }),
      ];
    }),
  ]);
  const state = foldAll(events);
  if (state === null) throw new Error("no state");
  return { state, nowMs: Date.parse(events.at(-1)?.at ?? "") };
}

const next = ({ state, nowMs }: { state: RunState; nowMs: number }, laterMs = 0, settings = SETTINGS): Decision =>
  decide({ state, settings, plan: OPEN, head: state.lastCommit, nowMs: nowMs + laterMs, finishing: false });

describe("an agent that meets a limit", () => {
  it.each([
    ["account", 3 * 60 * MINUTE, "account"],
    ["account", null, "account"],
    ["credit", null, "credit"],
    ["throttle", 10 * MINUTE, "throttle"],
    ["overload", 10 * MINUTE, "overload"],
  ])("%s with a reset in %s ms steps back for the next one", (kind, inMs, restClass) => {
    const { nowMs } = run([["claude", "limit"]]);
    const seen = run([["claude", "limit", limit(kind, inMs === null ? null : nowMs + inMs)]]);
    expect(next(seen)).toMatchObject({ kind: "rest", agent: "claude", to: "codex", class: restClass, untilMs: expect.any(Number) });
  });

  it("waits itself where the wait is short, and where nobody else is named", () => {
    const short = run([["claude", "limit", limit("throttle", null)]]);
    expect(next(short)).toMatchObject({ kind: "wait", untilMs: short.nowMs + DEFAULT_SETTINGS.backoff.firstMs });
    const long = run([["claude", "limit", limit("account", null)]]);
    expect(next(long, 0, { ...SETTINGS, fallback: [] })).toMatchObject({ kind: "wait" });
  });

  it.each([
    ["auth", "auth"],
    ["infrastructure", "model"],
  ] as const)("of class %s steps back until a person says so", (iterationClass, kind) => {
    expect(next(run([["claude", iterationClass, error(kind)]]))).toMatchObject({ kind: "rest", to: "codex", class: kind, untilMs: null });
  });

  it("that ends at once again and again steps back instead of ending the run", () => {
    const quick: [string, IterationClass, Partial<Ending>] = [
      "claude",
      "infrastructure",
      { exit: { kind: "exited", code: 1 }, finishedOk: null, toolCalls: 0, durationMs: 10 },
    ];
    expect(next(run([quick, quick, quick]))).toMatchObject({ kind: "rest", to: "codex", class: "start", untilMs: null });
  });

  it("of a kind that passes, but takes too long, is named by what the world did", () => {
    const away = run(
      Array.from({ length: 10 }, (): [string, IterationClass, Partial<Ending>] => ["claude", "infrastructure", { ...error("network"), toolCalls: 1 }]),
    );
    expect(next(away)).toMatchObject({ kind: "rest", agent: "claude", class: "infrastructure", untilMs: away.nowMs + 10 * MINUTE, why: "network trouble" });
  });

  it("fails outside the work for the twentieth time and rests until a person says so", () => {
    const trouble = ["claude", "infrastructure", { ...error("network"), toolCalls: 1 }] as [string, IterationClass, Partial<Ending>];
    expect(next(run(Array.from({ length: 20 }, () => trouble)))).toMatchObject({
      kind: "rest",
      class: "infrastructure",
      untilMs: null,
      why: "network trouble",
    });
  });

  it("that asked to wait itself is waited for: no other would do better", () => {
    const asked = run(Array.from({ length: 9 }, (): [string, IterationClass] => ["claude", "waiting"]));
    expect(next(asked)).toMatchObject({ kind: "wait", why: "the agent asked to wait" });
  });

  it("as the last one that was free leaves nobody to go on", () => {
    const last = run([rests("codex", null), rests("anthropic", null), ["claude", "auth", error("auth")]]);
    expect(next(last)).toMatchObject({ kind: "rest", agent: "claude", to: null, class: "auth" });
  });

  it("keeps on when its own work is what failed", () => {
    expect(next(run([["claude", "no_op", error("refusal")]]))).toMatchObject({ kind: "run" });
  });
});

const rests = (agent: string, untilMs: number | null, kind: "account" | "auth" = "account"): JournalBody => ({
  type: "agent.rests",
  agent,
  class: kind,
  untilMs,
  why: `${kind} of ${agent}`,
});
const switched = (from: string, to: string, kind: "account" | "person" = "account"): JournalBody => ({
  type: "agent.switched",
  from,
  to,
  class: kind,
  untilMs: null,
  why: "",
});

describe("while the first rests", () => {
  const away = (untilMs: number | null, ...more: Parameters<typeof run>[0]) =>
    run([["claude", "limit", limit("account", null)], rests("claude", untilMs), switched("claude", "codex"), ...more]);

  it("the next one works, and the first comes back when its time has passed", () => {
    const { nowMs } = away(null);
    const seen = away(nowMs + 60 * MINUTE, ["codex", "progress"]);
    expect(next(seen)).toMatchObject({ kind: "run" });
    expect(next(seen, 61 * MINUTE)).toEqual({ kind: "switch", to: "claude", why: "claude may be tried again" });
  });

  it("the third takes over from the second, and the run waits for the earliest when all must rest", () => {
    const { nowMs } = away(null);
    const second = away(nowMs + 60 * MINUTE, ["codex", "limit", limit("account", nowMs + 30 * MINUTE)]);
    expect(next(second)).toMatchObject({ kind: "rest", agent: "codex", to: "anthropic" });
    const all = away(nowMs + 60 * MINUTE, rests("codex", nowMs + 30 * MINUTE), rests("anthropic", null, "auth"));
    expect(next(all)).toMatchObject({
      kind: "wait",
      untilMs: nowMs + 30 * MINUTE,
      why: expect.stringMatching(/account of claude; codex: .*auth of anthropic/),
    });
    expect(next(all, 31 * MINUTE)).toMatchObject({ kind: "run" });
    expect(next(all, 61 * MINUTE)).toMatchObject({ kind: "switch", to: "claude" });
  });

  it("a short throttle of the second is the second's alone", () => {
    const { nowMs } = away(null);
    const seen = away(nowMs + 60 * MINUTE, ["codex", "limit", limit("throttle", null)]);
    expect(next(seen)).toMatchObject({ kind: "wait", untilMs: seen.nowMs + DEFAULT_SETTINGS.backoff.firstMs });
  });

  it("the run ends when only a person can help any of them", () => {
    const all = away(null, rests("codex", null), rests("anthropic", null, "auth"));
    expect(next(all)).toMatchObject({ kind: "stop", reason: "auth", evidence: expect.arrayContaining(["anthropic (auth): auth of anthropic"]) });
  });

  it("the run ends as not startable when no login is what is missing", () => {
    const all = away(null, rests("codex", null), rests("anthropic", null));
    expect(next(all)).toMatchObject({
      reason: "cannot_start_agent",
      summary:
        "No agent is left that could go on: claude (account): account of claude; codex (account): account of codex; anthropic (account): account of anthropic",
    });
  });

  it("what the one before ran into holds nobody back", () => {
    const { nowMs } = away(null);
    expect(next(away(nowMs + 60 * MINUTE))).toMatchObject({ kind: "run" });
    expect(next(run([["claude", "limit", limit("throttle", null)], switched("claude", "codex"), rests("claude", nowMs + 60 * MINUTE)]))).toMatchObject({
      kind: "run",
    });
    const alone = run([["claude", "limit", limit("account", null)], { ...switched("claude", "codex") }]);
    expect(next(alone, 0, { ...SETTINGS, fallback: [] })).toMatchObject({ kind: "run" });
  });

  it("a person has all of them tried again, the first in front", () => {
    const seen = away(null, rests("codex", null), switched("codex", "claude", "person"));
    expect(seen.state).toMatchObject({ agent: "claude", resting: {} });
    expect(next(seen)).toMatchObject({ kind: "run" });
  });

  it("a switch that a crash tore off is made up for", () => {
    const { nowMs } = away(null);
    const torn = run([["claude", "limit", limit("account", null)], rests("claude", nowMs + 60 * MINUTE)]);
    expect(next(torn)).toEqual({ kind: "switch", to: "codex", why: "account of claude" });
  });
});

it("waits of one agent double by its own limits alone", () => {
  const own = run([
    ["claude", "limit", limit("account", null)],
    rests("claude", 0),
    switched("claude", "codex"),
    ["codex", "progress"],
    switched("codex", "claude"),
    ["claude", "limit", limit("account", null)],
  ]);
  expect(next(own)).toMatchObject({ kind: "rest", untilMs: own.nowMs + 10 * MINUTE });
});
