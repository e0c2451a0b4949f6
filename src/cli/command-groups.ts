/** Which module declares which commands, in the order of the help. A typed command loads its own group; the help needs all. */
import type { Command } from "commander";

export type Add = (program: Command, done: (code: number) => void) => void;

export interface Group {
  commands: readonly string[];
  load(): Promise<readonly Add[]>;
}

export const GROUPS: readonly Group[] = [
  {
    commands: ["init", "plan", "doctor"],
    load: () => import("./preparing-commands.js").then(({ addInit, addPlan, addDoctor }) => [addInit, addPlan, addDoctor]),
  },
  { commands: ["run", "demo"], load: () => import("./running-commands.js").then(({ addRun, addDemo }) => [addRun, addDemo]) },
  { commands: ["status", "logs", "attach", "report", "config", "agents"], load: () => import("./reading-commands.js").then(({ addReading }) => [addReading]) },
  {
    commands: ["stop", "pause", "resume", "skip", "note", "budget"],
    load: () => import("./steering-commands.js").then(({ addControl, addSteering }) => [addControl, addSteering]),
  },
  { commands: ["prompt", "why", "replay"], load: () => import("./explaining-commands.js").then(({ addExplaining }) => [addExplaining]) },
  {
    commands: ["gates", "guardrails", "once"],
    load: () => import("./program-checks.js").then(({ addGates, addGuardrails, addOnce }) => [addGates, addGuardrails, addOnce]),
  },
  { commands: ["accept", "audit"], load: () => import("./outer-commands.js").then(({ addAccept, addAudit }) => [addAccept, addAudit]) },
  // A completion script is made of all commands, so that this one is never declared alone.
  { commands: [], load: () => import("./explaining-commands.js").then(({ addCompletion }) => [addCompletion]) },
];

/** What declares the typed command; everything for help, for what is no command, and for what needs the others. */
export async function adders(typed: string | null | undefined): Promise<Add[]> {
  const own = GROUPS.filter(({ commands }) => commands.some((name) => name === typed));
  return (await Promise.all((own.length > 0 ? own : GROUPS).map(({ load }) => load()))).flat();
}
