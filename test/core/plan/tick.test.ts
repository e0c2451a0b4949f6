/** Ticking changes one byte; picking follows groups, place and nesting. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pickTask, setTick, taskCounts } from "../../../src/core/plan/tick.js";
import { planSource } from "./arbitrary.js";
import { allDone, planOf } from "./read.js";

const tick = (source: string, id: string, done: boolean, path = "PLAN.md") => setTick(source, planOf(source, path), id, done);

describe("setTick", () => {
  it("TP-12 changes one byte of a CRLF file and keeps its end", () => {
    expect(tick("\uFEFF# P\r\n- [ ] a\r\n  - text\r\n- [x] b", "a", true)).toBe("\uFEFF# P\r\n- [x] a\r\n  - text\r\n- [x] b");
    expect(tick("- [ ] a\n- [X] b\n", "b", false)).toBe("- [ ] a\n- [ ] b\n");
    expect(tick("- [X] b\n", "b", true)).toBe("- [X] b\n");
    expect(tick("- [~] b\n", "b", true)).toBe("- [x] b\n");
  });

  it("flips one word of JSON and keeps its format", () => {
    const source = '{ "userStories": [\n\t{"id":"1", "title": "a \\u00e9",  "passes" : false , "n": 1.0},\n\t{"id":"2","title":"b"} ] }';
    const ticked = tick(source, "1", true, "prd.json");
    expect(ticked).toBe(source.replace("false", "true"));
    expect(tick(ticked, "1", false, "prd.json")).toBe(source);
    expect(planOf(tick(source, "2", true, "prd.json"), "prd.json").tasks.map(({ state }) => state)).toEqual(["open", "done"]);
  });

  it("TP-18 flips the right word behind a byte-order mark", () => {
    const source = '\uFEFF{"userStories":[{"id":"1","title":"a","passes":false}]}';
    expect(tick(source, "1", true, "prd.json")).toBe(source.replace("false", "true"));
  });

  it("cannot tick a section without a box", () => {
    const source = "### Task 1: a\nprose\n";
    expect(tick(source, "task-1-a", true)).toBe(source);
  });

  it("throws for a task that the plan has not, and for another text", () => {
    expect(() => tick("- [ ] a", "b", true)).toThrow("no task b");
    expect(() => setTick("- [ ]", planOf("# x\n\n- [ ] a"), "a", true)).toThrow("not a reading");
  });

  it("changes exactly one byte and one state of any plan, and can be undone", () => {
    fc.assert(
      fc.property(planSource, fc.nat(), (source, pick) => {
        const plan = planOf(source);
        const task = plan.tasks[pick % Math.max(1, plan.tasks.length)];
        if (task === undefined) return;
        const done = !/x/i.test(task.mark);
        const result = setTick(source, plan, task.id, done);
        expect(result.length).toBe(source.length);
        expect([...source].filter((character, index) => character !== [...result][index])).toHaveLength(1);
        const again = planOf(result);
        expect(again.tasks.map(({ id, text }) => [id, text])).toEqual(plan.tasks.map(({ id, text }) => [id, text]));
        expect(again.tasks.filter(({ mark }, index) => mark !== plan.tasks[index]?.mark).map(({ id }) => id)).toEqual([task.id]);
        if (task.mark === " " || task.mark === "x") expect(setTick(result, again, task.id, !done)).toBe(source);
      }),
    );
  });
});

describe("pickTask", () => {
  const pick = (source: string, ...parked: string[]) => pickTask(planOf(source), new Set(parked))?.id ?? null;

  it("takes the first open one by group, then by place; without a group last", () => {
    expect(pick("- [x] a\n- [ ] b\n- [ ] c")).toBe("b");
    expect(pick("- [ ] b\n- [ ] c <!-- group: 2 -->\n- [ ] d <!-- group: 1 -->\n- [ ] e <!-- group: 1 -->")).toBe("d");
    expect(pick("- [ ] b\n- [ ] c <!-- group: 10 -->\n- [ ] d <!-- group: 9 -->")).toBe("d");
  });

  it("takes children before their parent, in their parent's group", () => {
    expect(pick("- [ ] p\n  - [x] c\n  - [ ] d")).toBe("d");
    expect(pick("- [ ] p\n  - [x] c\n  - [x] d")).toBe("p");
    expect(pick("- [ ] a\n- [ ] p <!-- group: 1 -->\n  - [ ] c")).toBe("c");
    expect(pick("- [x] p\n  - [ ] c")).toBe("c");
  });

  it("leaves parked tasks, and parents that wait for them", () => {
    expect(pick("- [ ] a\n- [ ] b", "a")).toBe("b");
    expect(pick("- [ ] p\n  - [ ] c", "c")).toBeNull();
    expect(pick("- [ ] p\n  - [ ] c\n    - [ ] g", "c", "p")).toBe("g");
  });

  it("takes neither manual nor other tasks", () => {
    expect(pick("- [ ] (manual) a\n- [~] b\n- [x] c")).toBeNull();
    expect(pick("- [ ] p\n  - [ ] (manual) c")).toBe("p");
  });

  it("picks something exactly when a task is open and none is parked", () => {
    fc.assert(
      fc.property(planSource, (source) => {
        const plan = planOf(source);
        expect(pickTask(plan, new Set()) !== null).toBe(plan.tasks.some(({ state }) => state === "open"));
      }),
    );
  });
});

describe("counting", () => {
  it("knows five states, and parked only for open ones", () => {
    const plan = planOf("- [ ] a\n- [x] b\n- [ ] (manual) c\n- [~] d\n- [ ] e");
    expect(taskCounts(plan, new Set(["a", "b", "c"]))).toEqual({ open: 1, done: 1, manual: 1, blocked: 1, other: 1 });
  });

  it.each([
    ["- [x] a\n- [X] b", true],
    ["- [x] a\n- [ ] (manual) b", false],
    ["- [x] a\n- [-] b", false],
    ["- [x] a\n- [ ] b", false],
    ["", false],
  ])("%j is all done: %s", (source, done) => {
    expect(allDone(planOf(source))).toBe(done);
  });
});
