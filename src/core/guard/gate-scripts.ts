/**
 * Files of the repository that a command runs directly. They decide what a gate says, so they are frozen. Test files given to a runner (`node --test
 * test/a.test.js`) are compared paths, not gate scripts: they have to be able to grow.
 */
import { base, isShell, join, simpleCommands, type SimpleCommand } from "./shell-words.js";
import { textAt } from "../text-at.js";

/** Options that take the next word as their value, so that this word is not the script. */
const VALUE_OPTIONS = {
  node: ["-r", "--require", "--import", "--loader", "--experimental-loader", "--env-file", "-C", "--conditions", "--title"],
  python: ["-W", "-X", "--check-hash-based-pycs"],
  ruby: ["-I", "-r", "-C", "-E"],
  perl: ["-I"],
  php: ["-d", "-c"],
  shell: ["-o", "+o", "-O", "+O", "--rcfile", "--init-file"],
} satisfies Record<string, readonly string[]>;
type Language = keyof typeof VALUE_OPTIONS;
/** Of those, the ones whose value is run. */
const PRELOADS = new Set(["-r", "--require", "--import", "--loader", "--experimental-loader"]);
/** With these the words that follow name no script: inline code, a module, or the interpreter's own test runner. */
const NO_SCRIPT = /^(?:-c|-m|-e|-p|--eval|--print|--test|--test=.*|--run|--run=.*|--check)$/;

/** `exists` answers for plain files below the root, by relative path. */
export function gateScripts(command: string, exists: (path: string) => boolean, dir = "."): string[] {
  const found = new Set<string>();
  for (const simple of simpleCommands(command, dir)) {
    for (const word of scriptWords(simple)) {
      const path = join(simple.dir, word);
      if (!path.startsWith("/") && !path.startsWith("..") && exists(path)) found.add(path);
    }
  }
  return [...found].sort();
}

function scriptWords({ words }: SimpleCommand): string[] {
  const [name = "", ...rest] = words;
  if (name === "." || name === "source") return rest.slice(0, 1);
  const language = interpreter(name);
  if (language === null) return name.includes("/") ? [name] : [];
  const valued: readonly string[] = VALUE_OPTIONS[language];
  const found: string[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const word = textAt(rest, at);
    if (NO_SCRIPT.test(word) && !(language === "shell" && word !== "-c")) return found;
    const [option = "", value] = word.split("=", 2);
    if (value !== undefined && PRELOADS.has(option)) found.push(value);
    else if (valued.includes(word)) {
      at += 1;
      if (PRELOADS.has(word)) found.push(textAt(rest, at));
    } else if (!/^[-+]/.test(word) && !SUBCOMMANDS.has(word)) return [...found, word];
  }
  return found;
}

/** By its first line, else by its name. */
export function isShellScript(path: string, text: string): boolean {
  if (text.includes("\0")) return false;
  const interpreter = /^#!\s*(?:\S*\/)?(?:env\s+(?:-S\s+)?)?(\S+)/.exec(text)?.[1];
  return interpreter === undefined ? /\.(?:sh|bash|zsh|ksh)$/.test(path) || !base(path).includes(".") : isShell(interpreter);
}

/** `deno run x.ts`, `bun run x.ts`, `tsx watch x.ts`. */
const SUBCOMMANDS = new Set(["run", "watch"]);

function interpreter(name: string): Language | null {
  const program = base(name);
  if (isShell(name)) return "shell";
  if (/^(?:node|nodejs|tsx|ts-node|deno|bun)$/.test(program)) return "node";
  if (/^(?:python[\d.]*|pypy3?)$/.test(program)) return "python";
  return program === "ruby" || program === "perl" || program === "php" ? program : null;
}

interface TaskRunner {
  /** Files in which it looks for its targets, in its order of preference. */
  files: readonly string[];
  dirOptions: readonly string[];
  fileOptions: readonly string[];
}

const MAKE: TaskRunner = {
  files: ["GNUmakefile", "makefile", "Makefile"],
  dirOptions: ["-C", "--directory"],
  fileOptions: ["-f", "--file", "--makefile"],
};
const TASK_RUNNERS: Readonly<Record<string, TaskRunner>> = {
  make: MAKE,
  gmake: MAKE,
  just: { files: ["justfile", "Justfile", ".justfile"], dirOptions: ["-d", "--working-directory"], fileOptions: ["-f", "--justfile"] },
  task: {
    files: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"],
    dirOptions: ["-d", "--dir"],
    fileOptions: ["-t", "--taskfile"],
  },
};

/**
 * Task files of a gate that calls `make`, `just` or `task`. The whole file is frozen, because a target can be bent
 * from every line of it (variables, includes, SHELL), and names that don't exist must not appear in front of it.
 */
export function makeTargets(command: string, from = "."): string[] {
  const found = new Set<string>();
  for (const { dir, words } of simpleCommands(command, from)) {
    const runner = TASK_RUNNERS[base(textAt(words, 0))];
    if (runner === undefined) continue;
    const folder = join(dir, optionValue(words, runner.dirOptions) ?? ".");
    const file = optionValue(words, runner.fileOptions);
    for (const name of file === null ? runner.files : [file]) found.add(join(folder, name));
  }
  return [...found].sort();
}

/** `-C dir`, `-Cdir`, `--directory=dir`. */
export function optionValue(words: readonly string[], options: readonly string[]): string | null {
  for (const [at, word] of words.entries()) {
    for (const option of options) {
      if (word === option) return words[at + 1] ?? null;
      if (option.startsWith("--") ? word.startsWith(`${option}=`) : word.startsWith(option) && !word.startsWith("--")) {
        return word.slice(option.length).replace(/^=/, "");
      }
    }
  }
  return null;
}
