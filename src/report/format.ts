/** Numbers for people: durations, money, tokens; what is unknown says so. */

export const UNKNOWN = "unknown";

/** `1 h 12 min`, `3 min 20 s`, `0.4 s`. */
export function duration(ms: number | null): string {
  if (ms === null) return UNKNOWN;
  if (ms < 10_000) return `${(Math.round(ms / 100) / 10).toString()} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** Micro-dollars as dollars: cents above a dollar, more digits below. */
export function money(microUsd: number | null): string {
  if (microUsd === null) return UNKNOWN;
  const usd = microUsd / 1_000_000;
  return `$${usd.toFixed(usd !== 0 && Math.abs(usd) < 1 ? 4 : 2)}`;
}

/** `70,000`. */
export function count(value: number | null): string {
  // Not by Intl: the first number that it formats takes longer than all the rest of a short command.
  return value === null ? UNKNOWN : String(Math.round(value)).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 file`, `2 files`. */
export function plural(value: number, word: string): string {
  return `${count(value)} ${word}${value === 1 ? "" : "s"}`;
}

/** `2026-11-30 20:11 UTC`. */
export function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

export function shortCommit(commit: string | null): string {
  return commit === null ? "none" : commit.slice(0, 10);
}
