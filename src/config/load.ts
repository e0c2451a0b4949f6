/** From every source to the effective settings, each with its origin, or to the list of what is wrong. Reads no file. */
import { CONFIG_FILE } from "../core/paths.js";
import type { Settings } from "../core/settings.js";
import { readYaml } from "./document.js";
import { type RawFlags, readEnvironment, readFlags } from "./inputs.js";
import type { Source, SourceName } from "./precedence.js";
import { presetSource } from "./preset.js";
import { type ConfigProblem, emptyLayer, type RawLayer } from "./raw-layer.js";
import { resolveSources } from "./resolve.js";
import { configSchema, frontMatterSchema, runSchema, userSchema } from "./schema.js";
import type { RepositoryCommand } from "./repository-commands.js";
import { validateLayer } from "./validate.js";

export type { RawFlags } from "./inputs.js";
export { type ConfigProblem, formatProblem } from "./raw-layer.js";
export { checkTaskGates } from "./task-gates.js";

export interface ConfigInput {
  flags: RawFlags;
  env: NodeJS.ProcessEnv;
  /** The YAML between the plan's `---` lines; null without one. */
  frontMatter: string | null;
  /** The plan relative to the root; null when the run has only an objective. */
  frontMatterPath: string | null;
  /** Line of the plan on which the YAML begins; 2 below a `---` in line 1. */
  frontMatterLine: number;
  /** Gates that the plan's own format carries. */
  impliedGates: readonly { name: string; run: string }[];
  /** Contents; null when there is no such file. `userPath` is what messages call the user's file. */
  files: { project: string | null; user: string | null; userPath?: string };
  objective?: string | null;
}

export type ConfigReading =
  | {
      kind: "settings";
      settings: Settings;
      /** By dotted config key, such as `limits.cost` and `gates.tests`. */
      origins: Record<string, string>;
      warnings: string[];
      /** What the repository's own files would run; the question of trust is about these. */
      repositoryCommands: RepositoryCommand[];
    }
  | { kind: "invalid"; problems: ConfigProblem[] };

export function resolveSettings(input: ConfigInput): ConfigReading {
  const environment = readEnvironment(input.env);
  const user = input.files.userPath ?? "config.yaml of the user";
  const raw: { name: SourceName; layer: RawLayer; schema: Parameters<typeof validateLayer>[1] }[] = [
    { name: "flags", layer: readFlags(input.flags), schema: runSchema },
    { name: "environment", layer: environment.layer, schema: runSchema },
    { name: "plan", layer: yaml(input.frontMatter, input.frontMatterPath ?? "plan", input.frontMatterLine), schema: frontMatterSchema },
    { name: "project", layer: yaml(input.files.project, CONFIG_FILE, 1), schema: configSchema },
    { name: "user", layer: yaml(input.files.user, user, 1), schema: userSchema },
  ];
  const problems: ConfigProblem[] = [];
  const sources: Source[] = [];
  for (const { name, layer, schema } of raw) {
    const reading = validateLayer(layer, schema);
    if (reading.kind === "invalid") problems.push(...reading.problems);
    else sources.push({ name, layer: reading.layer });
  }
  if (problems.length > 0) return { kind: "invalid", problems };
  const preset = presetSource(sources);
  const resolved = resolveSources({
    sources: preset === null ? sources : [...sources, preset],
    impliedGates: input.impliedGates,
    plan: input.frontMatterPath,
    objective: input.objective ?? null,
  });
  if (resolved.kind === "invalid") return resolved;
  return { ...resolved, warnings: [...environment.warnings, ...resolved.warnings] };
}

function yaml(text: string | null, file: string, firstLine: number): RawLayer {
  return text === null ? emptyLayer() : readYaml({ text, file, firstLine });
}
