/**
 * The canonical form of a shell command: what it runs, without the folder it is run in, its environment,
 * its wrappers and how its output is shown. `npm test`, `cd x && npm test 2>&1 | tail -5` are one command.
 */
import { shellScript, simpleCommands, type Simple } from "./shell-commands.js";
import { quoteWord, splitShell } from "./shell-words.js";
import { replaceVolatile } from "./volatile.js";
import { textAt } from "../text-at.js";

export interface CommandReading {
  /** Canonical text; equal for equal commands. */
  signature: string;
  /** Words of each simple command that is left, program first. */
  programs: string[][];
  /** The exit code is that of a viewer (`| tail`, `; echo $?`, `|| true`), not of the command. */
  exitMasked: boolean;
  /** Only a part of the output was shown. */
  shortened: boolean;
  /** Output goes to a file that is not temporary. */
  writesFile: boolean;
}

const MAX_NESTING = 4;

export function commandSignature(command: string): string {
  return readCommand(command).signature;
}

export function readCommand(command: string, nesting = 0): CommandReading {
  const { simples, writesFile } = simpleCommands(splitShell(command));
  const { kept, pipeMasked, sequenceMasked, shortened } = dropDecoration(simples.filter(({ words }) => words.length > 0));
  const exitMasked = sequenceMasked || (pipeMasked && !/\bpipefail\b/.test(command));
  const [only, ...others] = kept;
  const script = only !== undefined && others.length === 0 && nesting < MAX_NESTING ? shellScript(only.words) : null;
  if (script === null) {
    return { signature: print(kept), programs: kept.map(({ words }) => words), exitMasked, shortened, writesFile };
  }
  const inner = readCommand(script, nesting + 1);
  return {
    ...inner,
    exitMasked: exitMasked || inner.exitMasked,
    shortened: shortened || inner.shortened,
    writesFile: writesFile || inner.writesFile,
  };
}

function print(simples: readonly Simple[]): string {
  return simples
    .map(({ joint, words }, index) => {
      const text = words.map((word, position) => quoteWord(quietWord(words, word, position))).join(" ");
      if (index === 0) return text;
      return joint === ";" || joint === "" ? `; ${text}` : ` ${joint} ${text}`;
    })
    .join("");
}

/** Flags whose number is a time, a port or a seed; the number does not make it another command. */
const NUMERIC_FLAG = /^--?(?:timeout|test-?timeout|port|seed|random-?seed|pid|max-?time|connect-timeout|retry-delay)(=|$)/i;

function quietWord(words: readonly string[], word: string, position: number): string {
  const program = words[0];
  if (position > 0 && /^\d+(?:\.\d+)?[smhd]?$/.test(word)) {
    if (program === "kill" || program === "sleep" || program === "wait") return "{n}";
    if (NUMERIC_FLAG.test(textAt(words, position - 1))) return "{n}";
  }
  if (NUMERIC_FLAG.test(word)) return word.replace(/=\d+(?:\.\d+)?[smhd]?$/, "={n}");
  return replaceVolatile(word.replace(/[\s\p{Cc}]+/gu, " "));
}

const VIEWERS = new Set(["tail", "head", "cat", "tee", "less", "more"]);
/** Their exit code says whether they found a line, not how the command before them ended. */
const FILTERS = new Set(["grep", "egrep", "rg", "sed", "awk", "sort", "uniq", "wc", "cut", "tr", "jq", "nl"]);
const PREPARATION = new Set(["cd", "pushd", "popd", "set", "export", "source", ".", "unset", "ulimit", "shopt"]);
const REMARKS = new Set(["echo", "printf", "true", ":", "exit", "done", "fi", "}", "esac"]);

interface Undecorated {
  kept: Simple[];
  pipeMasked: boolean;
  sequenceMasked: boolean;
  shortened: boolean;
}

/** Drops what only prepares, views or comments, and notes what that did to exit code and output. */
function dropDecoration(simples: readonly Simple[]): Undecorated {
  const result: Undecorated = { kept: [...simples], pipeMasked: false, sequenceMasked: false, shortened: false };
  let before = -1;
  // What is dropped can leave its neighbour as decoration, so this goes on until all that is left counts.
  while (before !== result.kept.length) {
    before = result.kept.length;
    dropOnce(result);
  }
  return result;
}

function dropOnce(result: Undecorated): void {
  const simples = result.kept.map((simple, index) => (index === 0 ? { ...simple, joint: "" } : simple));
  const kept: Simple[] = [];
  simples.forEach((simple, index) => {
    const program = textAt(simple.words, 0);
    const piped = isPipe(simple.joint);
    if (piped && kept.length > 0 && VIEWERS.has(program) && !readsFile(simple.words)) {
      result.pipeMasked = true;
      result.shortened ||= program === "tail" || program === "head";
    } else if (!piped && !isPipe(simples[index + 1]?.joint) && (PREPARATION.has(program) || REMARKS.has(program))) {
      const endsAsBefore = simple.joint === "&&" || (program === "exit" && simple.words[1] !== "0");
      if (kept.length > 0 && !endsAsBefore) result.sequenceMasked = true;
    } else {
      result.pipeMasked ||= piped && FILTERS.has(program);
      kept.push(simple);
    }
  });
  result.kept = kept.length > 0 ? kept : simples.slice(-1);
}

function isPipe(joint: string | undefined): boolean {
  return joint === "|" || joint === "|&";
}

/** `tail -n 5 file` reads a file, `tail -n 5` the pipe. */
function readsFile(words: readonly string[]): boolean {
  if (words[0] === "tee") return false;
  return words.slice(1).some((word) => !word.startsWith("-") && !/^\+?\d+$/.test(word));
}
