/** What an agent may do to a plan, what is put back, and that its ticks survive either way. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reconcilePlan } from "../../../src/core/plan/reconcile.js";
import { setTick } from "../../../src/core/plan/tick.js";
import type { Reconciliation } from "../../../src/core/plan/types.js";
import { planSource } from "./arbitrary.js";
import { planOf, tasksOf } from "./read.js";

function reconcile(before: string, after: string | null, path = "PLAN.md", sections: string[] | null = null): Reconciliation {
  const fixed = new Set(planOf(before, path, sections).tasks.map(({ id }) => id));
  return reconcilePlan({ before, after, path, sections, fixed, maxAdded: 5 });
}

const UNTOUCHED = { restored: [], frozenTouched: false, ticked: [], unticked: [], added: [] };
const before = "# Plan\n\n- [ ] add health\n- [x] write docs <!-- gate: docs -->\n- [ ] (manual) rotate the key\n";

describe("what stands", () => {
  it("ticks, unticks and other marks", () => {
    const after = before.replace("[ ] add", "[x] add").replace("[x] write", "[ ] write");
    expect(reconcile(before, after)).toEqual({ ...UNTOUCHED, source: after, ticked: ["add-health"], unticked: ["write-docs"] });
    expect(reconcile(before, before.replace("[ ] add", "[~] add"))).toMatchObject({ restored: [], ticked: [], unticked: [] });
  });

  it("notes, prose and up to five new tasks, anywhere", () => {
    const after = before
      .replace("- [x] write", "  - note: needs a port\n  - [ ] choose a port\n- [x] write")
      .replace("# Plan", "# Plan\n\nWords.\n\n- [ ] first");
    expect(reconcile(before, after)).toEqual({ ...UNTOUCHED, source: after, added: ["first", "choose-a-port"] });
  });

  it("new tasks with their comments, which the driver may ignore", () => {
    const after = `${before}- [ ] more <!-- gate: none --> <!-- edits: ** -->\n`;
    expect(reconcile(before, after)).toEqual({ ...UNTOUCHED, source: after, added: ["more"] });
  });

  it("more than five: the further ones are cut out and named, the rest of the text stands", () => {
    const extra = [1, 2, 3, 4, 5, 6, 7].map((n) => `- [ ] extra ${n}\n`).join("");
    const after = `${before.replace("[ ] add", "[x] add")}${extra}  wrapped\n\nA note.\n`;
    const result = reconcile(before, after);
    expect(result.source).toBe(after.replace("- [ ] extra 6\n- [ ] extra 7\n  wrapped\n", ""));
    expect(result.restored).toEqual(['At most 5 tasks may be added in one iteration; left out: "extra 6", "extra 7 wrapped".']);
    expect(result).toMatchObject({ ticked: ["add-health"], added: ["extra-1", "extra-2", "extra-3", "extra-4", "extra-5"], frozenTouched: false });
  });

  it("a whole tree that is too much is cut as one", () => {
    const tree = "- [ ] t\n  - [ ] t1\n  - [ ] t2\n";
    const result = reconcilePlan({ before, after: before + tree, path: "PLAN.md", sections: null, fixed: new Set(), maxAdded: 0 });
    expect(result.source).toBe(before);
    expect(result.restored).toHaveLength(1);
  });

  it("only what is not fixed may vanish", () => {
    const after = before.replace("- [ ] add health\n", "");
    const fixed = new Set(["write-docs", "rotate-the-key"]);
    expect(reconcilePlan({ before, after, path: "PLAN.md", sections: null, fixed, maxAdded: 5 })).toMatchObject({ source: after, restored: [] });
  });
});

describe("what is put back", () => {
  it("a removed task, with the ticks and new tasks of the others", () => {
    const after = "# Plan\n\n- [x] add health\n- [ ] new one\n";
    const result = reconcile(before, after);
    expect(result.source).toBe(`${before.replace("[ ] add", "[x] add").trimEnd()}\n- [ ] new one\n`);
    expect(result.restored).toEqual(['Task "write docs" had been removed and was put back.', 'Task "rotate the key" had been removed and was put back.']);
    expect(result).toMatchObject({ ticked: ["add-health"], added: ["new-one"], frozenTouched: false });
  });

  it("a reworded task, whose tick does not count; it is no new task", () => {
    const result = reconcile(before, before.replace("[ ] add health", "[x] add wealth"));
    expect(result).toEqual({ ...UNTOUCHED, source: before, restored: ['Task "add health" had been reworded to "add wealth"; its text was put back.'] });
  });

  it.each(["add health (done in abc123)", "add health — see notes", "add health ✅", "Add health!"])(
    "but a note behind the text keeps the tick: %s",
    (text) => {
      const result = reconcile(before, before.replace("[ ] add health", `[x] ${text}`));
      expect(result.source).toBe(before.replace("[ ] add", "[x] add"));
      expect(result).toMatchObject({ ticked: ["add-health"], added: [], restored: [expect.stringContaining("reworded")] });
    },
  );

  it("a task that another one replaced: one is back, the other is new", () => {
    const result = reconcile(before, before.replace("add health", "migrate the users table to postgres"));
    expect(tasksOf(result.source)).toEqual(["open add health", "done write docs", "manual rotate the key", "open migrate the users table to postgres"]);
  });

  it("the order", () => {
    const after = "# Plan\n\n- [x] write docs <!-- gate: docs -->\n- [x] add health\n- [ ] (manual) rotate the key\n";
    const result = reconcile(before, after);
    expect(result).toMatchObject({ source: before.replace("[ ] add", "[x] add"), ticked: ["add-health"], restored: [expect.stringContaining("reordered")] });
  });

  it.each([
    [" <!-- gate: docs -->", "", "gates"],
    ["gate: docs", "gate: true", "gates"],
    ["gate: docs -->", "gate: docs --> <!-- edits: ** -->", "edits"],
    ["gate: docs -->", "gate: docs --> <!-- group: 1 -->", "group"],
  ])("the comments of a task: %j for %j", (old, now, what) => {
    const result = reconcile(before, before.replace(old, now).replace("[ ] add", "[x] add"));
    expect(result).toMatchObject({ source: before.replace("[ ] add", "[x] add"), ticked: ["add-health"] });
    expect(result.restored).toEqual([`Task "write docs" had its ${what} changed; they were put back.`]);
  });

  it("a namesake cannot take the place of a task with a gate", () => {
    const result = reconcile("- [ ] a <!-- gate: g -->\n", "- [x] a\n- [ ] a <!-- gate: g -->\n");
    expect(planOf(result.source).tasks[0]).toMatchObject({ id: "a", gates: ["g"] });
    expect(result.restored).not.toEqual([]);
  });

  it("the name of a task that a namesake took", () => {
    const result = reconcile("- [ ] add health\n", "- [ ] Add Health\n- [x] add health\n");
    expect(result).toMatchObject({ source: "- [x] add health\n- [ ] Add Health\n", ticked: ["add-health"], added: ["add-health~2"] });
    expect(result.restored).toEqual(['Task "add health" had been renamed, or a task of the same name put before it; it was put back.']);
  });

  it("a task, with all that new ones say of themselves", () => {
    const added = "- [ ] (manual) turn the key <!-- gate: tests, lint --> <!-- edits: test/** --> <!-- group: 2 -->";
    expect(reconcile("- [ ] old task\n", `${added}\n`).source).toBe(`- [ ] old task\n${added}\n`);
  });

  it("a task, with new ones on lines of their own in a text of one line", () => {
    expect(reconcile("- [ ] old task", "- [ ] quite another thing").source).toBe("- [ ] old task\n- [ ] quite another thing");
  });

  it("a task, with new ones where no line swallows them", () => {
    const open = "- [ ] first\n\n  ```\n  code\n  ```\nwords\n";
    expect(reconcile(open, "- [ ] brand new thing\n")).toMatchObject({ source: `${open}\n- [ ] brand new thing\n`, added: ["brand-new-thing"] });
  });

  it("the text of before, where what is too much cannot be cut out alone", () => {
    // The link's target makes one task of two lines; without it they are two.
    const result = reconcilePlan({
      before: "- [ ] old\n",
      after: "- [x] old\n- [ ] kept [a\n      - [ ] b][r]\n- [ ] extra\n\n  [r]: u\n",
      path: "PLAN.md",
      sections: null,
      fixed: new Set(["old"]),
      maxAdded: 1,
    });
    expect(result).toMatchObject({ source: "- [x] old\n- [ ] kept [a - [ ] b][r]\n", ticked: ["old"], added: ["kept-a-b-r"] });
    expect(result.restored).toEqual([expect.stringContaining("could not be cut out alone"), expect.stringContaining('left out: "extra"')]);
  });

  it("the place in the tree", () => {
    expect(reconcile("- [ ] a\n- [ ] b\n", "- [x] a\n  - [ ] b\n")).toMatchObject({
      source: "- [x] a\n- [ ] b\n",
      ticked: ["a"],
      restored: [expect.stringContaining('"b" had been moved')],
    });
  });

  it("TP-25 a manual task's mark and its tick", () => {
    const ticked = reconcile(before, before.replace("[ ] (manual)", "[x] (manual)").replace("[ ] add", "[x] add"));
    expect(ticked).toMatchObject({
      source: before.replace("[ ] add", "[x] add"),
      ticked: ["add-health"],
      restored: ['Task "rotate the key" is for a person; its tick was taken back.'],
    });
    const unmarked = reconcile(before, before.replace("[ ] (manual)", "[x]"));
    expect(unmarked).toMatchObject({ source: before, ticked: [] });
  });

  it("tasks that were hidden in a comment or moved out of the sections that count", () => {
    const hidden = before.replace("- [ ] add health", "<!--\n- [ ] add health\n-->");
    expect(reconcile(before, hidden).source).toBe(before);
    const scoped = "## Tasks\n- [ ] a\n- [ ] b\n\n## Notes\n";
    const result = reconcile(scoped, "## Tasks\n- [x] a\n\n- [ ] new\n## Notes\n- [ ] b\n", "PLAN.md", ["Tasks"]);
    expect(result.source).toBe("## Tasks\n- [x] a\n- [ ] b\n- [ ] new\n\n## Notes\n");
  });

  it("with more than five new tasks, the further ones are named", () => {
    const result = reconcile("- [ ] old task\n", [1, 2, 3, 4, 5, 6].map((n) => `- [ ] ${"xyz".repeat(n)}`).join("\n"));
    expect(result.added).toHaveLength(5);
    expect(result.restored.at(-1)).toContain(`left out: "${"xyz".repeat(6)}"`);
  });
});

describe("the frozen part", () => {
  const plan = "---\r\ngates:\r\n  - name: tests\r\n    run: npm test\r\n---\r\n- [ ] a\r\n";

  it.each([
    ["changed", plan.replace("npm test", "true")],
    ["removed", "- [ ] a\r\n"],
    ["emptied", "---\r\n---\r\n- [ ] a\r\n"],
    ["moved below other text", `# Plan\r\n\r\n${plan}`],
  ])("front matter that was %s comes back byte for byte, and the tick stays", (_, after) => {
    const result = reconcile(plan, after.replace("[ ] a", "[x] a"));
    expect(result).toMatchObject({ frozenTouched: true, ticked: ["a"], restored: [expect.stringContaining("front matter")] });
    expect(result.source.startsWith(plan.slice(0, plan.indexOf("- [")))).toBe(true);
    expect(result.source.match(/npm test/g)).toHaveLength(1);
  });

  it("front matter that was opened for good gives the whole text up", () => {
    const result = reconcile(plan, plan.replace("npm test\r\n---", "npm test"));
    expect(result).toMatchObject({ source: plan, frozenTouched: true });
    expect(result.restored.join(" ")).toContain("line 1, column 1");
  });

  it("front matter that the agent invented is taken away", () => {
    expect(reconcile("- [ ] a\n", "---\nsetup: b\n---\n---\nsetup: c\n---\n- [x] a\n").source).toBe("- [x] a\n");
    expect(reconcile("- [ ] a\n", "---\nsetup: evil\n---\n- [x] a\n")).toMatchObject({ source: "- [x] a\n", frozenTouched: true, ticked: ["a"] });
  });

  it("TP-12 line endings and byte-order mark survive an editor that changes them", () => {
    const marked = `\uFEFF${plan}`;
    const result = reconcile(marked, plan.replaceAll("\r\n", "\n").replace("[ ] a", "[x] a"));
    expect(result).toMatchObject({ source: marked.replace("[ ] a", "[x] a"), frozenTouched: false, ticked: ["a"] });
    expect(result.restored).toHaveLength(2);
  });

  it("TP-12 what is rebuilt keeps the file's line endings and its missing end", () => {
    expect(reconcile("\uFEFF- [ ] a\r\n- [ ] b", "\uFEFF- [x] b\r\n- [ ] new thing").source).toBe("\uFEFF- [ ] a\r\n- [x] b\r\n- [ ] new thing");
  });

  it("a format's own gates are frozen too", () => {
    const plan = "## Validation Commands\n- `npm test`\n### Task 1: a\n- [ ] b\n";
    const result = reconcile(plan, plan.replace("npm test", "true").replace("[ ] b", "[x] b"));
    expect(result).toMatchObject({ source: plan.replace("[ ] b", "[x] b"), frozenTouched: true, ticked: ["b"] });
  });

  it("a format's own gates, where no new task finds a place, which is said", () => {
    const plan = "## Validation Commands\n- `npm test`\n### Task 1: a\nprose\n";
    const result = reconcile(plan, plan.replace("npm test", "true").replace("prose", "- [ ] b"));
    expect(result).toMatchObject({ source: plan, frozenTouched: true, added: [] });
    expect(result.restored.at(-1)).toBe('New tasks could not be carried over: "b".');
  });

  it("an objective is the user's", () => {
    expect(reconcile("Make it fast.", "Make it slow.", "PROMPT.md")).toMatchObject({
      source: "Make it fast.",
      restored: [expect.stringContaining("objective")],
    });
  });
});

describe("plans that are gone or broken", () => {
  it("TP-22 a deleted plan stands again", () => {
    expect(reconcile(before, null)).toEqual({ ...UNTOUCHED, source: before, restored: [expect.stringContaining("gone")] });
    expect(reconcile(before, "").source).toBe(before);
  });

  it("one that could not be read before stands as it was", () => {
    const open = "- [ ] a\n\n```sh\nnpm test\n";
    expect(reconcilePlan({ before: open, after: "- [ ] a\n", path: "PLAN.md", sections: null, fixed: new Set(), maxAdded: 5 })).toEqual({
      ...UNTOUCHED,
      source: open,
    });
  });

  it("TP-03 an open fence gives way to the text from before, with its place", () => {
    const result = reconcile(before, `${before}\n\`\`\`sh\nnpm test\n`);
    expect(result.source).toBe(before);
    expect(result.restored).toEqual([expect.stringContaining("line 7, column 1")]);
  });

  const prd = '{\n  "userStories": [\n    {"id": "1", "title": "a", "passes": false},\n    {"id": "2", "title": "b", "passes": false}\n  ]\n}\n';

  it.each([
    ["a missing comma", prd.replace("},", "}"), "line 4, column 5"],
    ["two objects joined", prd + prd, "line 7, column 1"],
    ["a cut file", prd.slice(0, 60), "line 3"],
  ])("TP-24 JSON broken by %s: the last good copy stands, line and column are named", (_, after, place) => {
    const result = reconcile(prd, after, "prd.json");
    expect(result.source).toBe(prd);
    expect(result.restored).toEqual([expect.stringContaining(place)]);
  });

  it("TP-24 readable JSON: notes and ticks stand, the rest of a story does not change", () => {
    const ticked = prd.replace('"passes": false}', '"passes": true, "notes": "x"}');
    expect(reconcile(prd, ticked, "prd.json")).toEqual({ ...UNTOUCHED, source: ticked, ticked: ["1"] });
    const reworded = prd.replace('"a", "passes": false', '"something else", "passes": true');
    expect(reconcile(prd, reworded, "prd.json")).toMatchObject({
      source: prd.replace("false", "true"),
      ticked: ["1"],
      added: [],
      restored: [expect.stringContaining("reworded")],
    });
    const weakened = reconcile(prd, prd.replace('"a"', '"a", "acceptanceCriteria": []'), "prd.json");
    expect(weakened).toMatchObject({ source: prd, restored: [expect.stringContaining('"a" had been changed')] });
    const swapped = '{"userStories":[{"id":"2","title":"b","passes":false},{"id":"1","title":"a","passes":true}]}';
    expect(reconcile(prd, swapped, "prd.json")).toMatchObject({ source: prd.replace("false", "true"), restored: [expect.stringContaining("reordered")] });
  });

  it("TP-24 new stories are carried over, and too many are cut", () => {
    const lost = '{"userStories":[{"id":"1","title":"a","passes":true},{"id":"3","title":"third thing"}]}';
    const result = reconcile(prd, lost, "prd.json");
    expect(result.source).toBe(prd.replace("false", "true").replace('"b", "passes": false}', '"b", "passes": false},\n    {"id":"3","title":"third thing"}'));
    expect(result).toMatchObject({ ticked: ["1"], added: ["3"] });
    const many = prd.replace(/\n {2}\]/, `${[3, 4, 5, 6, 7, 8].map((n) => `,\n    {"id": "${n}", "title": "s${n}"}`).join("")}\n  ]`);
    expect(reconcile(prd, many, "prd.json")).toMatchObject({ source: many.replace(',\n    {"id": "8", "title": "s8"}', ""), added: ["3", "4", "5", "6", "7"] });
  });
});

describe("any plan and any other text", () => {
  it("nothing changes where nothing changed", () => {
    fc.assert(
      fc.property(planSource, (source) => {
        expect(reconcile(source, source)).toEqual({ ...UNTOUCHED, source });
      }),
    );
  });

  it("the result can be read and no task of before is lost", () => {
    fc.assert(
      fc.property(planSource, planSource, (old, now) => {
        const kept = planOf(reconcile(old, now).source).tasks;
        const left = kept.map(({ id, text, gates }) => JSON.stringify([id, text, gates]));
        const wanted = planOf(old).tasks.map(({ id, text, gates }) => JSON.stringify([id, text, gates]));
        expect(left.filter((task) => wanted.includes(task))).toEqual(wanted);
        expect(kept.length).toBeLessThanOrEqual(wanted.length + 5);
      }),
      { numRuns: 60 },
    );
  });

  it("ticks survive, even where other tasks are gone", () => {
    fc.assert(
      fc.property(planSource, fc.nat(), fc.boolean(), (old, pick, drop) => {
        const plan = planOf(old);
        const open = plan.tasks.filter(({ state }) => state === "open");
        const task = open[pick % Math.max(1, open.length)];
        if (task === undefined || task.mark !== " ") return;
        const ticked = setTick(old, plan, task.id, true);
        const after = drop ? `- [x] ${task.text}\n` : ticked;
        const unique = plan.tasks.filter(({ text }) => text === task.text).length === 1;
        if (!drop || unique) expect(reconcile(old, after).ticked).toEqual([task.id]);
        if (!drop) expect(reconcile(old, after).source).toBe(ticked);
      }),
    );
  });

  it("what was reconciled once stands", () => {
    fc.assert(
      fc.property(planSource, planSource, (old, now) => {
        const once = reconcile(old, now).source;
        const fixed = new Set(planOf(old).tasks.map(({ id }) => id));
        expect(reconcilePlan({ before: old, after: once, path: "PLAN.md", sections: null, fixed, maxAdded: 5 })).toMatchObject({ source: once, restored: [] });
      }),
      { numRuns: 60 },
    );
  });
});
