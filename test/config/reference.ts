/** docs/configuration.md as the code has it: keys, types and sentences from the schema, defaults from the settings, flags from their table. */
import type * as v from "valibot";
import { INPUTS, variableOf } from "../../src/config/inputs.js";
import { ALIASES, kebabKey, SHORTHANDS } from "../../src/config/keys.js";
import { resolveSettings } from "../../src/config/load.js";
import { configSchema, frontMatterSchema, runSchema, userSchema } from "../../src/config/schema.js";
import { plainDuration, plainSettings } from "../../src/config/show.js";
import { AGENT_KINDS } from "../../src/core/agent-kinds.js";
import { DEFAULT_SETTINGS, PRESETS } from "../../src/core/defaults.js";
import { type Json, plainSchema } from "./editor-schema.js";

interface Row {
  path: readonly string[];
  type: string;
  meaning: string;
}

const INTRO = `# Configuration

Everything is optional. This page is made from the code's own schema (\`npx vitest run test/config/published.test.ts -u\`), and
a test fails when the two differ. \`ralphd config\` prints every value in force here with where it came from.

## Where a setting may stand

From the highest to the lowest; the highest that says a key wins:

1. flags of \`ralphd run\`
2. environment variables \`RALPHD_…\`; an empty one counts as not set
3. the plan's front matter: the keys of "Plan and configuration" below
4. \`.ralph/config.yaml\` of the repository
5. \`$XDG_CONFIG_HOME/ralphd/config.yaml\` of the user (\`~/.config/ralphd/config.yaml\`)
6. the preset
7. the default

Of a mapping each key is taken by itself, a list or a hook as a whole; gates (by name), \`freeze\` and \`notify\` add up over
the sources.

Front matter and configuration are frozen when a run starts. Limits of a running loop are raised with \`ralphd budget\`.

## How values are written

- Keys in camelCase; \`max_cost\` and \`max-cost\` are read like \`maxCost\`. An unknown key is an error that names the nearest one.
- A duration has a unit: \`90s\`, \`10m\`, \`1h30m\`, \`1d\`. Tokens: \`50000\`, \`200k\`, \`1.5M\`. Sizes: \`16k\`, \`10MB\`.
- \`0\` never means unlimited. Where there may be no limit, \`unlimited\` is spelled out; the wall clock always has one.
- A key with nothing behind it counts as not said.
`;

const EDITORS = `## Completion in editors

\`ralphd init\` copies the JSON schemas of this page to \`.ralph/schemas/\` and writes a line such as
\`# yaml-language-server: $schema=schemas/config.schema.json\` into the files that it makes, so that editors with the YAML
language server complete and check \`.ralph/config.yaml\`, and those that read YAML inside Markdown also the front matter. After
an update of ralphd, delete the folder and run \`ralphd init\` again. The schema of the user's own file is \`state/user-config.schema.json\`
of the package.
`;

export function referencePage(): string {
  const plan = rowsOf(frontMatterSchema).filter(({ path }) => path[0] !== "task" && path[0] !== "testCommand");
  const known = new Set(plan.map(nameOf));
  const configOnly = rowsOf(configSchema).filter((row) => !known.has(nameOf(row)));
  const config = new Set(rowsOf(configSchema).map(nameOf));
  const hidden = rowsOf(userSchema).filter((row) => !config.has(nameOf(row)));
  const flagsOnly = rowsOf(runSchema).filter((row) => !config.has(nameOf(row)));
  const parts = [
    INTRO,
    spellings(),
    "## Plan and configuration\n\nThese may stand in a plan's front matter, in both files, and where a flag is named on the command line and in the environment.\n",
    ...sections(plan),
    "## Configuration only\n\nThese may stand in both files, not in a plan.\n",
    ...sections(configOnly),
    "## The user's own file only\n",
    ...sections(hidden),
    "## Command line and environment only\n",
    table(flagsOnly),
    presets(),
    variables(),
    EDITORS,
  ];
  return parts.map((part) => `${part.trimEnd()}\n`).join("\n");
}

/** Keys without a sentence. */
export function undescribed(): string[] {
  return [...rowsOf(userSchema), ...rowsOf(frontMatterSchema), ...rowsOf(runSchema)].filter(({ meaning }) => meaning.trim() === "").map(nameOf);
}

const nameOf = ({ path }: Row): string => path.join(".").replaceAll(".*", "[]");

function rowsOf(schema: v.GenericSchema): Row[] {
  return walk(plainSchema(schema), []);
}

function walk(node: Json, path: readonly string[]): Row[] {
  const own = path.length === 0 || path.at(-1) === "*" ? [] : [{ path, type: typeOf(node), meaning: node.description ?? "" }];
  const inner = Object.entries(node.properties ?? {}).flatMap(([key, value]) => walk(value, [...path, key]));
  const items = node.items?.properties === undefined ? [] : walk(node.items, [...path, "*"]);
  const named =
    typeof node.additionalProperties === "object" && node.additionalProperties.properties !== undefined
      ? walk(node.additionalProperties, [...path, path.at(-1) === "prices" ? "<model>" : "<name>"]).slice(1)
      : [];
  return [...own, ...inner, ...items, ...named];
}

function typeOf(node: Json): string {
  if (node.title !== undefined) return node.title;
  const words = node.enum ?? node.anyOf?.flatMap((form) => form.enum ?? []) ?? [];
  if (words.length > 0) return words.map((word) => `\`${String(word)}\``).join(", ");
  if (node.type === "array") return node.items?.properties === undefined ? `list: ${typeOf(node.items ?? {})}` : "list of mappings";
  if (node.type === "object") return "mapping";
  return [node.type ?? "any"]
    .flat()
    .map((type) => (type === "string" ? "text" : type))
    .join(" or ");
}

/** One table for single keys, one for each mapping or list of mappings. */
function sections(rows: readonly Row[]): string[] {
  const groups = new Map<string, Row[]>();
  const compound = new Set(rows.filter(({ path }) => path.length > 1).map(({ path }) => path[0]));
  for (const row of rows) {
    const group = compound.has(row.path[0]) ? (row.path[0] ?? "") : "";
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  return [...groups].sort(([a], [b]) => Number(a !== "") - Number(b !== "")).map(([group, inside]) => (group === "" ? table(inside) : section(group, inside)));
}

function section(group: string, rows: readonly Row[]): string {
  const [head, ...rest] = rows;
  const shown = group === "hooks" ? rest.filter(({ path }) => path.length < 3 || path[1] === "onStart") : AS_ELSEWHERE.includes(group) ? [] : rest;
  const extra = EXTRA[group] === undefined ? "" : `\n${EXTRA[group]}\n`;
  const flag = flagOf([group]) === "" ? "" : `\nFlag and variable: ${flagOf([group])}.\n`;
  return `### ${group}\n\n${sentence(head?.meaning ?? "")}\n${flag}${extra}${shown.length === 0 ? "" : `\n${table(shown)}`}`;
}

/** Lists and mappings of what another section shows. */
const AS_ELSEWHERE = ["fallback", "agents", "hiddenGates"];
const EXTRA: Readonly<Record<string, string>> = {
  hooks: "Each hook takes `run`, `argv` and `timeout` as `onStart` does.",
  gates: "Every kind of gate with examples: [gates.md](gates.md).",
  fallback: "A list; each entry takes the keys of `agent`.",
  agents: "A mapping from names to the keys of `agent`.",
  hiddenGates: "A list; each entry takes the keys of `gates`.",
};

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    (row) => `| \`${nameOf(row)}\` | ${cell(row.type)} | ${cell(defaultOf(nameOf(row)))} | ${flagOf(row.path)} | ${cell(sentence(row.meaning))} |`,
  );
  return `| key | type | default | flag, variable | meaning |\n|---|---|---|---|---|\n${lines.join("\n")}\n`;
}

const sentence = (text: string): string => (text === "" || text.endsWith(".") ? text : `${text}.`);
const cell = (text: string): string => text.replaceAll("|", "\\|");

function flagOf(path: readonly string[]): string {
  if (path.join(".") === "fallback") return "`--fallback` (names), `RALPHD_FALLBACK`";
  if (path.join(".") === "gates") return "`--gate` (commands)";
  if (path.join(".") === "agent.argv") return "after `--`";
  const flags = Object.entries(INPUTS).filter(([, target]) => target.join(".") === path.join("."));
  return flags.map(([flag]) => `\`--${kebabKey(flag)}\`, \`${variableOf(flag)}\``).join("; ");
}

const DEFAULTS = defaults();

function defaultOf(key: string): string {
  const value = DEFAULTS.get(key) ?? "";
  return value === "" || value === "none" || value.includes("`")
    ? value
    : value
        .split(", ")
        .map((one) => `\`${one}\``)
        .join(", ");
}

/** What the code makes of the least that can be said, for keys inside lists and hooks. */
function defaults(): Map<string, string> {
  const project =
    "gates: [{ name: command, run: x }, { name: server, http: 'http://localhost' }, { name: asked, rubric: { questions: [x], reviewer: { agent: claude } } }]\nnotify: [{ url: 'https://example.com' }]\nhooks: { onStart: x }";
  const reading = resolveSettings({
    flags: {},
    env: {},
    frontMatter: null,
    frontMatterPath: null,
    frontMatterLine: 1,
    impliedGates: [],
    files: { project, user: null, userPath: "user" },
    objective: null,
  });
  if (reading.kind === "invalid") throw new Error(JSON.stringify(reading.problems));
  const [command, server, asked] = reading.settings.gates;
  const [webhook] = reading.settings.notify;
  const hook = reading.settings.hooks.onStart;
  if (command === undefined || server?.kind !== "http" || asked?.kind !== "rubric" || webhook?.kind !== "webhook" || hook === undefined)
    throw new Error("the example has other gates");
  return new Map([
    ...plainSettings(DEFAULT_SETTINGS),
    ["baseline", command.baseline],
    ["branch", "ralph/<slug>"],
    ["gates[].for", command.scope],
    ["gates[].required", String(command.required)],
    ["gates[].when", command.when],
    ["gates[].timeout", `\`${plainDuration(command.timeoutMs)}\`, with \`http\` \`${plainDuration(server.timeoutMs)}\``],
    ["gates[].retries", `\`${command.retries}\` with \`run\` and \`http\`, else \`${asked.retries}\``],
    ["gates[].baseline", "the top-level `baseline`"],
    ["gates[].status", String(server.status)],
    ["gates[].rubric.votes", String(asked.votes)],
    ["gates[].rubric.minConfidence", String(asked.minConfidence)],
    ["notify[].format", webhook.format],
    ["notify[].on", webhook.on.join(", ")],
    ["hooks.onStart.timeout", plainDuration(hook.timeoutMs)],
  ]);
}

function spellings(): string {
  const aliases = Object.entries(ALIASES).map(([alias, path]) => `| \`${alias}\` | \`${path.join(".")}\` |`);
  const bare = Object.entries(SHORTHANDS).map(([path, key]) => `\`${path.replaceAll(".*", "[]")}\` (\`${key}\`)`);
  return `Short names at the top level:\n\n| short | stands for |\n|---|---|\n${aliases.join("\n")}\n\nA bare value instead of a mapping stands for one of its keys: ${bare.join(", ")}.\n`;
}

function presets(): string {
  const lines = Object.entries(PRESETS).map(
    ([name, { iterations, tokens, noProgress }]) => `| \`${name}\` | ${iterations} | ${tokens.toLocaleString("en-US")} | ${noProgress} |`,
  );
  return `## Presets\n\n| preset | \`limits.iterations\` | \`limits.tokens\` | \`brakes.noProgress\` |\n|---|---|---|---|\n${lines.join("\n")}\n`;
}

function variables(): string {
  const paths = AGENT_KINDS.filter((kind) => !["auto", "acp", "anthropic", "command", "replay"].includes(kind)).map((kind) => `\`${variableOf(kind)}_PATH\``);
  return `## Other environment variables\n\n- ${paths.join(", ")}: where that agent's executable is.\n- \`RALPHD_RUN\`, \`RALPHD_ITERATION\`, \`RALPHD_TOKEN\`, \`RALPHD_DEPTH\` are set by the driver for agents, gates and hooks.\n- \`NO_COLOR\` and \`CI\`: no colours; \`CI\` also no live block. \`XDG_CONFIG_HOME\`, \`XDG_STATE_HOME\`: where the user's file and the list of repositories are.\n`;
}
