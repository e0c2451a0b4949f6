/** What a benchmark reports, and the arithmetic on noisy measurements. */

export interface Figure {
  what: string;
  /** With its unit. */
  value: string;
  /** What it has to be; null for a figure that only explains. */
  goal: { text: string; met: boolean } | null;
}

export interface Benchmark {
  name: string;
  /** How it was measured, in one sentence or two. */
  method: string;
  run(): Promise<Figure[]>;
}

/** The middle one: a burst of load on the machine moves it less than a mean. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Of pairs measured one after the other, so that slow minutes of the machine hit both. */
export function medianRatio(pairs: readonly { ours: number; floor: number }[]): number {
  return median(pairs.map(({ ours, floor }) => ours / floor));
}

export function atMost(what: string, value: number, unit: string, goal: number | null): Figure {
  return { what, value: shown(value, unit), goal: goal === null ? null : { text: `at most ${shown(goal, unit)}`, met: value <= goal } };
}

export function atLeast(what: string, value: number, unit: string, goal: number): Figure {
  return { what, value: shown(value, unit), goal: { text: `at least ${shown(goal, unit)}`, met: value >= goal } };
}

export function plain(what: string, value: number, unit: string): Figure {
  return atMost(what, value, unit, null);
}

function shown(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`.trim();
}
