/** A night as plain data: what the seed draws, and what the search for a smaller one cuts down. */
import { DEFAULT_SETTINGS } from "../../src/core/defaults.js";
import type { Settings } from "../../src/core/settings.js";
import { type Act, drawActs } from "./acts.js";
import { type Character, CHARACTERS } from "./characters.js";
import { drawFaults, type Fault } from "./faults.js";
import { gateSpec, type Temper } from "./gates.js";
import { random } from "./random.js";

export interface Scenario {
  seed: number;
  character: Character;
  tasks: number;
  gates: Temper;
  limits: { iterations: number; tokens: number | null; costMicroUsd: number | null; timeMs: number };
  onStuck: "stop" | "park";
  stepBack: boolean;
  /** A file of the user's that was dirty at the start: `--allow-dirty`. */
  dirty: boolean;
  /** Other agents that stand in for the first, 0 to 2. */
  fallbacks: number;
  acts: Act[];
  faults: Fault[];
}

export function scenario(seed: number): Scenario {
  const rng = random(seed);
  const character = rng.pick(CHARACTERS);
  const tasks = 1 + rng.below(5);
  const gates = rng.pick(["none", "honest", "honest", "honest", "flaky", "hanging"] as const);
  return {
    seed,
    character,
    tasks,
    gates,
    limits: {
      iterations: 2 + rng.below(14),
      tokens: rng.chance(0.3) ? 10_000 + rng.below(40_000) : null,
      costMicroUsd: rng.chance(0.3) ? 20_000 + rng.below(100_000) : null,
      timeMs: rng.chance(0.2) ? 30 * 60_000 : DEFAULT_SETTINGS.limits.timeMs,
    },
    onStuck: rng.chance(0.2) ? "park" : "stop",
    stepBack: rng.chance(0.2),
    dirty: rng.chance(0.3),
    fallbacks: rng.chance(0.3) ? (rng.chance(0.3) ? 2 : 1) : 0,
    acts: drawActs(rng, tasks),
    faults: drawFaults(rng),
  };
}

/** The same night without what goes wrong around it. */
export function undisturbed(plan: Scenario): Scenario {
  return { ...plan, acts: [], faults: [] };
}

export function settingsOf(plan: Scenario): Settings {
  const names = Array.from({ length: plan.tasks }, (_, i) => `task-${i + 1}`);
  return {
    ...DEFAULT_SETTINGS,
    plan: "PLAN.md",
    fallback: ["second", "third"].slice(0, plan.fallbacks).map((name) => ({ ...DEFAULT_SETTINGS.agent, name, kind: "command" })),
    gates: plan.gates === "none" ? [] : [gateSpec("all", "plan"), ...names.map((name) => gateSpec(name, "tasks"))],
    limits: { ...DEFAULT_SETTINGS.limits, ...plan.limits },
    brakes: { ...DEFAULT_SETTINGS.brakes, onStuck: plan.onStuck, stepBack: plan.stepBack },
  };
}

/** Who a night's agent is. The third is as limited as the first may be, so that all of them can be out at once. */
export function characterOf(plan: Scenario, name: string): Character {
  if (name === "third") return "limited";
  if (name !== "second") return plan.fallbacks > 0 && plan.seed % 7 === 0 ? "lockedOut" : plan.character;
  return (["limited", "diligent", "lockedOut"] as const)[plan.seed % 3] ?? "limited";
}
