import { describe, expect, it } from "vitest";
import type { JournalEvent } from "../../src/core/journal-event.js";
import { PROGRESSING } from "./characters.js";
import { check, type Checked, outcome, shrink, trace } from "./check.js";
import { isRepeatable } from "./invariants.js";
import { crashPointsOutsideAgents, withCrash } from "./crashes.js";
import { type Scenario, scenario, undisturbed } from "./scenario.js";

/** On a busy machine; alone they take a tenth of it. */
const PATIENCE_MS = 300_000;
const NIGHTS = Number(process.env["SIM_NIGHTS"] ?? "1000");
/** Nights in which every single effect is followed by a crash once. */
const CRASHED_NIGHTS = Number(process.env["SIM_CRASHED"] ?? "5");

/** Fails with the smallest night that shows the same kind of trouble. */
async function held(plan: Scenario): Promise<Checked> {
  const checked = await check(plan);
  if (checked.problems.length > 0) expect.fail(trace(await shrink(checked)));
  return checked;
}

describe("simulated nights", () => {
  it(
    `ends ${NIGHTS} nights within the limits, proves every done and loses nothing`,
    async () => {
      const statuses = new Set<string>();
      const faults = new Set<string>();
      const switches = new Set<string>();
      for (let seed = 1; seed <= NIGHTS; seed++) {
        const { night } = await held(scenario(seed));
        // A full disk is no end for good, so that the journal is asked.
        for (const line of night?.disk.journal ?? []) {
          const event = JSON.parse(line) as JournalEvent;
          if (event.type === "run.stopped") statuses.add(`${event.status}/${event.reason}`);
        }
        for (const change of night?.state.switches ?? []) switches.add(change.class);
        for (const kind of night?.disk.truth.faults ?? []) faults.add(kind);
      }
      // A simulation that always ends in the same way tests nothing.
      const ends = [
        "capped/cost",
        "capped/iterations",
        "capped/time",
        "capped/tokens",
        "done/all_tasks_checked",
        "escalated/gutter_command",
        "escalated/gutter_thrash",
        "escalated/no_progress",
        "escalated/oscillation",
        "escalated/tampering",
        "failed/auth",
        "failed/disk",
      ];
      expect([...statuses]).toEqual(expect.arrayContaining(ends));
      expect([...faults].sort()).toEqual(["clock", "crash", "full", "gitLock", "killed", "power", "readOnly", "watcher"]);
      expect([...switches]).toEqual(expect.arrayContaining(["account", "auth", "credit", "model", "reset"]));
    },
    PATIENCE_MS,
  );

  it(
    "lets agents that progress finish whenever the limits allow",
    async () => {
      for (let seed = 1; seed <= 100; seed++) {
        const character = [...PROGRESSING][seed % PROGRESSING.size] ?? "diligent";
        const { night, plan } = await held({ ...undisturbed(scenario(seed)), fallbacks: 0, character });
        const { stopped } = night?.state ?? {};
        expect(["done", "capped"], JSON.stringify(plan)).toContain(stopped?.status);
      }
    },
    PATIENCE_MS,
  );

  it(
    "loses, doubles and changes nothing but time by a crash after any effect",
    async () => {
      const plans = Array.from({ length: 1_000 }, (_, seed) => ({ ...scenario(seed), faults: [] })).filter(isRepeatable);
      // Whoever touches what comes back, and a person beside it: the touch must count once and keep its name.
      const touching = [
        plans.find(({ character }) => character === "testEditor"),
        plans.find(({ character }) => character === "hostile"),
        plans.find(({ acts }) => acts.some((act) => act.kind === "edit" && act.how === "frozen")),
      ];
      for (const plan of [...plans.slice(0, CRASHED_NIGHTS), ...touching.filter((plan) => plan !== undefined)]) {
        const whole = await held(plan);
        const outside = new Set(crashPointsOutsideAgents(whole.effects));
        for (let at = 1; at <= whole.effects.length; at++) {
          const crashed = await held(withCrash(plan, at));
          if (outside.has(at)) expect(outcome(crashed), `crash after ${whole.effects[at - 1]}\n${trace(crashed)}`).toEqual(outcome(whole));
        }
      }
    },
    PATIENCE_MS,
  );
});
