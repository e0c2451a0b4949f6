/** What each fact between the start and the end of an iteration changes in the state, and what the next prompt tells of it. */
import { describe, expect, it } from "vitest";
import { EMPTY_WATCH } from "../../src/core/brakes/watch-state.js";
import type { JournalBody } from "../../src/core/journal-event.js";
import { UNKNOWN_USAGE } from "../../src/core/usage.js";
import { agentEnded, gate, iterationEnded, iterationStarted, started, used } from "../journal/events.js";
import { during, openOf, type Step, stateOf, whole } from "./folding.js";

describe("verdicts", () => {
  const verdict = (moment: "baseline" | "claim" | "iteration" | "proof" | "hidden", fields: Parameters<typeof gate>[0] = {}): JournalBody => ({
    type: "gate.verdict",
    moment,
    task: null,
    ...gate({ verdict: "fail", reason: "exit 1", failing: [], ...fields }),
  });

  // A hidden gate is none any more once an agent has read what it says; a baseline is nobody's failure.
  it.each([
    ["baseline", false],
    ["claim", true],
    ["iteration", true],
    ["proof", true],
    ["hidden", false],
  ] as const)("of a failure at %s are told: %s", (moment, told) => {
    expect(during(verdict(moment)).feedback).toEqual(told ? [{ kind: "gate", name: "tests", reason: "exit 1", detail: null, outputPath: null }] : []);
    expect(during(verdict(moment, { verdict: "pass" })).feedback).toEqual([]);
    expect(Object.keys(during(verdict(moment)).baseline)).toEqual(moment === "baseline" ? ["tests"] : []);
  });

  it("that asked a model cost what they cost, known or not", () => {
    const state = during(
      verdict("claim", { usage: used(10, 2, 7) }),
      verdict("claim", { usage: UNKNOWN_USAGE }),
      verdict("claim", { usage: null }),
      verdict("claim"),
    );
    expect(state).toMatchObject({ usage: used(10, 2, 7), unknownTokens: 1, unknownCost: 1 });
  });

  it.each<[string, JournalBody[], string[]]>([
    ["names of failing checks", [verdict("claim", { failing: ["b", "a"] })], ["tests: a", "tests: b"]],
    ["a gate without names by its own", [verdict("claim")], ["tests"]],
    ["nothing of a gate that passes", [verdict("claim", { verdict: "pass", failing: ["a"] })], []],
    ["the latest verdict alone", [verdict("claim", { failing: ["a"] }), verdict("iteration", { failing: ["b"] })], ["tests: b"]],
    // The clean worktree is another tree: the next pass in this one would look like progress for ever.
    ["nothing of a clean worktree", [verdict("proof", { failing: ["a"] })], []],
  ])("give the brakes %s", (_name, verdicts, failing) => expect(stateOf(whole(1, {}, ...verdicts)).brakes.failing).toEqual(failing));
});

describe("the end of the run", () => {
  const PROVED: JournalBody = { type: "run.proved", commit: "c", gates: ["tests"], clean: true, by: "marker" };
  const refused = (claimed: boolean): JournalBody => ({ type: "run.refused", commit: "c", why: "tests failed", claimed });

  it("is proved by what was seen, until it is refused", () => {
    expect(during(PROVED).proof).toEqual({ commit: "c", gates: ["tests"], clean: true, by: "marker" });
    expect(during(PROVED, refused(false))).toMatchObject({ proof: null, refusedCommit: "c", feedback: [] });
  });

  it("that an agent claimed is refused with the reason, and counts as its claim", () => {
    expect(during(refused(true)).feedback).toEqual([{ kind: "ending", text: "The claim that everything is finished was checked and refused: tests failed." }]);
    expect([openOf(during(refused(true))).refused, openOf(during(refused(false))).refused]).toEqual([true, false]);
  });

  const STOPPED: JournalBody = { type: "run.stopped", status: "capped", reason: "cost", verified: false, summary: "s", evidence: ["e"] };
  it("stands until the run is continued, a person's wish to stop as well", () => {
    const stop: JournalBody = { type: "control.requested", request: "stop", by: "me", detail: "now" };
    const { at, ...rest } = stateOf([0, STOPPED]).stopped ?? { at: "" };
    expect([rest, at]).toEqual([{ status: "capped", reason: "cost", verified: false, summary: "s", evidence: ["e"] }, "2026-11-30T20:12:00.000Z"]);
    expect(stateOf([0, stop, STOPPED, { type: "run.resumed", pid: 1 }])).toMatchObject({ stopped: null, stopRequested: null });
  });
});

describe("people", () => {
  const request = (what: string, by = "me", detail: string | null = null): JournalBody => ({ type: "control.requested", request: what, by, detail });

  it("who ask to stop are heard once, and at once when they say so", () => {
    expect(during(request("stop"), request("stop", "you", "now")).stopRequested).toEqual({ by: "me", now: false });
    expect(during(request("stop", "you", "now")).stopRequested).toEqual({ by: "you", now: true });
    expect(during(request("skip")).stopRequested).toBeNull();
  });

  it("pause and go on, leave notes, raise limits, and no request is taken twice", () => {
    const raise: JournalBody = { type: "limits.raised", iterations: 1, tokens: 2, costMicroUsd: 3, timeMs: 4, by: "me" };
    const state = during({ type: "run.paused", by: "me" }, raise, raise, { type: "request.taken", id: "r1" }, { type: "note.unanswered", text: "again" });
    expect(state).toMatchObject({ paused: true, granted: { iterations: 2, tokens: 4, costMicroUsd: 6, timeMs: 8 }, requests: ["r1"] });
    expect(state.feedback).toEqual([{ kind: "note", text: "again", again: true }]);
    expect(during({ type: "run.paused", by: "me" }, { type: "run.unpaused", by: "me" }).paused).toBe(false);
  });

  it("who edit while nobody runs are told where a version that was put back is", () => {
    expect(during({ type: "plan.edited", what: ["a", "b"], keptAs: "edits/1" }).warnings).toEqual([
      "Edits while no agent ran: a; b. That version is kept as edits/1.",
    ]);
    expect(during({ type: "plan.edited", what: ["a"], keptAs: null }).warnings).toEqual([]);
  });
});

describe("what people and prompts are told of the tree", () => {
  it("hooks, saved work, left out files, warnings, drafted signs and added tasks", () => {
    const task = { id: "n", text: "new", gates: [], edits: [] };
    const state = during(
      { type: "commit.refused", output: "lint" },
      { type: "commit.refused", output: "lint", outputPath: "/o" },
      { type: "work.saved", ref: "refs/ralphd/r/1", commit: "c", why: "refused" },
      { type: "tree.excluded", paths: [{ path: "big.bin", reason: "too large" }] },
      { type: "gate.sideEffects", paths: ["out.log"] },
      { type: "warning", message: "w" },
      { type: "repo.moved", what: "HEAD moved" },
      { type: "sign.drafted", sign: { trigger: "t", instruction: "i", signature: "s" }, path: "p" },
      { type: "task.added", task },
    );
    expect(state.feedback).toEqual([
      { kind: "hook", output: "lint", outputPath: null },
      { kind: "hook", output: "lint", outputPath: "/o" },
      { kind: "excluded", path: "big.bin", reason: "too large" },
    ]);
    expect(state).toMatchObject({
      saved: [{ ref: "refs/ralphd/r/1", commit: "c", why: "refused" }],
      excluded: [{ path: "big.bin", reason: "too large" }],
      untouched: ["out.log"],
      warnings: ["w", "HEAD moved"],
      signs: [{ trigger: "t", path: "p", iteration: 1 }],
      tasks: [task],
    });
  });

  it("as the newest two hundred alone", () => {
    const state = during(...Array.from({ length: 201 }, (_, at): JournalBody => ({ type: "warning", message: `w${at}` })));
    expect([state.warnings.length, state.warnings[0], state.warnings.at(-1)]).toEqual([200, "w1", "w200"]);
  });
});

describe("a finished or parked task", () => {
  const watched = agentEnded({ watch: { ...EMPTY_WATCH, repeat: { signature: "x", count: 2 }, last: ["a"] } });

  it("starts the counts of the live brakes again; a parked one is asked of a person and keeps nothing", () => {
    expect(during(watched).watch.repeat?.count).toBe(2);
    expect(during(watched, { type: "task.proved", task: "t", gates: [] }).watch).toEqual({ ...EMPTY_WATCH, last: ["a"] });
    const parked = stateOf(whole(1, { class: "no_op", newTree: false, workTree: started().workTree }), [
      2,
      watched,
      { type: "task.parked", task: "t", question: "why?" },
    ]);
    expect(parked).toMatchObject({ parked: { t: "why?" }, watch: EMPTY_WATCH, brakes: { noProgress: 0, attempts: {} } });
  });
});

describe("waits and rests", () => {
  it("a wait is open until it ends, and was served for the iteration before it", () => {
    const untilMs = Date.UTC(2026, 10, 30, 21);
    const wait: JournalBody = { type: "wait.started", untilMs, why: "limit" };
    const begun = stateOf(whole(1), [0, wait]);
    expect(begun.waiting).toEqual({ untilMs, plannedMs: untilMs - Date.UTC(2026, 10, 30, 20, 15), why: "limit" });
    expect(stateOf(whole(1), [0, wait, { type: "wait.ended", waitedMs: 7 }])).toMatchObject({ waiting: null, waitedMs: 7, waitedAfter: 1 });
  });

  const rests = (untilMs: number | null): JournalBody => ({ type: "agent.rests", agent: "claude", class: "auth", untilMs, why: "w" });
  const failed = (iteration: number): Step => [
    iteration,
    iterationStarted(),
    agentEnded({ ending: { ...agentEnded().ending, exit: { kind: "cannotStart", message: "x" } } }),
    iterationEnded({ class: "infrastructure", newTree: false, workTree: started().workTree }),
  ];

  // Where the network is gone, others fail as well: what may pass goes on counting against them.
  it.each([
    [null, 0],
    [5, 1],
  ])("an agent that rests until %s takes its failures along, but what may pass: %i", (untilMs, infrastructure) => {
    expect(stateOf(failed(1)).brakes).toMatchObject({ quickExits: 1, infrastructure: 1 });
    expect(stateOf(failed(1), [0, rests(untilMs)])).toMatchObject({
      resting: { claude: { class: "auth", untilMs, why: "w" } },
      waitedAfter: 1,
      brakes: { quickExits: 0, authFailures: 0, infrastructure },
    });
  });

  it("a switch ends the rest of the one who comes, and of all when a person asks", () => {
    const to = (kind: "reset" | "person"): JournalBody => ({ type: "agent.switched", from: "codex", to: "claude", class: kind, untilMs: null, why: "w" });
    const codex: JournalBody = { ...rests(null), agent: "codex" } as JournalBody;
    expect(stateOf([0, rests(null), codex, to("reset")])).toMatchObject({ agent: "claude", resting: { codex: { class: "auth" } } });
    expect(Object.keys(stateOf([0, rests(null), codex, to("reset")]).resting)).toEqual(["codex"]);
    const state = stateOf([0, rests(null), codex, to("person")]);
    expect(state.resting).toEqual({});
    expect(state.switches).toEqual([{ from: "codex", to: "claude", class: "person", untilMs: null, why: "w", iteration: 0, at: "2026-11-30T20:14:00.000Z" }]);
  });
});
