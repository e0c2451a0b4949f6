/** What a repository's own files would run on this machine, in a form that a person can read and a hash can hold. */
import { ACP_PREFIX } from "../core/agent-kinds.js";
import { gateCommand } from "../core/gate.js";
import { HOOK_NAMES } from "../core/notice.js";
import type { AgentSettings, Settings } from "../core/settings.js";
import type { Origin } from "./precedence.js";

export interface RepositoryCommand {
  /** `gate tests`, `setup`, `agent`. */
  what: string;
  command: string;
  /** `PLAN.md:3` */
  origin: string;
}

/** Only what stands in the plan or in `.ralph/config.yaml`; a person's own flags and files need no question. */
export function repositoryCommands(settings: Settings, origins: ReadonlyMap<string, Origin>): RepositoryCommand[] {
  const commands: RepositoryCommand[] = [];
  const add = (what: string, key: string, command: string): void => {
    const origin = origins.get(key);
    if (origin?.source === "plan" || origin?.source === "project") commands.push({ what, command, origin: origin.text });
  };
  for (const gate of settings.gates) {
    const command = gateCommand(gate);
    if (command !== null) add(`gate ${gate.name}`, `gates.${gate.name}`, command);
    // A request to another machine is no command, and still leaves this one.
    else if (gate.kind === "http" && gate.host !== null) add(`gate ${gate.name}`, `gates.${gate.name}`, `GET ${gate.url}`);
  }
  if (settings.setup !== null) add("setup", "setup", settings.setup);
  addAgent(add, settings.agent, { what: "agent", key: "agent" });
  settings.fallback.forEach((agent, index) => addAgent(add, agent, { what: `fallback ${agent.name}`, key: `fallback.${index}` }));
  // What a repository sends to others is a question of trust like what it runs.
  settings.notify.forEach((spec, index) => {
    if (spec.kind === "webhook") add("notification", `notify.${index}`, `POST ${spec.url}`);
    if (spec.kind === "command") add("notification", `notify.${index}`, shown(spec.argv));
  });
  if (settings.heartbeat.url !== null) add("heartbeat", "heartbeat.url", `GET ${settings.heartbeat.url}`);
  for (const name of HOOK_NAMES) {
    const hook = settings.hooks[name];
    if (hook !== undefined) add(`hook ${name}`, `hooks.${name}`, shown(hook.argv));
  }
  return commands;
}

/** What of it runs as an agent, or decides how one runs: asked about before any agent is looked at. */
export function agentCommands(commands: readonly RepositoryCommand[]): RepositoryCommand[] {
  return commands.filter(({ what }) => /^(?:agent|fallback)\b/.test(what));
}

/** A variable can decide what runs as much as an argument does. */
function addAgent(
  add: (what: string, key: string, command: string) => void,
  { kind, argv, args, envSet }: AgentSettings,
  { what, key }: { what: string; key: string },
): void {
  if (kind.startsWith(ACP_PREFIX)) add(what, `${key}.kind`, kind.slice(ACP_PREFIX.length));
  if (argv.length > 0) add(what, `${key}.argv`, shown(argv));
  if (args.length > 0) add(`${what} arguments`, `${key}.args`, shown(args));
  const variables = Object.entries(envSet).map(([name, value]) => `${name}=${value}`);
  if (variables.length > 0) add(`${what} environment`, `${key}.envSet`, shown(variables));
}

/** Quoted where needed, so that `["a b"]` and `["a", "b"]` look and hash differently. */
function shown(argv: readonly string[]): string {
  return argv.map((argument) => (/^[\w@%+=:,./-]+$/.test(argument) ? argument : JSON.stringify(argument))).join(" ");
}

/**
 * The text whose hash a person confirms. The root is part of it: `npm test` runs something else in
 * another repository. Where a command stands is not, so that moving a line asks no new question.
 */
export function trustText(root: string, commands: readonly RepositoryCommand[]): string {
  const lines = commands.map(({ what, command }) => JSON.stringify([what, command])).sort();
  return [root, ...lines].join("\n");
}
