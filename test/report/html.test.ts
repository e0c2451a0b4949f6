/** The HTML report: nothing from outside becomes markup, nothing is loaded, and it says what the data say. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { foldAll } from "../../src/core/fold.js";
import type { JournalEvent } from "../../src/core/journal-event.js";
import { renderHtml } from "../../src/report/html.js";
import { reportModel } from "../../src/report/model.js";
import { reportSchema } from "../../src/report/model-schema.js";
import type { ReportContext } from "../../src/report/context.js";
import { doneRun, planTasks, stuckRun } from "./runs.js";

const context: ReportContext = {
  tasks: planTasks,
  nowMs: Date.UTC(2026, 11, 1, 7, 0),
  branch: "ralph/health",
  root: "/home/me/shop",
  isolation: "kernel",
  diffs: { 1: [{ path: "src/health.ts", added: 12, removed: 3 }] },
  runFolder: "/home/me/shop/.git/ralphd/runs/20261130-2011",
};

function page(events: readonly JournalEvent[], more: Partial<ReportContext> = {}): string {
  const state = foldAll(events);
  if (state === null) throw new Error("no run in the events");
  return renderHtml(reportModel(state, { ...context, ...more }));
}

/** Replaces every text of the data that others wrote. */
function poison<T>(value: T, evil: string): T {
  const fixed = new Set(["type", "at", "run", "class", "mode", "rule", "at_", "status", "reason_", "verdict", "kind", "tree", "commit", "phase"]);
  const walk = (item: unknown, key: string): unknown => {
    if (typeof item === "string") return fixed.has(key) ? item : `${item}${evil}`;
    if (Array.isArray(item)) return item.map((part) => walk(part, key));
    if (item === null || typeof item !== "object") return item;
    return Object.fromEntries(Object.entries(item).map(([name, part]) => [name, walk(part, name)]));
  };
  return walk(value, "") as T;
}

describe("the HTML report", () => {
  it("lets no foreign text become markup, wherever it stands", () => {
    const evil = `</style></title><script>x()</script><img src=x onerror="x()"> '"\`<b>\``;
    const events = stuckRun.map((event) =>
      event.type === "run.stopped" || event.type === "brake.hit" ? event : { ...poison(event, evil), at: event.at, run: event.run },
    );
    const html = page(events, { tasks: poison(planTasks, "").map((task) => ({ ...task, text: task.text + evil })), finalText: evil, branch: evil, root: evil });
    const tags = [...html.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => name);
    for (const name of ["script", "img", "b>"]) expect(tags).not.toContain(name);
    expect(html.match(/<\/style>/g)).toHaveLength(1);
    expect(html).not.toMatch(/<[^>]*\son\w+=/);
    expect(html).toContain("&lt;script&gt;");
  });

  it("loads nothing and runs nothing", () => {
    const html = page(stuckRun);
    expect(html).not.toMatch(/(src|href)="(?!data:,)/);
    expect(html).not.toMatch(/https?:|@import|url\(/);
    expect(html).toContain("default-src 'none'");
  });

  it("puts the verdict before everything else, and warns where nothing is proved", () => {
    const at = (html: string, text: string): number => html.indexOf(text, html.indexOf("<body>"));
    const done = page(doneRun, { tasks: planTasks.slice(0, 1) });
    expect(at(done, "Done, verified")).toBeLessThan(at(done, "What to do now"));
    expect(at(done, "What to do now")).toBeLessThan(at(done, ">Tasks<"));
    expect(done).toContain("tone-good");
    const unproved = page(doneRun.map((event) => (event.type === "run.stopped" ? { ...event, verified: false } : event)));
    expect(unproved).toContain("hero tone-warn");
    expect(unproved).toContain("Done, NOT verified");
  });

  it("calls a task done only when a gate proved it; a box alone is ticked", () => {
    const accepted = (event: JournalEvent): JournalEvent =>
      event.type === "task.proved"
        ? { type: "task.accepted", task: event.task, changed: true, at: event.at, run: event.run, iteration: event.iteration }
        : event;
    const withTheRun = doneRun.map(accepted);
    const only = { tasks: planTasks.slice(0, 1) };
    const claimed = page(
      withTheRun.filter(({ type }) => type !== "run.proved").map((event) => (event.type === "run.stopped" ? { ...event, verified: false } : event)),
      only,
    );
    expect(claimed).toContain("<dt>Tasks done</dt><dd>0 of 1<small>and 1 ticked, not proved by this run</small>");
    expect(claimed).toContain('<span class="pill">ticked</span>');
    expect(claimed).not.toMatch(/Per finished task|<span class="pill">done<\/span>/);
    for (const proved of [page(doneRun, only), page(withTheRun, only)]) {
      expect(proved).toContain("<dt>Tasks done</dt><dd>1 of 1</dd>");
      expect(proved).toContain('<span class="pill">done</span>');
    }
  });

  it("draws what is known: a gap is a question mark, not a zero", () => {
    const html = page(stuckRun);
    expect(html).toMatch(/>\?<title>iteration 2: unknown tokens/);
    expect(html).not.toMatch(/NaN|undefined|Infinity/);
    expect(html).toContain("+12");
    expect(html).toContain("iterations/0001/package.json.rejected");
  });

  it("has data that fit the published schema", () => {
    for (const events of [stuckRun, doneRun, stuckRun.slice(0, 1), stuckRun.slice(0, -5)]) {
      const state = foldAll(events);
      if (state === null) throw new Error("no run in the events");
      expect(() => v.parse(v.strictObject(reportSchema.entries), reportModel(state, context))).not.toThrow();
      expect(page(events)).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  it("B-14 says what each finished task cost and took, and no part of an unknown sum", () => {
    const state = foldAll(stuckRun);
    if (state === null) throw new Error("no run in the events");
    const model = reportModel(state, context);
    expect(model.perFinishedTask).toEqual({ tasks: 1, costUsd: 0.2725, activeMs: Math.round(state.activeMs) });
    expect(model.tasks[0]?.spent).toEqual({ countedTokens: 24_400, costUsd: 0.1825, activeMs: 61_000 });
    expect(model.tasks[1]).toMatchObject({ attempts: 2, spent: { countedTokens: null, costUsd: null } });
    expect(model.iterations.map((row) => row.openTasks)).toEqual([3, 3, 3]);
  });
});
