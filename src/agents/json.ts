/** Reads foreign JSON without trusting its shape: what is not there, or is something else, is null. */

export type JsonObject = Record<string, unknown>;

export function asObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function asText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A finite number that is not negative, such as a count of tokens. */
export function asCount(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts among the parts of a message, the empty ones left out. */
export function textParts(content: unknown): string[] {
  return asList(content)
    .map((part) => asText(asObject(part)?.["text"]) ?? "")
    .filter((text) => text !== "");
}

/** undefined when it is not JSON; no JSON text means undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Log lines among the JSON are expected.
    return undefined;
  }
}
