/** Reads the completion word; beside the other values, because only a configuration needs what knows about markers. */
import { normaliseMarker, validateMarker } from "../core/markers.js";
import type { Reading } from "./values.js";

/** What makes a word usable is known where markers are read. */
export function parseMarker(raw: string): Reading<string> {
  const complaint = validateMarker(raw);
  return complaint === null ? { kind: "value", value: normaliseMarker(raw) } : { kind: "bad", message: complaint };
}
