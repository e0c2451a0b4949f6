/** One source before validation: values under canonical keys, and for each where it was written. */

export type KeyPath = readonly (string | number)[];

/** `label` is what the person wrote: a key, a flag, a variable. Lines and columns are 1-based; null outside files. */
export interface Spot {
  file: string | null;
  line: number | null;
  column: number | null;
  label: string;
}

export interface ConfigProblem {
  file: string | null;
  line: number | null;
  column: number | null;
  message: string;
}

export interface RawLayer {
  value: Record<string, unknown>;
  spots: Map<string, Spot>;
  /** What was wrong before any value could be judged. */
  problems: ConfigProblem[];
}

export function emptyLayer(): RawLayer {
  return { value: bare(), spots: new Map(), problems: [] };
}

/** No prototype, so that a key such as `__proto__` is a key like any other. */
export function bare(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

/** Sets a value; the mappings on the way come into being. A second value for one key is a problem. */
export function setAt(layer: RawLayer, path: KeyPath, value: unknown, spot: Spot): void {
  const earlier = layer.spots.get(pathKey(path));
  if (earlier !== undefined) {
    layer.problems.push(problemAt(spot, `${spot.label}: given twice, also as ${earlier.label}${earlier.line === null ? "" : ` in line ${earlier.line}`}`));
    return;
  }
  layer.spots.set(pathKey(path), spot);
  let holder: Record<string | number, unknown> = layer.value;
  for (const step of path.slice(0, -1)) {
    const next = holder[step];
    // A plain value where a mapping belongs stays, for the schema to name.
    if (next !== undefined && (typeof next !== "object" || next === null)) return;
    const inner = next ?? bare();
    holder[step] = inner;
    // Only objects and lists made by this module stand inside a layer, so the step down is safe.
    holder = inner as Record<string | number, unknown>;
  }
  const last = path.at(-1);
  if (last !== undefined) holder[last] = value;
}

/** The spot of a path, or of the nearest part above it that was written. */
export function spotAt(layer: RawLayer, path: KeyPath): Spot | null {
  for (let length = path.length; length > 0; length -= 1) {
    const spot = layer.spots.get(pathKey(path.slice(0, length)));
    if (spot !== undefined) return spot;
  }
  return null;
}

export function problemAt(spot: Spot | null, message: string): ConfigProblem {
  return { file: spot?.file ?? null, line: spot?.line ?? null, column: spot?.column ?? null, message };
}

/** `PLAN.md:3`, `--max-cost` or `RALPHD_MODEL`. */
export function originOf(spot: Spot): string {
  return spot.file === null ? spot.label : `${spot.file}:${spot.line ?? 1}`;
}

/** `.ralph/config.yaml:3:1: message`, as editors and people follow it. */
export function formatProblem(problem: ConfigProblem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== null);
  return place.length === 0 ? problem.message : `${place.join(":")}: ${problem.message}`;
}

function pathKey(path: KeyPath): string {
  return JSON.stringify(path);
}
