/**
 * The shapes of ralphd's own records: checked when a file is read, published as JSON schemas, and typed by the compiler.
 * Small on purpose, since every command that starts reads a record. What people and models write is checked with zod.
 */

/** As published; the checks below say the same. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Where a value differs and what belongs there: `usage.inputTokens: expected a number`. */
export interface Misfit {
  path: string;
  expected: string;
}

export interface Shape<T> {
  schema(): JsonSchema;
  /** Null when the value is a T. Fields that the shape doesn't name are of later versions, and no misfit. */
  misfit(value: unknown): Misfit | null;
  /** Only for the compiler. */
  readonly of?: T;
}

/** A field that may be absent. */
export interface Optional<T> {
  readonly optional: Shape<T>;
}

export interface ObjectShape<F extends Fields> extends Shape<Flat<ObjectOf<F>>> {
  readonly fields: F;
}

type Fields = Readonly<Record<string, Shape<unknown> | Optional<unknown>>>;
type Value<F> = F extends Shape<infer T> ? T : F extends Optional<infer T> ? T | undefined : never;
type OptionalKeys<F> = { [K in keyof F]: F[K] extends Optional<unknown> ? K : never }[keyof F];
type ObjectOf<F> = { [K in Exclude<keyof F, OptionalKeys<F>>]: Value<F[K]> } & { [K in OptionalKeys<F>]?: Value<F[K]> };
type Flat<T> = { [K in keyof T]: T[K] };
export type Of<S> = S extends Shape<infer T> ? T : never;

function simple<T>(schema: JsonSchema, expected: string, fits: (value: unknown) => boolean): Shape<T> {
  return { schema: () => schema, misfit: (value) => (fits(value) ? null : { path: "", expected }) };
}

export const text: Shape<string> = simple({ type: "string" }, "a text", (value) => typeof value === "string");
export const flag: Shape<boolean> = simple({ type: "boolean" }, "true or false", (value) => typeof value === "boolean");
export const count: Shape<number> = simple({ type: "number" }, "a number", (value) => typeof value === "number" && Number.isFinite(value));

export const someText: Shape<string> = simple(
  { type: "string", minLength: 1 },
  "a text that is not empty",
  (value) => typeof value === "string" && value !== "",
);

export function whole(minimum: number): Shape<number> {
  const fits = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= minimum;
  return simple({ type: "integer", minimum, maximum: Number.MAX_SAFE_INTEGER }, `a whole number from ${minimum}`, fits);
}

/** `format`: the name that JSON Schema has for it. */
export function matching(pattern: RegExp, format: string, expected: string): Shape<string> {
  return simple({ type: "string", format, pattern: pattern.source }, expected, (value) => typeof value === "string" && pattern.test(value));
}

export function oneOf<const L extends readonly string[]>(words: L): Shape<L[number]> {
  return simple({ type: "string", enum: words }, words.map((word) => JSON.stringify(word)).join(" or "), (value) => words.some((word) => word === value));
}

export function literal<const W extends string | number>(word: W): Shape<W> {
  return simple({ type: typeof word, const: word }, JSON.stringify(word), (value) => value === word);
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return { schema: () => orNull(shape.schema()), misfit: (value) => (value === null ? null : shape.misfit(value)) };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, ...more } = schema;
  return typeof type === "string" && Object.keys(more).length === 0 ? { type: [type, "null"] } : { anyOf: [schema, { type: "null" }] };
}

export function optional<T>(shape: Shape<T>): Optional<T> {
  return { optional: shape };
}

export function list<T>(item: Shape<T>): Shape<T[]> {
  return {
    schema: () => ({ type: "array", items: item.schema() }),
    misfit(value) {
      if (!Array.isArray(value)) return { path: "", expected: "a list" };
      for (const [index, element] of value.entries()) {
        const found = item.misfit(element);
        if (found !== null) return below(index, found);
      }
      return null;
    },
  };
}

export function pair<T>(item: Shape<T>): Shape<[T, T]> {
  const items = list(item);
  return {
    schema: () => ({ type: "array", prefixItems: [item.schema(), item.schema()], minItems: 2, maxItems: 2 }),
    misfit: (value) => (Array.isArray(value) && value.length !== 2 ? { path: "", expected: "two elements" } : items.misfit(value)),
  };
}

/** An object with any names. */
export function record<T>(item: Shape<T>): Shape<Record<string, T>> {
  return {
    schema: () => ({ type: "object", additionalProperties: item.schema() }),
    misfit(value) {
      if (!isObject(value)) return { path: "", expected: "an object" };
      for (const [name, element] of Object.entries(value)) {
        const found = item.misfit(element);
        if (found !== null) return below(name, found);
      }
      return null;
    },
  };
}

export function object<F extends Fields>(fields: F): ObjectShape<F> {
  const named = Object.entries(fields).map(([name, field]) => ({ name, needed: !("optional" in field), shape: "optional" in field ? field.optional : field }));
  return {
    fields,
    schema: () => ({
      type: "object",
      properties: Object.fromEntries(named.map(({ name, shape }) => [name, shape.schema()])),
      required: named.filter(({ needed }) => needed).map(({ name }) => name),
    }),
    misfit(value) {
      if (!isObject(value)) return { path: "", expected: "an object" };
      for (const { name, needed, shape } of named) {
        const element = Object.hasOwn(value, name) ? value[name] : undefined;
        if (element === undefined && !needed) continue;
        const found = shape.misfit(element);
        if (found !== null) return below(name, found);
      }
      return null;
    },
  };
}

/** One of several objects, told apart by the word in their field `tag`. */
export function taggedBy<const V extends Readonly<Record<string, Fields>>, const N extends string>(
  tag: N,
  variants: V,
): Shape<{ [K in keyof V & string]: Flat<{ [T in N]: K } & ObjectOf<V[K]>> }[keyof V & string]> {
  const shapes = new Map(Object.entries(variants).map(([word, fields]) => [word, object({ [tag]: literal(word), ...fields })]));
  return {
    schema: () => ({ anyOf: [...shapes.values()].map((shape) => shape.schema()) }),
    misfit(value) {
      if (!isObject(value)) return { path: "", expected: "an object" };
      const word = value[tag];
      const shape = typeof word === "string" ? shapes.get(word) : undefined;
      return shape === undefined ? { path: tag, expected: [...shapes.keys()].join(" or ") } : shape.misfit(value);
    },
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The sentence for people. */
export function misfitText({ path, expected }: Misfit): string {
  return path === "" ? `expected ${expected}` : `${path}: expected ${expected}`;
}

/** Null for what does not fit. */
export function fitting<T>(shape: Shape<T>, value: unknown): T | null {
  // Every field was checked just now.
  return shape.misfit(value) === null ? (value as T) : null;
}

function below(name: string | number, { path, expected }: Misfit): Misfit {
  return { path: path === "" ? String(name) : `${name}.${path}`, expected };
}
