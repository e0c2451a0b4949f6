/** `ralphd config`: every effective value with where it came from, or what is wrong and where. */
import { type ConfigReading, formatProblem, type RawFlags } from "../config/load.js";
import { plainSettings } from "../config/show.js";
import { loadConfig } from "../config/sources.js";
import { EXIT_CODES } from "../core/words.js";
import { findRoot } from "../workspace/root.js";

export interface ConfigOptions {
  cwd: string;
  /** Relative to the root; null when there is none. */
  plan: string | null;
  flags?: RawFlags | undefined;
  env: NodeJS.ProcessEnv;
  json?: boolean | undefined;
  out(line: string): void;
  err(line: string): void;
}

/** Exit code 0, or 2 when a run would be refused for its configuration. */
export async function runConfig(options: ConfigOptions): Promise<number> {
  const root = await findRoot(options.cwd);
  if (root === null) {
    options.err("ralphd: not inside the working tree of a git repository. Run `git init`, or go to one.");
    return EXIT_CODES.refused;
  }
  const reading = loadConfig({ root, plan: options.plan, objective: null, flags: options.flags ?? {}, env: options.env });
  if (options.json === true) options.out(JSON.stringify(asJson(reading, root, options.plan)));
  else if (reading.kind === "settings") for (const line of asLines(reading)) options.out(line);
  if (reading.kind === "settings") {
    for (const warning of reading.warnings) options.err(`ralphd: ${warning}`);
    return 0;
  }
  for (const problem of reading.problems) options.err(`ralphd: ${formatProblem(problem)}`);
  return EXIT_CODES.refused;
}

type Settled = Extract<ConfigReading, { kind: "settings" }>;

function rows({ settings, origins }: Settled): { key: string; value: string; origin: string }[] {
  return [...plainSettings(settings)].map(([key, value]) => ({ key, value, origin: origins[key] ?? "default" }));
}

function asLines(reading: Settled): string[] {
  const table = rows(reading);
  const keyWidth = Math.max(...table.map((row) => row.key.length));
  return table.map(({ key, value, origin }) => `${key.padEnd(keyWidth)}  ${value}  [${origin}]`);
}

function asJson(reading: ConfigReading, root: string, plan: string | null): object {
  if (reading.kind === "invalid") return { root, plan, problems: reading.problems };
  const values = Object.fromEntries(rows(reading).map(({ key, value, origin }) => [key, { value, origin }]));
  return { root, plan, values, warnings: reading.warnings };
}
