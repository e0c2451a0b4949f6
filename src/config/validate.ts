/** Judges a raw layer against its schema; every problem names its place, its key and what to write instead. */
import * as v from "valibot";
import { wanted } from "../core/misfit.js";
import { ALIASES, camelKey, spelledLike } from "./keys.js";
import { nearest } from "./nearest.js";
import { type ConfigProblem, type KeyPath, originOf, problemAt, type RawLayer, type Spot, spotAt } from "./raw-layer.js";
import { type ConfigLayer, configSchema, type frontMatterSchema, type runSchema, type userSchema } from "./schema.js";

export interface Layer {
  values: ConfigLayer;
  /** Where the value of a key was written; null when this source does not say it. */
  origin(path: KeyPath): string | null;
  spot(path: KeyPath): Spot | null;
}

export type LayerReading = { kind: "layer"; layer: Layer } | { kind: "invalid"; problems: ConfigProblem[] };

export function validateLayer(raw: RawLayer, schema: typeof configSchema | typeof frontMatterSchema | typeof runSchema | typeof userSchema): LayerReading {
  const result = v.safeParse(schema, raw.value, IN_OUR_WORDS);
  const problems = [...raw.problems, ...(result.issues ?? []).flatMap((issue) => explain(issue, raw, schema)), ...(result.success ? lostNames(raw) : [])];
  if (!result.success || problems.length > 0) return { kind: "invalid", problems: inFileOrder(problems) };
  return { kind: "layer", layer: layerOf(result.output, raw) };
}

/** Valibot leaves out entries of these names where any name may stand; where not, they are unknown keys. */
const LOST_NAMES = ["__proto__", "constructor", "prototype"];

function lostNames(raw: RawLayer): ConfigProblem[] {
  const lost = [...raw.spots.values()].filter(({ label }) => LOST_NAMES.includes(label));
  return lost.map((spot) => problemAt(spot, `${spot.label}: can't be a name here`));
}

function layerOf(values: ConfigLayer, raw: RawLayer): Layer {
  const spot = (path: KeyPath) => spotAt(raw, path);
  return {
    values,
    spot,
    origin: (path) => {
      const found = spot(path);
      return found === null ? null : originOf(found);
    },
  };
}

function explain(issue: v.BaseIssue<unknown>, raw: RawLayer, schema: v.GenericSchema): ConfigProblem[] {
  const path = keysTo(issue);
  const last = issue.path?.at(-1);
  if (last?.origin === "key" && issue.expected === "never") return unknownKeys(last.input, path.slice(0, -1), raw, schema);
  const spot = spotAt(raw, path);
  const label = spot?.file === null ? spot.label : dotted(path);
  // A key that is missing is told what its own schema says of nothing.
  const message = last?.origin === "key" ? v.safeParse(settingAt(schema, path), undefined, IN_OUR_WORDS).issues?.[0]?.message : issue.message;
  return [problemAt(spot, `${label}: ${message ?? issue.message}`)];
}

function keysTo(issue: v.BaseIssue<unknown>): KeyPath {
  return (issue.path ?? []).map(({ key }) => key).filter((key) => typeof key === "string" || typeof key === "number");
}

/** All of one mapping; valibot names the first. */
function unknownKeys(mapping: unknown, parent: KeyPath, raw: RawLayer, schema: v.GenericSchema): ConfigProblem[] {
  const known = keysAt(schema, parent);
  const unknown = Object.keys(mapping as object).filter((key) => !known.includes(key));
  return unknown.map((key) => {
    const spot = spotAt(raw, [...parent, key]);
    return problemAt(spot, unknownKey(spot?.label ?? key, parent, schema));
  });
}

/** Valibot's own wording speaks of types; ours speaks of what to write. Messages of the schemas are ours already. */
const IN_OUR_WORDS = {
  message: (issue: v.BaseIssue<unknown>): string => `must be ${issue.expected === "Object" ? "a mapping with indented keys" : wanted(issue)}`,
};

function unknownKey(written: string, parent: KeyPath, schema: v.GenericSchema): string {
  const where = parent.length === 0 ? "" : ` in ${dotted(parent)}`;
  const known = keysAt(schema, parent);
  const key = camelKey(written);
  if (parent.length === 0 && key === "hiddenGates") {
    return `${written} belong into config.yaml of your own config directory (~/.config/ralphd): in a file of the repository the agent could read them`;
  }
  if (parent.length === 0 && key === "agents") {
    return `${written} belong into config.yaml of your own config directory (~/.config/ralphd): a repository says which agent it wants, not which program that is`;
  }
  if (parent.length === 0 && keysAt(configSchema, []).includes(key)) return `${written} is a setting of .ralph/config.yaml, not of a plan`;
  const home = parent.length === 0 ? homeOf(key, schema) : null;
  if (home !== null) return `unknown key ${written}; did you mean ${home}?`;
  const candidates = parent.length === 0 ? [...known, ...Object.keys(ALIASES)] : known;
  const close = nearest(key, candidates);
  if (close !== null) return `unknown key ${written}${where}; did you mean ${spelledLike(close, written)}?`;
  return `unknown key ${written}${where}; known are ${known.join(", ")}`;
}

/** `idle` at the top most likely means `limits.idle`. */
function homeOf(key: string, schema: v.GenericSchema): string | null {
  for (const group of ["limits", "brakes", "agent", "context", "retention"]) {
    if (keysAt(schema, [group]).includes(key)) return `${group}.${key}`;
  }
  return null;
}

function keysAt(schema: v.GenericSchema, path: KeyPath): string[] {
  return Object.keys(insides(settingAt(schema, path)).entries ?? {});
}

/** Everything under a key that no schema knows is of any form. */
function settingAt(schema: v.GenericSchema, path: KeyPath): v.GenericSchema {
  let at = unwrapped(schema);
  for (const step of path) {
    const { item, value, entries } = insides(at);
    at = unwrapped(item ?? value ?? entries?.[step] ?? v.unknown());
  }
  return at;
}

function unwrapped(schema: v.GenericSchema): v.GenericSchema {
  const { wrapped } = insides(schema);
  return wrapped === undefined ? schema : unwrapped(wrapped);
}

/** Of an optional setting, a list, a record, a mapping. */
interface Insides {
  wrapped?: v.GenericSchema;
  item?: v.GenericSchema;
  value?: v.GenericSchema;
  entries?: Readonly<Record<string, v.GenericSchema>>;
}

function insides(schema: v.GenericSchema): Insides {
  // Valibot's schemas are plain objects, and only these four kinds have fields of these names.
  return schema as Insides;
}

/** `gates[0].timeout` */
function dotted(path: KeyPath): string {
  return path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");
}

function inFileOrder(problems: ConfigProblem[]): ConfigProblem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
