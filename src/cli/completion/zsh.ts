/** The completion script for zsh; works sourced and as a file `_ralphd` of the function path. */
import type { Shape, Value } from "./shape.js";

export function zshScript(nodes: readonly Shape[]): string {
  return `#compdef ralphd
# Completion of ralphd for zsh.
_ralphd() {
  local cur=$words[CURRENT] prev=$words[CURRENT-1] at="" word
  local -a commands flags
  for word in $words[2,CURRENT-1]; do
    # What follows is somebody else's command line.
    if [[ $word == -- ]]; then _files; return; fi
    case "\${at:+$at }$word" in
      ${nodes
        .filter(({ path }) => path !== "")
        .map(({ path }) => `"${path}"`)
        .join("|")}) at="\${at:+$at }$word" ;;
    esac
  done
  if [[ $cur == --*=* ]]; then prev=\${cur%%=*}; compset -P '*='; fi
  case "$at $prev" in
${nodes.flatMap(valueCases).join("\n")}
  esac
  case "$at" in
${nodes.map(nodeCase).join("\n")}
  esac
}
if [[ $funcstack[1] == _ralphd ]]; then _ralphd "$@"; elif (( $+functions[compdef] )); then compdef _ralphd ralphd; fi
`;
}

function valueCases({ path, flags }: Shape): string[] {
  return flags
    .filter(({ value }) => value.kind !== "none")
    .map(({ names, value }) => `    ${names.map((name) => `"${path} ${name}"`).join("|")}) ${proposals(value)} return ;;`);
}

function nodeCase({ path, commands, flags, argument }: Shape): string {
  const all = flags.flatMap(({ names, about }) => names.map((name) => described(name, about)));
  const inner = commands.map(({ name, about }) => described(name, about));
  const first = inner.length > 0 ? `commands=(${inner.join(" ")}); _describe command commands;` : proposals(argument);
  const show = "_describe -o flag flags;";
  return `    "${path}")\n      flags=(${all.join(" ")})\n      if [[ $cur == -* ]]; then ${show} else ${first === "" ? show : first} fi ;;`;
}

function proposals(value: Value): string {
  switch (value.kind) {
    case "none":
    case "free":
      return "";
    case "words":
      return `compadd -- ${value.words.join(" ")};`;
    case "files":
      return value.words.length === 0 ? "_files;" : `compadd -- ${value.words.join(" ")}; _files;`;
  }
}

/** `name:what it is`, in single quotes. */
function described(name: string, about: string): string {
  return `'${`${name.replaceAll(":", "\\:")}:${about}`.replaceAll("'", "'\\''")}'`;
}
