/** The completion script for bash; runs in the bash 3.2 of macOS as well. */
import type { Shape, Value } from "./shape.js";

export function bashScript(nodes: readonly Shape[]): string {
  return `# Completion of ralphd for bash.
_ralphd() {
  local cur prev path="" word i IFS=$' \\t\\n'
  COMPREPLY=()
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  # bash splits --flag=value into three words.
  if [[ "$cur" == "=" ]]; then cur=""
  elif [[ "$prev" == "=" ]] && (( COMP_CWORD > 2 )); then prev="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for (( i = 1; i < COMP_CWORD; i++ )); do
    word="\${COMP_WORDS[i]}"
    # What follows is somebody else's command line.
    if [[ "$word" == "--" ]]; then COMPREPLY=( $(compgen -f -- "$cur") ); return; fi
    case "\${path:+$path }$word" in
      ${paths(nodes)}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path $prev" in
${nodes.flatMap(valueCases).join("\n")}
  esac
  case "$path" in
${nodes.map(nodeCase).join("\n")}
  esac
}
complete -F _ralphd ralphd
`;
}

const quoted = (text: string): string => `"${text}"`;
const paths = (nodes: readonly Shape[]): string =>
  nodes
    .filter(({ path }) => path !== "")
    .map(({ path }) => quoted(path))
    .join("|");

function valueCases({ path, flags }: Shape): string[] {
  return flags
    .filter(({ value }) => value.kind !== "none")
    .map(({ names, value }) => `    ${names.map((name) => quoted(`${path} ${name}`)).join("|")}) ${proposals(value)} return ;;`);
}

function nodeCase({ path, commands, flags, argument }: Shape): string {
  const flagWords = flags.flatMap(({ names }) => names).join(" ");
  const first = commands.length > 0 ? words(commands.map(({ name }) => name)) : proposals(argument);
  const plain = first === "" ? words(flagWords.split(" ")) : first;
  return `    ${quoted(path)}) if [[ "$cur" == -* ]]; then ${words(flagWords.split(" "))} else ${plain} fi ;;`;
}

function proposals(value: Value): string {
  switch (value.kind) {
    case "none":
    case "free":
      return "";
    case "words":
      return words(value.words);
    case "files":
      return `compopt -o filenames 2>/dev/null; IFS=$'\\n'; COMPREPLY=( $(compgen -f -- "$cur")${value.words.length === 0 ? "" : ` $(compgen -W ${quoted(value.words.join(" "))} -- "$cur")`} );`;
  }
}

const words = (all: readonly string[]): string => `COMPREPLY=( $(compgen -W ${quoted(all.join(" "))} -- "$cur") );`;
