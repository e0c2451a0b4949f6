/** The command line as completion sees it, read off the program itself: commands, flags, and what may stand behind them. */
import type { Command, Option } from "commander";
import { AGENT_KINDS } from "../../core/agent-kinds.js";
import { PRESETS } from "../../core/defaults.js";
import { REPORT_FORMATS } from "../../report/render.js";

/** What follows: nothing, one of these words, a file, or something that only the person knows. */
export type Value = { kind: "none" } | { kind: "words"; words: readonly string[] } | { kind: "files"; words: readonly string[] } | { kind: "free" };

export interface Flag {
  /** `-n` and `--max-iterations`. */
  names: readonly string[];
  about: string;
  value: Value;
}

export interface Shape {
  /** The words behind `ralphd`, such as `gates run`; empty for the program. */
  path: string;
  about: string;
  commands: readonly { name: string; about: string }[];
  flags: readonly Flag[];
  argument: Value;
}

export type Shell = "bash" | "zsh" | "fish";

/** By long flag; a test holds them against the configuration's schema where the flag is a setting. */
export const WORDS: Readonly<Record<string, readonly string[]>> = {
  "--agent": AGENT_KINDS,
  "--fallback": AGENT_KINDS.filter((kind) => kind !== "auto"),
  "--agent-output": ["text", "events"],
  "--preset": Object.keys(PRESETS),
  "--level": ["1", "2", "3"],
  "--on-stuck": ["stop", "park"],
  "--sandbox": ["auto", "on", "off"],
  "--sandbox-network": ["open", "off"],
  "--format": REPORT_FORMATS,
};
/** By the name that a flag or an argument gives its value. */
const FILES = ["file", "folder", "path", "plan"];
const IMPORT_WORDS = ["gh"];

export function shapeOf(program: Command): Shape[] {
  return nodesBelow(program, []);
}

function nodesBelow(command: Command, path: readonly string[]): Shape[] {
  const node: Shape = {
    path: path.join(" "),
    about: command.description(),
    commands: command.commands.map((inner) => ({ name: inner.name(), about: inner.description() })),
    flags: [...command.options.map(flagOf), { names: ["--help"], about: "show what it does, with examples", value: { kind: "none" } }],
    argument: argumentOf(command),
  };
  return [node, ...command.commands.flatMap((inner) => nodesBelow(inner, [...path, inner.name()]))];
}

function flagOf(option: Option): Flag {
  const names = [option.short, option.long].filter((name) => name !== undefined && name !== null);
  return { names, about: option.description, value: valueBehind(option) };
}

function valueBehind({ long, required, optional, flags }: Option): Value {
  const words = WORDS[long ?? ""];
  if (words !== undefined) return { kind: "words", words };
  if (!required && !optional) return { kind: "none" };
  if (long === "--import") return { kind: "files", words: IMPORT_WORDS };
  return FILES.includes(/<(\w+)>/.exec(flags)?.[1] ?? "") ? { kind: "files", words: [] } : { kind: "free" };
}

function argumentOf(command: Command): Value {
  const [first] = command.registeredArguments;
  if (first === undefined) return { kind: "none" };
  if (first.argChoices !== undefined) return { kind: "words", words: first.argChoices };
  return FILES.includes(first.name()) ? { kind: "files", words: [] } : { kind: "free" };
}
