/**
 * Takes a shell command apart into its simple commands, far enough to see which programs a gate starts.
 * Not a shell: expansions stay as they are, and a word that can't be known is simply no file of the repository.
 */
import { textAt } from "../text-at.js";

export interface SimpleCommand {
  /** Folder relative to the root after the `cd`s before it; `.` is the root. */
  dir: string;
  /** Program first; assignments and words such as `env`, `time`, `if` taken off. */
  words: string[];
}

/** Words that stand before the program they start. */
const PREFIXES = new Set("if then else elif while until do ! { time exec command builtin nohup env sudo nice xvfb-run cross-env".split(" "));
const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash"]);

export function simpleCommands(command: string, dir = "."): SimpleCommand[] {
  const found: SimpleCommand[] = [];
  let here = dir;
  for (const part of split(command)) {
    const words = program(part);
    const [name = "", first = ""] = words;
    if (name === "cd" || name === "pushd") here = join(here, first);
    const script = SHELLS.has(base(name)) ? inlineScript(words) : name === "eval" ? words.slice(1).join(" ") : null;
    if (script !== null) found.push(...simpleCommands(script, here));
    else if (name !== "") found.push({ dir: here, words });
  }
  return found;
}

/** `a/b` and `../c` become `a/c`; `..` above the root stays and matches no file. */
export function join(dir: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${dir}/${path}`).split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  const joined = parts.join("/");
  if (path.startsWith("/")) return `/${joined}`;
  return joined === "" ? "." : joined;
}

export function base(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function isShell(name: string): boolean {
  return SHELLS.has(base(name));
}

/** The word after `-c`, also in `-ec`. */
function inlineScript(words: readonly string[]): string | null {
  const flag = words.findIndex((word, at) => at > 0 && /^-[a-z]*c[a-z]*$/.test(word));
  return flag < 0 ? null : (words[flag + 1] ?? null);
}

function program(words: string[]): string[] {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = textAt(words, at);
    if (/^[A-Za-z_]\w*=/.test(word) || PREFIXES.has(base(word))) continue;
    // `timeout [options] 60 program`
    if (/^g?timeout$/.test(base(word))) {
      while (/^-/.test(textAt(words, at + 1))) at += /^-[ks]$/.test(textAt(words, at + 1)) ? 2 : 1;
      at += 1;
      continue;
    }
    if (at > 0 && word.startsWith("-") && PREFIXES.has(base(textAt(words, at - 1)))) continue;
    break;
  }
  return words.slice(at);
}

/** Words of each simple command, with quotes and redirections taken away. */
function split(command: string): string[][] {
  const commands: string[][] = [[]];
  let word: string | null = null;
  let skipWord = false;
  const endWord = (): void => {
    if (word !== null && !skipWord) commands.at(-1)?.push(word);
    if (word !== null) skipWord = false;
    word = null;
  };
  for (let at = 0; at < command.length; at += 1) {
    const char = command.charAt(at);
    if (char === "\\") {
      at += 1;
      // A line that goes on.
      if (command[at] !== "\n") word = (word ?? "") + command.charAt(at);
    } else if (char === "'" || char === '"') {
      const end = closingQuote(command, at);
      word = (word ?? "") + unquote(command.slice(at + 1, end), char);
      at = end;
    } else if (char === "#" && word === null) {
      const end = command.indexOf("\n", at);
      at = (end < 0 ? command.length : end) - 1;
    } else if (char === ">" || char === "<") {
      if (/^\d+$/.test(word ?? "")) word = null;
      endWord();
      while (/[<>&]/.test(command.charAt(at + 1))) at += 1;
      skipWord = true;
    } else if (/[;&|()\n]/.test(char)) {
      endWord();
      skipWord = false;
      commands.push([]);
    } else if (/\s/.test(char)) endWord();
    else word = (word ?? "") + char;
  }
  endWord();
  return commands.filter((words) => words.length > 0);
}

function closingQuote(command: string, open: number): number {
  const quote = command[open];
  for (let at = open + 1; at < command.length; at += 1) {
    if (quote === '"' && command[at] === "\\") at += 1;
    else if (command[at] === quote) return at;
  }
  return command.length;
}

function unquote(text: string, quote: string): string {
  return quote === "'" ? text : text.replace(/\\(["\\$`])/g, "$1");
}
