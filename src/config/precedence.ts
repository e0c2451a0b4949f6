/** Picks each value from the highest source that says it, and remembers which one that was. */
import type { ConfigLayer } from "./schema.js";
import type { Layer } from "./validate.js";

/** From the highest to the lowest; `default` stands below them all. */
export type SourceName = "flags" | "environment" | "plan" | "project" | "user" | "preset" | "default";

export interface Source {
  name: SourceName;
  layer: Layer;
}

export interface Origin {
  source: SourceName;
  /** `--max-cost`, `PLAN.md:3`, `preset bugfix`, `default`. */
  text: string;
}

/** What the schema lets stand at a dotted key, as the config file names it. */
type ValueAt<T, K extends string> = K extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T
    ? ValueAt<NonNullable<T[Head]>, Rest>
    : never
  : K extends keyof T
    ? Exclude<T[K], undefined>
    : never;
/** A key that the schema doesn't have is refused by the compiler. */
type Known<K extends string> = [ValueAt<ConfigLayer, K>] extends [never] ? never : K;

export class Precedence {
  readonly sources: readonly Source[];
  readonly origins = new Map<string, Origin>();

  constructor(sources: readonly Source[]) {
    this.sources = sources;
  }

  pick<K extends string, F>(key: Known<K>, fallback: F): ValueAt<ConfigLayer, K> | F {
    return this.pickFrom(this.sources, key, fallback);
  }

  pickFrom<K extends string, F>(sources: readonly Source[], key: Known<K>, fallback: F): ValueAt<ConfigLayer, K> | F {
    for (const source of sources) {
      const value = valueAt<K>(source.layer.values, key);
      if (value === undefined) continue;
      this.origins.set(key, originIn(source, key));
      return value;
    }
    this.derive(key, "default");
    return fallback;
  }

  /** Notes a value that follows from others, or a default. */
  derive(key: string, text: string): void {
    this.origins.set(key, { source: "default", text });
  }

  /** The highest source that says the key; null when none does. */
  holder(read: (values: ConfigLayer) => unknown): Source | null {
    return this.sources.find((source) => read(source.layer.values) !== undefined) ?? null;
  }
}

function valueAt<K extends string>(values: ConfigLayer, key: string): ValueAt<ConfigLayer, K> | undefined {
  // Every step but the last is a mapping of the schema, or absent.
  const found = key.split(".").reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], values);
  return found as ValueAt<ConfigLayer, K> | undefined;
}

export function originIn(source: Source, key: string): Origin {
  return { source: source.name, text: source.layer.origin(key.split(".")) ?? source.name };
}
