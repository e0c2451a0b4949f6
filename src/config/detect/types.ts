/** What detection proposes for a project, and what it may look at. */

export interface Proposal {
  /** `npm`, `pytest`, `go` and so on, for the person who reads the list. */
  tools: string[];
  /** Prepares a clean checkout; null when nothing is needed or nothing is safe to propose. */
  setup: string | null;
  gates: ProposedGate[];
  /** What was seen and left out, with the reason. */
  notes: string[];
}

export interface ProposedGate {
  name: string;
  run: string;
  kind: "test" | "lint" | "types";
}

/** Files of the project's root; paths use `/`. */
export interface ProjectFiles {
  /** null when absent or unreadable. */
  read(path: string): string | null;
  has(path: string): boolean;
  /** Names in a folder; empty when there is none. */
  list(path: string): string[];
}

export const NOTHING: Proposal = { tools: [], setup: null, gates: [], notes: [] };

/** The usual name of a kind's gate. */
const GATE_NAMES = { test: "tests", lint: "lint", types: "types" } as const;

export function gate(kind: ProposedGate["kind"], run: string): ProposedGate {
  return { name: GATE_NAMES[kind], run, kind };
}

/** True when the text has the section header of a TOML or INI file, such as `[tool.mypy]`; sub-sections count. */
export function hasSection(text: string | null, name: string): boolean {
  if (text === null) return false;
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^\\s*\\[{1,2}\\s*${escaped}(\\.[^\\]]*)?\\s*\\]`, "m").test(text);
}
