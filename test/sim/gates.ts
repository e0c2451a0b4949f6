/** Gates over trees in memory. The one definition of passing that driver and invariants share. */
import type { GateResult, GateSpec } from "../../src/core/gate.js";
import { hashText } from "../../src/core/hash.js";
import type { Clock, Gates } from "../../src/driver/ports.js";
import type { Disk } from "./disk.js";

/** `flaky`: now and then one fails on good work, never twice on the same. `hanging`: now and then one runs into its time limit. */
export const TEMPERS = ["none", "honest", "flaky", "hanging"] as const;
export type Temper = (typeof TEMPERS)[number];

export function gateSpec(name: string, scope: GateSpec["scope"]): GateSpec {
  return { kind: "run", name, run: name, required: true, scope, when: "claim", timeoutMs: 60_000, retries: 0, baseline: "require" };
}

/** Whether a gate's check holds on a tree, whatever its temper makes of it. */
export function passes(name: string, tree: ReadonlyMap<string, string>, tasks: number): boolean {
  const names = name === "all" ? Array.from({ length: tasks }, (_, i) => `task-${i + 1}`) : [name];
  return names.every((task) => tree.get(`src/${task}.js`) === "good\n") && tree.get("test/all.test.js") === "assert(all)\n";
}

export function memoryGates(plan: { seed: number; tasks: number; gates: Temper }, disk: Disk, clock: Clock): Gates {
  return {
    run: async (spec, { signal }) => {
      const good = passes(spec.name, disk.work, plan.tasks);
      const moody = good && moodOf(plan, spec.name, disk);
      const hangs = moody && plan.gates === "hanging";
      if (hangs) await clock.sleep(60_000, signal);
      disk.leftover?.(disk.work);
      disk.leftover = null;
      disk.did("gate");
      return gateResult(spec, { good: good && !moody, reason: hangs ? "timed out after 60 s" : null });
    },
    setup: async () => ({ ok: true, detail: "" }),
  };
}

/** Depends on the iteration and not on the call, so that a restart sees what the first driver saw. */
function moodOf({ seed, gates }: { seed: number; gates: Temper }, name: string, disk: Disk): boolean {
  if (gates !== "flaky" && gates !== "hanging") return false;
  const mood = (iteration: number): boolean => Number.parseInt(hashText(`${seed} ${name} ${iteration}`).slice(-3), 36) % 5 === 0;
  return mood(disk.iteration) && !mood(disk.iteration - 1);
}

function gateResult(spec: GateSpec, { good, reason }: { good: boolean; reason: string | null }): GateResult {
  return {
    name: spec.name,
    verdict: good ? "pass" : "fail",
    reason: reason ?? (good ? "exit 0" : "exit 1"),
    required: true,
    failing: good ? [] : [spec.name],
    fingerprint: good ? "pass" : spec.name,
    testsRun: null,
    exitCode: good ? 0 : 1,
    durationMs: 1,
    flaky: false,
    outputPath: null,
    detail: null,
  };
}
