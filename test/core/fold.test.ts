/** The state as the journal tells it, from iteration to iteration; a fact that a restart journals again counts once. */
import { describe, expect, it } from "vitest";
import { fold, foldAll } from "../../src/core/fold.js";
import { type JournalBody, type JournalEvent, NO_CLAIMS } from "../../src/core/journal-event.js";
import { agentEnded, iterationEnded, iterationStarted, started, timeline, used } from "../journal/events.js";
import { during, frozen, HIT, openOf, stateOf, whole } from "./folding.js";

describe("a journal", () => {
  it("that does not begin with its run has no state", () => {
    expect(foldAll(timeline([[1, iterationStarted()]]))).toBeNull();
    expect(foldAll([])).toBeNull();
  });

  it("of a newer version is read past what nobody knows", () => {
    const events = timeline([[0, started()]]);
    const later = { type: "later.thing", at: "", run: "r", iteration: 0 } as unknown as JournalEvent;
    const state = foldAll(events);
    expect(fold(structuredClone(state), later)).toEqual(state);
  });

  // A torn or foreign journal: nothing is opened by what only an open iteration can have.
  it.each<[string, JournalBody]>([
    ["an ending", agentEnded()],
    ["a class", { type: "iteration.judged", class: "progress", tree: "t", parent: null, commit: true }],
    ["an end", iterationEnded()],
    ["claims", { type: "claims.taken", ticked: ["t"] }],
  ])("with %s outside of any iteration has no open iteration and no record by it", (_name, body) => {
    expect(stateOf([0, body])).toEqual(stateOf());
  });

  it("outside of any iteration still tells what was put back, proved and committed", () => {
    const state = stateOf([
      0,
      frozen(),
      { type: "plan.restored", what: ["a task vanished"], frozen: true },
      { type: "task.proved", task: "t", gates: ["tests"] },
      { type: "task.accepted", task: "u", changed: false },
      { type: "task.unticked", task: "v", gate: "tests", why: "it fails" },
      { type: "run.refused", commit: "c", why: "tests failed", claimed: true },
      { type: "commit.created", commit: "c", tree: "t", parent: null, files: 1 },
    ]);
    expect(state).toMatchObject({
      open: null,
      restored: [{ path: "gate.sh" }, { path: "PLAN.md" }],
      refusedCommit: "c",
      commits: 1,
      lastCommit: "c",
      lastTree: "t",
    });
    expect(Object.keys(state.proved)).toEqual(["t", "u"]);
    expect(state.feedback.map((item) => item.kind)).toEqual(["restored", "plan", "unticked", "ending"]);
  });
});

describe("an iteration", () => {
  it("opens with its intent, and each durable step moves its phase, where a restart enters", () => {
    const judged: JournalBody = { type: "iteration.judged", class: "progress", tree: "t", parent: null, commit: true };
    const commit: JournalBody = { type: "commit.created", commit: "c", tree: "t2", parent: null, files: 1 };
    const steps = [agentEnded({ finalText: "done", signs: [] }), judged, commit];
    const phases = [0, 1, 2, 3].map((count) => openOf(during(...steps.slice(0, count))).phase);
    expect(phases).toEqual(["started", "ended", "judged", "committed"]);
    expect(openOf(during(...steps))).toMatchObject({ number: 1, task: "t", finalText: "done", judged: { class: "progress" }, commit: "c" });
    expect(during(...steps)).toMatchObject({ lastCommit: "c", lastTree: "t2", commits: 1 });
  });

  it("of a journal of an older version was made by the one agent it had, without notes and leftovers", () => {
    expect(openOf(during(agentEnded()))).toMatchObject({ agent: "claude", warned: null, leftovers: null });
    const warned = { tokens: 1, estimated: false, channel: "file" as const, delivered: true };
    const state = stateOf([1, iterationStarted({ agent: "codex" }), agentEnded({ warned, leftovers: { ended: 2, kept: 1 } })]);
    expect(openOf(state)).toMatchObject({ agent: "codex", warned, leftovers: { ended: 2, kept: 1 } });
  });

  it("that ended is a record with its sums; what nobody could count is counted as that", () => {
    const known = [1, iterationStarted({ task: "t" }), agentEnded({ leftovers: { ended: 2, kept: 1 } }), iterationEnded({ usage: used(10, 1, 5) })] as const;
    const state = stateOf(known, whole(2));
    expect(state).toMatchObject({
      open: null,
      iteration: 2,
      spent: 2,
      usage: used(10, 1, 5),
      unknownTokens: 1,
      unknownCost: 1,
      leftovers: { ended: 2, kept: 1, uncounted: 1 },
      activeMs: 122_000,
    });
    expect(state.records.map(({ number, class: kind, task }) => [number, kind, task])).toEqual([
      [1, "progress", "t"],
      [2, "progress", "t"],
    ]);
  });

  it("without an agent's ending does not end: a restart settles it first", () => {
    expect(stateOf([1, iterationStarted(), iterationEnded()])).toMatchObject({ records: [], open: { number: 1 } });
  });

  it("is forgotten in detail when two hundred came after it, but not in the sums", () => {
    const state = stateOf(...Array.from({ length: 201 }, (_, at) => whole(at + 1)));
    expect([state.records.length, state.records[0]?.number, state.spent]).toEqual([200, 2, 201]);
  });

  it("takes the one step back of the run", () => {
    expect(during().stepBackUsed).toBe(false);
    expect(stateOf([1, iterationStarted({ mode: "stepBack" })]).stepBackUsed).toBe(true);
  });

  it.each([
    ["limit", 0],
    ["auth", 0],
    ["infrastructure", 0],
    ["killed", 1],
    ["no_op", 1],
  ] as const)("of class %s uses up %i of the limit, and what it never read is told again", (kind, spent) => {
    const note: JournalBody = { type: "note.added", text: "hi", by: "me" };
    const state = stateOf([0, note], whole(1, { class: kind }));
    expect(state.spent).toBe(spent);
    expect(state.feedback).toEqual(kind === "no_op" ? [] : [{ kind: "note", text: "hi" }]);
  });

  it("gives its commit to what it proved and accepted, but not to what was unticked again", () => {
    const state = stateOf(
      whole(
        1,
        {},
        { type: "task.proved", task: "a", gates: ["tests"] },
        { type: "task.accepted", task: "b", changed: true },
        { type: "task.accepted", task: "c", changed: true },
        { type: "task.unticked", task: "c", gate: "tests", why: "hook" },
        { type: "commit.created", commit: "c1", tree: "t", parent: null, files: 1 },
      ),
    );
    expect(state.proved).toEqual({
      a: { iteration: 1, gates: ["tests"], changed: true, commit: "c1" },
      b: { iteration: 1, gates: [], changed: true, commit: "c1" },
    });
  });

  it("tells a line that nearly was a marker", () => {
    expect(during(agentEnded({ claims: { ...NO_CLAIMS, nearMiss: "<ralph>DONE" } })).feedback).toEqual([{ kind: "nearMiss", line: "<ralph>DONE" }]);
    expect(during(agentEnded()).feedback).toEqual([]);
  });

  it("tells the next one what it saw, and begins with nothing to tell", () => {
    const state = stateOf([0, { type: "note.added", text: "hi", by: "me" }], [1, iterationStarted()]);
    expect([state.feedback, openOf(state).carried]).toEqual([[], [{ kind: "note", text: "hi" }]]);
  });
});

it("a task that was proved and unticked in the same iteration is no work of it", () => {
  const state = stateOf(
    whole(
      1,
      { newTree: false, workTree: started().workTree },
      { type: "task.proved", task: "t", gates: ["tests"] },
      { type: "task.unticked", task: "t", gate: "tests", why: "hook" },
    ),
  );
  expect(state).toMatchObject({ proved: {}, records: [{ proved: [] }] });
});

describe("a fact that a restart journals again counts once", () => {
  it.each<[string, JournalBody]>([
    ["what was put back", frozen()],
    ["a compared path", { type: "path.restored", path: "a.test.ts", rule: "compared", why: "lost lines", keptAs: null }],
    ["the plan", { type: "plan.restored", what: ["a task vanished", "a task moved"], frozen: true }],
    ["ticks", { type: "claims.taken", ticked: ["t"] }],
    ["a proved task", { type: "task.proved", task: "t", gates: ["tests"] }],
    ["an accepted task", { type: "task.accepted", task: "t", changed: true }],
    ["an edit while nobody ran", { type: "plan.edited", what: ["a task"], keptAs: "edits/1" }],
    ["left out files", { type: "tree.excluded", paths: [{ path: "big.bin", reason: "too large" }] }],
    ["what gates left behind", { type: "gate.sideEffects", paths: ["out.log"] }],
    ["a refused end", { type: "run.refused", commit: "c", why: "tests failed", claimed: true }],
    ["a hit", { type: "brake.hit", hit: HIT }],
  ])("%s", (_name, body) => expect(during(body, body)).toEqual(during(body)));

  it("but in the next iteration it is a new one", () => {
    const again = (body: JournalBody) => stateOf(whole(1, {}, body), [2, iterationStarted({ task: "t" }), body]);
    expect(again(frozen()).restored.map(({ iteration }) => iteration)).toEqual([1, 2]);
    expect(openOf(again(frozen())).restoredFrozen).toBe(1);
    const plan: JournalBody = { type: "plan.restored", what: ["a task vanished"], frozen: false };
    expect(again(plan).restored.map(({ iteration }) => iteration)).toEqual([1, 2]);
    expect(again({ type: "run.refused", commit: "c", why: "x", claimed: true }).brakes.disagreement).toBe(1);
  });

  it("and two of one iteration are told apart by path, rule and what they say", () => {
    const compared: JournalBody = { type: "path.restored", path: "gate.sh", rule: "compared", why: "lost lines", keptAs: null };
    const state = during(
      frozen(),
      frozen("other.sh"),
      compared,
      { type: "plan.restored", what: ["frozen"], frozen: false },
      { type: "plan.restored", what: ["other"], frozen: false },
    );
    expect(state.restored.map(({ path, rule, why }) => [path, rule, why])).toEqual([
      ["gate.sh", "frozen", "frozen"],
      ["other.sh", "frozen", "frozen"],
      ["gate.sh", "compared", "lost lines"],
      ["PLAN.md", "plan", "frozen"],
      ["PLAN.md", "plan", "other"],
    ]);
    expect(openOf(state)).toMatchObject({ restoredFrozen: 2, restoredCompared: 1 });
  });
});

describe("what was put back in the plan", () => {
  it("counts as a frozen touch only where it was frozen, once for all sentences", () => {
    const touches = (what: string[], isFrozen: boolean) => openOf(during({ type: "plan.restored", what, frozen: isFrozen })).restoredFrozen;
    expect([touches(["a", "b"], true), touches(["a"], false), touches([], true)]).toEqual([1, 0, 0]);
  });

  it("is called plan where the run has no plan file", () => {
    const events = timeline([[0, started({ plan: null }), { type: "plan.restored", what: ["x"], frozen: false }]]);
    expect(foldAll(events)?.restored[0]?.path).toBe("plan");
  });
});
