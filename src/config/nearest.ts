/** Finds the known name that a mistyped one most likely meant. */
import { closest, distance } from "fastest-levenshtein";

/** null when nothing is close: a far-fetched proposal misleads more than none. */
export function nearest(typed: string, known: readonly string[]): string | null {
  if (known.length === 0) return null;
  const wanted = typed.trim();
  const lower = known.map((name) => name.toLowerCase());
  const best = closest(wanted.toLowerCase(), lower);
  const allowed = Math.max(2, Math.floor(wanted.length / 2));
  if (distance(wanted.toLowerCase(), best) > allowed) return null;
  return known[lower.indexOf(best)] ?? null;
}
