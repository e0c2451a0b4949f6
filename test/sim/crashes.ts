/** Where a driver may die, and where that must not change how the night ends. */
import type { Scenario } from "./scenario.js";

export function withCrash(plan: Scenario, at: number): Scenario {
  return { ...plan, faults: [...plan.faults, { at, kind: "crash" as const }].sort((a, b) => a.at - b.at) };
}

/** A crash while an agent works costs that agent's work; everywhere else it must cost nothing. */
export function crashPointsOutsideAgents(effects: readonly string[]): number[] {
  let inside = false;
  return effects.flatMap((label, index) => {
    if (label.includes("iteration.started")) inside = true;
    else if (label.includes("agent.ended")) inside = false;
    return inside ? [] : [index + 1];
  });
}
