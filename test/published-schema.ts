/** The program's schemas as JSON Schema, as they are published: of what may be written, not of what it is read into. */
import { type ConversionConfig, type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";

export function publishedSchema(schema: v.GenericSchema, target: NonNullable<ConversionConfig["target"]>): JsonSchema {
  const { $schema, ...rest } = toJsonSchema(schema, {
    target,
    typeMode: "input",
    // JSON has no numbers that are not finite, and no word for what `rawCheck` compares.
    ignoreActions: ["finite", "raw_check"],
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      withFallback(valibotSchema, "entries" in valibotSchema ? ofObject(valibotSchema.entries, jsonSchema) : short(jsonSchema)),
  });
  return { ...($schema === undefined ? {} : { $schema }), ...rest };
}

/** What falls back to a value need not be there. A sentence that stands behind a transformation is not reached by the library. */
function ofObject(entries: unknown, { required = [], properties = {}, ...rest }: JsonSchema): JsonSchema {
  // Valibot has the entries of an object under this name alone.
  const inside = entries as Readonly<Record<string, v.GenericSchema>>;
  const needed = required.filter((name) => inside[name] === undefined || !("fallback" in inside[name]));
  for (const [name, entry] of Object.entries(inside)) {
    const property = properties[name];
    const description = v.getDescription(entry);
    if (typeof property === "object" && description !== undefined) property.description = description;
  }
  return { ...rest, properties, ...(needed.length > 0 ? { required: needed } : {}) };
}

/** `anyOf` of bare types is a list of types. */
function short({ anyOf, ...rest }: JsonSchema): JsonSchema {
  if (anyOf === undefined) return rest;
  const types = anyOf.flatMap((form) => (typeof form === "object" && typeof form.type === "string" && Object.keys(form).length === 1 ? [form.type] : []));
  return types.length === anyOf.length ? { type: types, ...rest } : { anyOf, ...rest };
}

function withFallback(schema: v.GenericSchema, json: JsonSchema): JsonSchema {
  // Fallbacks of schemas that are published are values of JSON.
  const fallback = "fallback" in schema ? (schema.fallback as JsonSchema["default"]) : undefined;
  return fallback === undefined ? json : { ...json, default: fallback };
}
