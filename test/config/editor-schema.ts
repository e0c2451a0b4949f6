/** The JSON schemas with which editors complete and check what people write: the program's own, plus the spellings that it reads. */
import type * as v from "valibot";
import { ALIASES, SHORTHANDS } from "../../src/config/keys.js";
import { configSchema, frontMatterSchema, userSchema } from "../../src/config/schema.js";
import { publishedSchema } from "../published-schema.js";

export interface Json {
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Json[];
  properties?: Record<string, Json>;
  patternProperties?: Record<string, Json>;
  additionalProperties?: boolean | Json;
  items?: Json;
  required?: string[];
  examples?: unknown[];
}

export const EDITOR_SCHEMAS = [
  { file: "config.schema.json", title: "ralphd: .ralph/config.yaml", schema: configSchema },
  { file: "user-config.schema.json", title: "ralphd: the user's own config.yaml", schema: userSchema },
  { file: "plan.schema.json", title: "ralphd: front matter of a plan", schema: frontMatterSchema },
] as const;

export function editorSchema(title: string, schema: v.GenericSchema): Json {
  const root = withSpellings(plainSchema(schema), []);
  for (const [alias, path] of Object.entries(ALIASES)) addAlias(root, alias, path);
  return { title, ...root };
}

/** Canonical keys alone. Language servers for YAML know the drafts up to 7. */
export function plainSchema(schema: v.GenericSchema): Json {
  return publishedSchema(schema, "draft-07") as Json;
}

/** A key with nothing below it counts as not said, a bare value stands for one key, and `max_cost` is read like `maxCost`. */
function withSpellings(node: Json, path: readonly string[]): Json {
  if (node.properties !== undefined) {
    for (const [key, value] of Object.entries(node.properties)) node.properties[key] = withSpellings(value, [...path, key]);
    if (node.additionalProperties === false) node.patternProperties = { "[-_]": {} };
  }
  if (node.items !== undefined) node.items = withSpellings(node.items, [...path, "*"]);
  if (path.length === 0 || (node.type !== "object" && node.type !== "array")) return node;
  const { description, ...rest } = node;
  const short = SHORTHANDS[path.join(".")];
  const bare = short === undefined ? [] : [node.properties?.[short] ?? {}];
  return { ...(description === undefined ? {} : { description }), anyOf: [...bare, rest, { type: "null" }] };
}

/** At the root, and within the mapping that it belongs to. */
function addAlias(root: Json, alias: string, [group = "", key = ""]: readonly string[]): void {
  const holder = root.properties?.[group]?.anyOf?.find((form) => form.properties !== undefined)?.properties;
  const target = holder?.[key];
  if (root.properties === undefined || holder === undefined || target === undefined) throw new Error(`the alias ${alias} leads to no key`);
  const short = { ...target, description: `Short for \`${group}.${key}\`. ${target.description ?? ""}` };
  root.properties[alias] = short;
  holder[alias] = short;
}
