/** Runs a night and says what is wrong with it; cuts a night that fails down to a small one that still does. */
import { stepProblems, violations } from "./invariants.js";
import { Broken, type Night, runNight } from "./night.js";
import type { Scenario } from "./scenario.js";

export interface Checked {
  plan: Scenario;
  problems: string[];
  /** Null when the night broke off. */
  night: Night | null;
  /** The journal as far as it came. */
  journal: string[];
  effects: string[];
}

/** Looking at the whole world costs more than an event; after each commit and at each end is often enough. */
const LOOKED_AFTER = /^\{"type":"(?:commit\.created|iteration\.ended|run\.stopped)"/;

export async function check(plan: Scenario): Promise<Checked> {
  let journal: string[] = [];
  let effects: string[] = [];
  try {
    const night = await runNight(plan, {
      watch: (disk) => {
        journal = disk.journal;
        effects = disk.effects;
        if (!LOOKED_AFTER.test(disk.journal.at(-1) ?? "")) return;
        const [problem] = stepProblems(plan, disk);
        if (problem !== undefined) throw new Broken(problem);
      },
    });
    return { plan, problems: violations(plan, night), night, journal: night.disk.journal, effects: night.disk.effects };
  } catch (error) {
    return {
      plan,
      problems: [error instanceof Broken ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)],
      night: null,
      journal,
      effects,
    };
  }
}

/** Drops faults, acts, tasks, limits one at a time as long as something is still wrong. */
export async function shrink(found: Checked): Promise<Checked> {
  let smallest = found;
  for (let again = true; again; ) {
    again = false;
    for (const plan of smaller(smallest.plan)) {
      const checked = await check(plan);
      if (checked.problems.length === 0) continue;
      smallest = checked;
      again = true;
      break;
    }
  }
  return smallest;
}

function* smaller(plan: Scenario): Generator<Scenario> {
  for (const fault of plan.faults) yield { ...plan, faults: plan.faults.filter((other) => other !== fault) };
  for (const act of plan.acts) yield { ...plan, acts: plan.acts.filter((other) => other !== act) };
  if (plan.tasks > 1) yield { ...plan, tasks: plan.tasks - 1 };
  if (plan.fallbacks > 0) yield { ...plan, fallbacks: plan.fallbacks - 1 };
  if (plan.dirty) yield { ...plan, dirty: false };
  if (plan.stepBack) yield { ...plan, stepBack: false };
  if (plan.onStuck === "park") yield { ...plan, onStuck: "stop" };
  for (const key of ["tokens", "costMicroUsd"] as const) if (plan.limits[key] !== null) yield { ...plan, limits: { ...plan.limits, [key]: null } };
  if (plan.limits.iterations > 2) yield { ...plan, limits: { ...plan.limits, iterations: plan.limits.iterations - 1 } };
  if (plan.character !== "diligent") yield { ...plan, character: "diligent" };
  if (plan.gates === "flaky" || plan.gates === "hanging") yield { ...plan, gates: "honest" };
  if (plan.gates === "honest") yield { ...plan, gates: "none" };
  for (const fault of plan.faults)
    if (fault.at > 1) yield { ...plan, faults: plan.faults.map((other) => (other === fault ? { ...fault, at: fault.at - 1 } : other)) };
}

/** For people: the night, what it did, what is wrong. */
export function trace({ plan, problems, journal, effects }: Checked): string {
  return [
    `night: ${JSON.stringify(plan)}`,
    `last effects: ${effects.slice(-12).join(", ")}`,
    ...journal.map((line) => `  ${line.slice(0, 220)}`),
    ...problems.map((problem) => `BROKEN: ${problem}`),
  ].join("\n");
}

/** What a restart must not change. */
export function outcome({ night }: Checked): unknown {
  if (night === null) return null;
  const { state, disk } = night;
  const { stopped, usage, spent, iteration, restored, warnings } = state;
  const touched = restored.map((item) => `${item.iteration} ${item.rule} ${item.path}`);
  const edits = warnings.filter((text) => text.startsWith("Edits while no agent ran")).length;
  return { touched, edits, status: stopped?.status, reason: stopped?.reason, usage, spent, iteration, tree: disk.intern(disk.treeOf(disk.head())) };
}
