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

export class Precedence {
  readonly sources: readonly Source[];
  readonly origins = new Map<string, Origin>();

  constructor(sources: readonly Source[]) {
    this.sources = sources;
  }

  /** `key` is dotted, as in the config file. */
  pick<T>(key: string, read: (values: ConfigLayer) => T | undefined, fallback: T): T {
    return this.pickFrom(this.sources, key, read, fallback);
  }

  pickFrom<T>(sources: readonly Source[], key: string, read: (values: ConfigLayer) => T | undefined, fallback: T): T {
    for (const source of sources) {
      const value = read(source.layer.values);
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

export function originIn(source: Source, key: string): Origin {
  return { source: source.name, text: source.layer.origin(key.split(".")) ?? source.name };
}
