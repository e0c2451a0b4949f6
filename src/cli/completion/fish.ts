/** The completion script for fish. */
import type { Flag, Shape, Value } from "./shape.js";

export function fishScript(nodes: readonly Shape[]): string {
  const known = nodes.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  return `# Completion of ralphd for fish.
# True behind these words of the command line, flags left out.
function __ralphd_at
    set -l at
    for word in (commandline -opc)[2..-1]
        # What follows is somebody else's command line.
        test "$word" = --; and return 1
        set -l longer (string join ' ' -- $at $word)
        contains -- "$longer" ${known.join(" ")}; and set at $longer
    end
    test "$at" = "$argv[1]"
end
complete -c ralphd -f
complete -c ralphd -n 'contains -- -- (commandline -opc)' -F
${nodes.flatMap(lines).join("\n")}
`;
}

function lines(node: Shape): string[] {
  const here = `complete -c ralphd -n ${quoted(`__ralphd_at ${node.path === "" ? '""' : `"${node.path}"`}`)}`;
  const commands = node.commands.map(({ name, about }) => `${here} -a ${name} -d ${quoted(about)}`);
  const flags = node.flags.map((flag) => `${here} ${names(flag)}${valueBehind(flag.value)} -d ${quoted(flag.about)}`);
  return [...commands, ...flags, ...argument(here, node.argument)];
}

const names = (flag: Flag): string => flag.names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(" ");

function valueBehind(value: Value): string {
  switch (value.kind) {
    case "none":
      return "";
    case "free":
      return " -x";
    case "words":
      return ` -x -a ${quoted(value.words.join(" "))}`;
    case "files":
      return ` -r -F${value.words.length === 0 ? "" : ` -a ${quoted(value.words.join(" "))}`}`;
  }
}

function argument(here: string, value: Value): string[] {
  if (value.kind === "files") return [`${here} -F`];
  return value.kind === "words" ? [`${here} -a ${quoted(value.words.join(" "))}`] : [];
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
