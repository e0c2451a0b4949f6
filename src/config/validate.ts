/** Judges a raw layer against its schema; every problem names its place, its key and what to write instead. */
import { z } from "zod";
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
  const result = schema.safeParse(raw.value);
  const problems = [...raw.problems, ...(result.error?.issues ?? []).flatMap((issue) => explain(issue, raw, schema))];
  if (!result.success || problems.length > 0) return { kind: "invalid", problems: inFileOrder(problems) };
  return { kind: "layer", layer: layerOf(result.data, raw) };
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

function explain(issue: z.core.$ZodIssue, raw: RawLayer, schema: z.ZodType): ConfigProblem[] {
  const path = issue.path.filter((step) => typeof step !== "symbol");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const spot = spotAt(raw, [...path, key]);
      return problemAt(spot, unknownKey(spot?.label ?? key, path, schema));
    });
  }
  const spot = spotAt(raw, path);
  const label = spot?.file === null ? spot.label : dotted(path);
  return [problemAt(spot, `${label}: ${plainly(issue)}`)];
}

/** Zod's own wording speaks of types; ours speaks of what to write. Custom messages are ours already. */
function plainly(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_type" || !issue.message.startsWith("Invalid input")) return issue.message;
  const wanted = issue.expected === "object" || issue.expected === "record" ? "a mapping with indented keys" : `a ${issue.expected}`;
  return `must be ${wanted}`;
}

function unknownKey(written: string, parent: KeyPath, schema: z.ZodType): string {
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
function homeOf(key: string, schema: z.ZodType): string | null {
  for (const group of ["limits", "brakes", "agent", "context", "retention"]) {
    if (keysAt(schema, [group]).includes(key)) return `${group}.${key}`;
  }
  return null;
}

function keysAt(schema: z.ZodType, path: KeyPath): string[] {
  let at: unknown = schema;
  for (const step of path) {
    at = unwrapped(at);
    if (at instanceof z.ZodArray) at = at.element;
    else if (at instanceof z.ZodObject) at = (at.shape as Record<string, unknown>)[String(step)];
    else if (at instanceof z.ZodRecord) at = at.valueType;
  }
  at = unwrapped(at);
  return at instanceof z.ZodObject ? Object.keys(at.shape as object) : [];
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema;
}

/** `gates[0].timeout` */
function dotted(path: KeyPath): string {
  return path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");
}

function inFileOrder(problems: ConfigProblem[]): ConfigProblem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
