/** The contents of the files that `ralphd init` writes. */
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { stringify } from "yaml";
import type { Proposal } from "../../config/detect.js";
import { plainDuration } from "../../config/show.js";
import { AGENT_KINDS } from "../../core/agent-kinds.js";
import { DEFAULT_SETTINGS } from "../../core/defaults.js";
import { CONFIG_FILE, SCHEMAS_DIR } from "../../core/paths.js";
import { shippedFile } from "../../shipped.js";
import type { PlanBody } from "./import.js";

/** Gates and setup stand in one place only: in the plan where init writes one, else in the config. */
export interface Checks {
  setup: string | null;
  gates: readonly Pick<Proposal["gates"][number], "name" | "run">[];
}
export const NO_CHECKS: Checks = { setup: null, gates: [] };

const EXAMPLE = `# A gate is a command whose exit code says yes or no; ralphd runs it, not the agent.
# gates:
#   - name: tests
#     run: make test`;

/** The comment by which editors find the schema; its path is relative to the file that it stands in. */
function schemaLine(name: string, file: string): string {
  return `# yaml-language-server: $schema=${posix.relative(posix.dirname(file), `${SCHEMAS_DIR}/${name}`)}`;
}

/** `path`: of the plan, relative to the root. */
export function planText(checks: Checks, gatesElsewhere: boolean, path: string): string {
  const gates = checks.gates.map((gate) => gate.name);
  const frontMatter = gatesElsewhere ? "# Gates and setup stand in .ralph/config.yaml." : (yamlOf(checks) ?? EXAMPLE);
  const verified = gates.length > 0 || gatesElsewhere;
  return fill(readFileSync(shippedFile("prompts/plan-template.md"), "utf8"), {
    frontMatter: `${schemaLine("plan.schema.json", path)}\n${frontMatter}`,
    firstTask: verified
      ? `Every gate of this plan passes${gates.length === 0 ? "" : ` (${gates.join(", ")})`}; what fails is repaired, the checks stay as they are${gates.length === 0 ? "" : ` <!-- gate: ${gates.join(", ")} -->`}`
      : "`README.md` names one command that checks this project, and that command exits 0",
    replaceHint: verified
      ? "The one below is a safe start: it changes nothing where all gates are green. Replace or keep it."
      : "The one below is a safe start: once it is done, make that command a gate above. Replace or keep it.",
  });
}

/** Another tool's tasks under front matter of ours. Its own front matter stays where it is one of ours already. */
export function importedPlanText(imported: PlanBody, checks: Checks, path: string): string {
  const own = [...imported.gates, ...checks.gates.filter((gate) => !imported.gates.some((one) => one.run === gate.run || one.name === gate.name))];
  const generated = yamlOf({ setup: checks.setup, gates: own }) ?? EXAMPLE;
  const head = imported.frontMatter ?? `${schemaLine("plan.schema.json", path)}\n${generated}\n`;
  return `---\n${head.endsWith("\n") ? head : `${head}\n`}---\n\n${imported.body}`;
}

export function configText(checks: Checks, agent: string | null = null): string {
  const { limits, brakes } = DEFAULT_SETTINGS;
  const kinds = AGENT_KINDS.filter((kind) => kind !== "auto").join(", ");
  return `${schemaLine("config.schema.json", CONFIG_FILE)}
# Settings of ralphd for this repository. All are optional: what is commented out shows the default,
# or an example where there is none. \`ralphd config\` prints every value with where it came from.

${agent === null ? "# agent: auto              #" : `agent: ${agent}\n#                          #`} ${kinds};
#                          # any program: agent: { kind: command, argv: [./my-agent.sh] }
# limits:
#   iterations: ${limits.iterations}
#   time: ${plainDuration(limits.timeMs)}
#   cost: 5                # US dollars; without it there is no such limit
#   tokens: 500k           # uncached input plus output; without it there is no such limit
# onStuck: ${brakes.onStuck}            # park: put a stuck task aside and go on with the next
# protect: ["test/**"]     # existing files that may grow but not lose lines; default: what looks like tests
${yamlOf(checks) === null ? "" : `\n${yamlOf(checks)}\n`}`;
}

export const PROGRESS_TEXT = `# Progress

What one iteration wants the next to know; the agent appends, ralphd keeps the file short.
`;

function yamlOf(checks: Checks): string | null {
  if (checks.gates.length === 0 && checks.setup === null) return null;
  return stringify({
    ...(checks.setup === null ? {} : { setup: checks.setup }),
    ...(checks.gates.length === 0 ? {} : { gates: checks.gates.map(({ name, run }) => ({ name, run })) }),
  }).trimEnd();
}

/** Replaces by function, so that a `$&` in a command stays what it is. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`plan template has an unknown word ${name}`);
    return value;
  });
}
