/** What a restart between an iteration's commit and its end still knows of it. */
import { expect, it } from "vitest";
import { foldAll } from "../../src/core/fold.js";
import type { JournalBody, JournalEvent } from "../../src/core/journal-event.js";
import type { RunState } from "../../src/core/run-state.js";
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import { Driver, type World } from "../../src/driver/driver.js";
import { recover } from "../../src/driver/recover.js";
import { doneRun } from "../report/runs.js";

it.each([
  [true, true],
  [false, false],
  [undefined, false],
])("better gates: %s", async (betterGates, expected) => {
  const died = doneRun.findIndex((event) => event.type === "iteration.judged");
  const events = doneRun.slice(0, died + 1).map((event) => (event.type === "iteration.judged" ? { ...event, betterGates } : event));
  const recorded: JournalBody[] = [];
  // Only what is asked here: the commit had been made, and the tree is as it left it.
  const world = {
    journal: {
      append: (iteration: number, ...bodies: JournalBody[]) =>
        bodies.map((body) => {
          recorded.push(body);
          return { ...body, iteration, run: "r", at: doneRun[0]?.at } as JournalEvent;
        }),
    },
    runFiles: { read: () => null, writeView: () => undefined },
    files: { read: () => null, list: () => [] },
    repo: { findIterationCommit: async () => ({ commit: "c", tree: "t" }), changes: async () => [], treeWithout: async () => "w" },
    observer: { journal: () => undefined },
  } as unknown as World;
  const settings = { ...DEFAULT_SETTINGS, plan: null, objective: "o" };
  await recover(new Driver(world, { settings, templates: {} as never, env: () => ({}), tokenSeed: "t" }, foldAll(events) as RunState));
  expect(recorded.map(({ type }) => type)).toEqual(["commit.created", "iteration.ended"]);
  expect(recorded[1]).toMatchObject({ betterGates: expected });
});
