/** The gates of a run from all sources: they add up by name, and the plan's win over the files'. */
import { DEFAULT_GATE_RETRIES, DEFAULT_GATE_TIMEOUT_MS, DEFAULT_HTTP_TIMEOUT_MS, DEFAULT_MIN_CONFIDENCE, DEFAULT_VOTES } from "../core/defaults.js";
import { type FieldExpectation, type GateCommon, type GateSpec, gateText } from "../core/gate.js";
import type { Origin, Source } from "./precedence.js";
import { type ConfigProblem, problemAt } from "./raw-layer.js";
import type { GateEntry } from "./schema.js";

export interface GatesReading {
  gates: GateSpec[];
  /** From the user's own file alone. */
  hidden: GateSpec[];
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
  const reading: GatesReading = { gates: [], hidden: [], origins: new Map(), problems: [] };
  for (const name of ["plan", "project", "user"] as const) {
    const source = options.sources.find((candidate) => candidate.name === name);
    if (source !== undefined) addGates(reading, source, options.baseline);
    if (name === "plan") addImplied(reading, options);
  }
  const flags = options.sources.find((candidate) => candidate.name === "flags");
  for (const entry of flags?.layer.values.gates ?? []) if (entry.run !== undefined) addFromFlag(reading, entry.run, options.baseline);
  const user = options.sources.find((candidate) => candidate.name === "user");
  if (user !== undefined) addHidden(reading, user);
  return reading;
}

function addGates(reading: GatesReading, source: Source, baseline: GateSpec["baseline"]): void {
  const here = new Map<string, number>();
  (source.layer.values.gates ?? []).forEach((entry, index) => {
    const spec = specOf(entry, baseline);
    const spot = source.layer.spot(["gates", index]);
    const twin = here.get(spec.name);
    if (twin !== undefined) {
      const line = source.layer.spot(["gates", twin])?.line;
      reading.problems.push(problemAt(spot, `gates[${index}]: there is a gate ${spec.name} in line ${line} already; names are unique`));
      return;
    }
    here.set(spec.name, index);
    if (reading.origins.has(spec.name)) return;
    reading.gates.push(spec);
    reading.origins.set(spec.name, { source: source.name, text: source.layer.origin(["gates", index]) ?? source.name });
  });
}

/** Always required, always at the end: a hidden gate that refuses nothing would only be a secret. */
function addHidden(reading: GatesReading, source: Source): void {
  (source.layer.values.hiddenGates ?? []).forEach((entry, index) => {
    const spec: GateSpec = { ...specOf(entry, "require"), required: true, scope: "plan", when: "claim" };
    const taken = reading.origins.has(spec.name) || reading.hidden.some((other) => other.name === spec.name);
    if (taken)
      reading.problems.push(
        problemAt(source.layer.spot(["hiddenGates", index]), `hidden_gates[${index}]: there is a gate ${spec.name} already; give it a name of its own`),
      );
    else reading.hidden.push(spec);
  });
}

function addImplied(reading: GatesReading, options: Options): void {
  for (const { name, run } of options.implied) {
    if (reading.gates.some((gate) => gate.name === name || runs(gate, run))) continue;
    reading.gates.push(specOf({ run, name }, options.baseline));
    reading.origins.set(name, { source: "plan", text: options.planPath ?? "plan" });
  }
}

/** A command that a required gate of the plan runs already is not run twice. */
function addFromFlag(reading: GatesReading, run: string, baseline: GateSpec["baseline"]): void {
  if (reading.gates.some((gate) => runs(gate, run) && gate.required && gate.scope === "plan")) return;
  const base = slugOf(run);
  let name = base;
  for (let number = 2; reading.origins.has(name); number += 1) name = `${base}-${number}`;
  reading.gates.push(specOf({ run, name }, baseline));
  reading.origins.set(name, { source: "flags", text: "--gate" });
}

function runs(gate: GateSpec, command: string): boolean {
  return gate.kind === "run" && gate.run === command;
}

function specOf(entry: GateEntry, baseline: GateSpec["baseline"]): GateSpec {
  const repeatable = entry.run !== undefined || entry.http !== undefined;
  const common: GateCommon = {
    name: entry.name ?? "",
    scope: entry.for ?? "plan",
    required: entry.required ?? true,
    when: entry.when ?? "claim",
    timeoutMs: entry.timeout ?? (entry.http === undefined ? DEFAULT_GATE_TIMEOUT_MS : DEFAULT_HTTP_TIMEOUT_MS),
    retries: entry.retries ?? (repeatable ? DEFAULT_GATE_RETRIES : 0),
    baseline: entry.baseline ?? baseline,
  };
  const spec = withKind(common, entry);
  return entry.name === undefined ? { ...spec, name: slugOf(gateText(spec)) } : spec;
}

/** The schema has seen to it that exactly one kind is there, with what it needs. */
function withKind(common: GateCommon, entry: GateEntry): GateSpec {
  if (entry.run !== undefined) return { ...common, kind: "run", run: entry.run };
  if (entry.file !== undefined && entry.matches !== undefined) return { ...common, kind: "file", file: entry.file, matches: entry.matches };
  const field = entry.json ?? entry.yaml;
  if (field !== undefined && entry.path !== undefined) {
    return { ...common, kind: entry.json === undefined ? "yaml" : "json", file: field, path: entry.path, expect: expectationOf(entry) };
  }
  if (entry.http !== undefined) {
    return { ...common, kind: "http", url: entry.http, host: entry.host ?? null, status: entry.status ?? 200, body: entry.body ?? null };
  }
  if (entry.diff !== undefined) {
    const { only, maxLines, noDeletedAssertions, noSkips } = entry.diff;
    return { ...common, kind: "diff", only: only ?? null, maxLines: maxLines ?? null, noDeletedAssertions: noDeletedAssertions ?? [], noSkips: noSkips ?? [] };
  }
  if (entry.rubric !== undefined) {
    const { questions, artefacts, reviewer, votes, minConfidence } = entry.rubric;
    return {
      ...common,
      kind: "rubric",
      questions,
      artefacts: artefacts ?? [],
      reviewer: { agent: reviewer.agent, model: reviewer.model ?? null, argv: reviewer.argv ?? [] },
      votes: votes ?? DEFAULT_VOTES,
      minConfidence: minConfidence ?? DEFAULT_MIN_CONFIDENCE,
    };
  }
  throw new Error("a gate without a kind passed the schema");
}

function expectationOf({ equals, min, max }: GateEntry): FieldExpectation {
  return equals !== undefined ? { kind: "equals", value: equals } : { kind: "range", min: min ?? null, max: max ?? null };
}

/** Enough of the command to recognise it in a table. */
const SLUG_LENGTH = 40;

/** `npm test -- health` becomes `npm-test-health`. */
function slugOf(command: string): string {
  const slug = command
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return slug.slice(0, SLUG_LENGTH).replace(/-+$/, "") || "gate";
}
