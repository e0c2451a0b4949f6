/** Makefiles: the targets that by custom check a project. */
import { gate, NOTHING, type ProjectFiles, type ProposedGate, type Proposal } from "./types.js";

/** As make itself looks for them. */
const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];
const TARGETS: readonly { kind: ProposedGate["kind"]; names: readonly string[] }[] = [
  { kind: "test", names: ["test", "check"] },
  { kind: "lint", names: ["lint"] },
];

export function detectMake(files: ProjectFiles): Proposal {
  const source = MAKEFILES.map((name) => files.read(name)).find((text) => text !== null);
  if (source === undefined || source === null) return NOTHING;
  const gates = TARGETS.flatMap(({ kind, names }) => {
    const target = names.find((name) => hasTarget(source, name));
    return target === undefined ? [] : [gate(kind, `make ${target}`)];
  });
  return gates.length === 0 ? NOTHING : { tools: ["make"], setup: null, gates, notes: [] };
}

/** `test lint: deps` declares both; `.PHONY: test` and `test := x` declare none. */
function hasTarget(source: string, target: string): boolean {
  return source.split(/\r?\n/).some((line) => {
    const rule = /^([^\s#:=.][^:=#]*?)\s*::?(?!=)/.exec(line);
    return rule?.[1]?.split(/\s+/).includes(target) ?? false;
  });
}
