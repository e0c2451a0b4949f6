/** Shorthands for resolving configuration in tests; every source is empty unless given. */
import { type ConfigInput, type ConfigReading, formatProblem, resolveSettings } from "../../src/config/load.js";

export interface Given {
  flags?: ConfigInput["flags"];
  env?: Record<string, string>;
  plan?: string;
  planLine?: number;
  implied?: { name: string; run: string }[];
  project?: string;
  user?: string;
}

export function resolve(given: Given): ConfigReading {
  return resolveSettings({
    flags: given.flags ?? {},
    env: given.env ?? {},
    frontMatter: given.plan ?? null,
    frontMatterPath: "PLAN.md",
    frontMatterLine: given.planLine ?? 2,
    impliedGates: given.implied ?? [],
    files: { project: given.project ?? null, user: given.user ?? null, userPath: "~/.config/ralphd/config.yaml" },
  });
}

export function settled(given: Given): Extract<ConfigReading, { kind: "settings" }> {
  const reading = resolve(given);
  if (reading.kind === "settings") return reading;
  throw new Error(`expected settings, got: ${reading.problems.map(formatProblem).join("; ")}`);
}

/** The problems as people see them. */
export function refused(given: Given): string[] {
  const reading = resolve(given);
  if (reading.kind === "invalid") return reading.problems.map(formatProblem);
  throw new Error("expected problems, got settings");
}
