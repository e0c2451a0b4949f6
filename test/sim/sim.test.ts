import { describe, expect, it } from "vitest";
import { violations } from "./invariants.js";
import { runNight, scenario } from "./night.js";

const NIGHTS = Number(process.env["SIM_NIGHTS"] ?? "1000");
/** Nights in which every single effect is followed by a crash once. */
const CRASHED_NIGHTS = Number(process.env["SIM_CRASHED"] ?? "10");

describe("simulated nights", () => {
  it(`ends ${NIGHTS} nights within the limits and proves every done`, async () => {
    const statuses = new Map<string, number>();
    const switches = new Set<string>();
    for (let seed = 1; seed <= NIGHTS; seed++) {
      const plan = scenario(seed);
      const night = await runNight(plan);
      expect(violations(plan, night), trace(seed, plan.character)).toEqual([]);
      for (const change of night.state.switches) switches.add(change.class);
      const key = `${night.state.stopped?.status}/${night.state.stopped?.reason}`;
      statuses.set(key, (statuses.get(key) ?? 0) + 1);
    }
    // A simulation that always ends in the same way tests nothing.
    expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining(["capped/iterations", "done/all_tasks_checked", "escalated/no_progress", "escalated/gutter_command", "escalated/tampering"]));
    expect([...switches].sort()).toEqual(expect.arrayContaining(["account", "auth", "credit", "model", "reset"]));
  });

  it("lets diligent agents finish whenever the limits allow", async () => {
    for (let seed = 1; seed <= 300; seed++) {
      const plan = { ...scenario(seed), character: "diligent" as const };
      const night = await runNight(plan);
      const { stopped } = night.state;
      expect(["done", "capped"], trace(seed, "diligent")).toContain(stopped?.status);
    }
  });

  it("loses, doubles and changes nothing but time by a crash after any effect", async () => {
    for (let seed = 1; seed <= CRASHED_NIGHTS; seed++) {
      const plan = scenario(seed);
      const whole = await runNight(plan);
      const outside = new Set(crashPointsOutsideAgents(whole.disk.effects));
      for (let at = 1; at <= whole.disk.effects.length; at++) {
        const night = await runNight(plan, at);
        const label = trace(seed, plan.character, at, whole.disk.effects[at - 1]);
        expect(violations(plan, night), label).toEqual([]);
        if (outside.has(at)) expect(outcome(night), label).toEqual(outcome(whole));
      }
    }
  });
});

function outcome(night: Awaited<ReturnType<typeof runNight>>) {
  const { stopped, usage, spent, iteration } = night.state;
  return { status: stopped?.status, reason: stopped?.reason, usage, spent, iteration, tree: night.disk.intern(night.disk.treeOf(night.disk.head())) };
}

/** A crash while an agent works costs that agent's work; everywhere else it must cost nothing. */
function crashPointsOutsideAgents(effects: readonly string[]): number[] {
  let inside = false;
  return effects.flatMap((label, index) => {
    if (label.includes("iteration.started")) inside = true;
    else if (label.includes("agent.ended")) inside = false;
    return inside ? [] : [index + 1];
  });
}

function trace(seed: number, character: string, at?: number, effect?: string): string {
  return `seed ${seed} (${character})${at === undefined ? "" : `, crash at effect ${at}: ${effect}`}`;
}
