/** Finds the commands that pages and help texts show, and holds each against the program's own command line. */
import type { Command, Option } from "commander";

export interface Shown {
  /** Page or command whose help it is, and what stands there. */
  where: string;
  words: string[];
  /** Whole commands have all their arguments; inline mentions may be short. */
  whole: boolean;
}

/** Commands in fenced `sh` and `console` blocks, and those in backticks. */
export function shownIn(where: string, page: string): Shown[] {
  const blocks = [...page.matchAll(/^```(?:sh|console)\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) => block.split("\n"));
  const prose = page.replace(/^```[\s\S]*?^```/gm, "");
  const inline = [...prose.matchAll(/`(ralphd [^`]*)`/g)].map(([, text = ""]) => text);
  return [...blocks.flatMap((line) => commandsOf(where, line, true)), ...inline.flatMap((text) => commandsOf(where, text, false))];
}

/** The lines below `Examples:`; what a line does follows its command after two blanks. */
export function shownInHelp(where: string, help: string): Shown[] {
  const examples = help.split("Examples:\n")[1]?.split(/\n\n/)[0] ?? "";
  return examples.split("\n").flatMap((line) => commandsOf(where, line.trim().replace(/ {2,}.*$/, ""), true));
}

function commandsOf(where: string, line: string, whole: boolean): Shown[] {
  return splitCommands(line)
    .filter(([program]) => program === "ralphd")
    .map((words) => ({ where: `${where}: ${line.trim()}`, words: words.slice(1), whole }));
}

/** Words as a shell sees them, by command; quotes group, a comment ends. */
function splitCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [token] of line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s;|&()"'])+|&&|\|\||[;|&()]/g)) {
    if (token.startsWith("#")) break;
    if (/^[;|&()]/.test(token)) commands.push([]);
    else commands.at(-1)?.push(token.replace(/^["']|["']$/g, ""));
  }
  return commands.map((words) => words.slice(0, words.findIndex((word) => /^\d?[<>]/.test(word)) >>> 0)).filter((words) => words.length > 0);
}

/** Null when the program has all of it; else what it lacks. */
export function objection({ words, whole }: Shown, program: Command): string | null {
  const dashes = words.indexOf("--");
  const ours = dashes === -1 ? words : words.slice(0, dashes);
  let command = program;
  let rest = ours;
  for (;;) {
    const inner = command.commands.find((one) => one.name() === rest[0]);
    if (inner === undefined) break;
    command = inner;
    rest = rest.slice(1);
  }
  if (command.commands.length > 0 && rest[0] !== undefined && !rest[0].startsWith("-") && !/^[A-Z…<]/.test(rest[0])) return `there is no command ${rest[0]}`;
  const positional = takeFlags(command, rest);
  if (typeof positional === "string") return positional;
  const args = command.registeredArguments;
  if (args.at(-1)?.variadic !== true && positional.length > args.length) return `${positional.at(-1)} is one argument too many`;
  const needed = args.filter((argument) => argument.required).length;
  return whole && command !== program && positional.length < needed ? `${args[positional.length]?.name()} is missing` : null;
}

/** What is left beside known flags and their values; a sentence about an unknown one. */
function takeFlags(command: Command, words: readonly string[]): string[] | string {
  const positional: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (!/^--?\w/.test(word) || word === "--help" || word === "-h") {
      if (!/^--?\w/.test(word)) positional.push(word);
      continue;
    }
    const [name, value] = word.split("=", 2);
    const option: Option | undefined = command.options.find(({ long, short }) => long === name || short === name);
    if (option === undefined) return `${command.name()} has no flag ${name}`;
    if (option.required && value === undefined) index += 1;
  }
  return positional;
}
