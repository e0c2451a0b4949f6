/** The gate fingerprint: equal when a gate fails in the same way. */
import { hashText } from "../hash.js";
import { normaliseOutput } from "../signature/volatile.js";

/** Sorted names of failing checks plus the first error without what is volatile in it. */
export function gateFingerprint(failing: readonly string[], firstError: string | null): string {
  const names = [...new Set(failing.map((name) => normaliseOutput(name)))].sort();
  return hashText(JSON.stringify([names, firstError === null ? null : normaliseOutput(firstError)]));
}
