/** The gates of a run from all sources: they add up by name, and the plan's win over the files'. */
import { DEFAULT_GATE_RETRIES, DEFAULT_GATE_TIMEOUT_MS } from "../core/defaults.js";
import type { GateSpec } from "../core/gate.js";
import type { Origin, Source } from "./precedence.js";
import { type ConfigProblem, problemAt } from "./raw-layer.js";
import type { GateEntry } from "./schema.js";

export interface GatesReading {
  gates: GateSpec[];
  /** By name. */
  origins: Map<string, Origin>;
  problems: ConfigProblem[];
}

interface Options {
  sources: readonly Source[];
  /** From the plan's own format; they rank with its front matter. */
  implied: readonly { name: string; run: string }[];
  planPath: string | null;
  baseline: GateSpec["baseline"];
}

export function collectGates(options: Options): GatesReading {
  const reading: GatesReading = { gates: [], origins: new Map(), problems: [] };
  for (const name of ["plan", "project", "user"] as const) {
    const source = options.sources.find((candidate) => candidate.name === name);
    if (source !== undefined) addGates(reading, source, options.baseline);
    if (name === "plan") addImplied(reading, options);
  }
  const flags = options.sources.find((candidate) => candidate.name === "flags");
  for (const entry of flags?.layer.values.gates ?? []) addFromFlag(reading, entry.run, options.baseline);
  return reading;
}

function addGates(reading: GatesReading, source: Source, baseline: GateSpec["baseline"]): void {
  const here = new Map<string, number>();
  (source.layer.values.gates ?? []).forEach((entry, index) => {
    const name = entry.name ?? slugOf(entry.run);
    const spot = source.layer.spot(["gates", index]);
    const twin = here.get(name);
    if (twin !== undefined) {
      const line = source.layer.spot(["gates", twin])?.line;
      reading.problems.push(problemAt(spot, `gates[${index}]: there is a gate ${name} in line ${line} already; names are unique`));
      return;
    }
    here.set(name, index);
    if (reading.origins.has(name)) return;
    reading.gates.push(specOf(entry, name, baseline));
    reading.origins.set(name, { source: source.name, text: source.layer.origin(["gates", index]) ?? source.name });
  });
}

function addImplied(reading: GatesReading, options: Options): void {
  for (const { name, run } of options.implied) {
    if (reading.gates.some((gate) => gate.name === name || gate.run === run)) continue;
    reading.gates.push(specOf({ run }, name, options.baseline));
    reading.origins.set(name, { source: "plan", text: options.planPath ?? "plan" });
  }
}

/** A command that a required gate of the plan runs already is not run twice. */
function addFromFlag(reading: GatesReading, run: string, baseline: GateSpec["baseline"]): void {
  if (reading.gates.some((gate) => gate.run === run && gate.required && gate.scope === "plan")) return;
  const base = slugOf(run);
  let name = base;
  for (let number = 2; reading.origins.has(name); number += 1) name = `${base}-${number}`;
  reading.gates.push(specOf({ run }, name, baseline));
  reading.origins.set(name, { source: "flags", text: "--gate" });
}

function specOf(entry: GateEntry, name: string, baseline: GateSpec["baseline"]): GateSpec {
  return {
    kind: "run",
    name,
    run: entry.run,
    scope: entry.for ?? "plan",
    required: entry.required ?? true,
    when: entry.when ?? "claim",
    timeoutMs: entry.timeout ?? DEFAULT_GATE_TIMEOUT_MS,
    retries: entry.retries ?? DEFAULT_GATE_RETRIES,
    baseline: entry.baseline ?? baseline,
  };
}

/** Enough of the command to recognise it in a table. */
const SLUG_LENGTH = 40;

/** `npm test -- health` becomes `npm-test-health`. */
export function slugOf(command: string): string {
  const slug = command.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return slug.slice(0, SLUG_LENGTH).replace(/-+$/, "") || "gate";
}
