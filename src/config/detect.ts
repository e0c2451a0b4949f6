/** Looks at a project's root and proposes the commands that can say no: tests, lint, type check, and the setup for them. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { detectCargo, detectGo } from "./detect/compiled.js";
import { detectMake } from "./detect/make.js";
import { detectNode } from "./detect/node.js";
import { detectPython } from "./detect/python.js";
import { NOTHING, type ProjectFiles, type Proposal } from "./detect/types.js";

export type { Proposal } from "./detect/types.js";

/** Make comes last: its targets mostly call what the others have found. */
const DETECTORS = [detectNode, detectPython, detectGo, detectCargo, detectMake];

export function detectProject(root: string): Proposal {
  const files = projectFiles(root);
  return DETECTORS.map((detect) => detect(files)).reduce(merge, NOTHING);
}

const LANGUAGES: Readonly<Record<string, string>> = { uv: "Python", poetry: "Python", pytest: "Python", python: "Python", go: "Go", cargo: "Rust" };

/** For the person who reads whether the guess is right; empty when nothing was recognised. */
export function languagesOf(root: string, tools: readonly string[]): string[] {
  const script = projectFiles(root).has("tsconfig.json") ? "TypeScript" : "JavaScript";
  const named = tools.flatMap((tool) => (["npm", "pnpm", "yarn", "bun"].includes(tool) ? script : (LANGUAGES[tool] ?? [])));
  return [...new Set(named)];
}

/** A second tool's gate keeps its kind in its name; make only fills what is missing. */
function merge(all: Proposal, next: Proposal): Proposal {
  const tool = next.tools[0] ?? "";
  const added = next.gates
    .filter((gate) => tool !== "make" || !all.gates.some((known) => known.kind === gate.kind))
    .map((gate) => (all.gates.some((known) => known.name === gate.name) ? { ...gate, name: `${tool}-${gate.name}` } : gate));
  const setups = [all.setup, next.setup].filter((setup) => setup !== null);
  return {
    tools: tool === "make" && added.length === 0 ? all.tools : [...all.tools, ...next.tools],
    setup: setups.length === 0 ? null : setups.join(" && "),
    gates: [...all.gates, ...added],
    notes: [...all.notes, ...next.notes],
  };
}

function projectFiles(root: string): ProjectFiles {
  return {
    read: (path) => orElse(() => readFileSync(join(root, path), "utf8"), null),
    has: (path) => orElse(() => statSync(join(root, path)).isFile(), false),
    list: (path) => orElse(() => readdirSync(join(root, path)), []),
  };
}

function orElse<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    // Detection only proposes: a file that can't be looked at is as good as absent.
    return otherwise;
  }
}
