/** Gates as data: what is checked, and what came out. The kinds that exist are added here, one variant each. */
import type { Settings } from "./settings.js";
import type { Usage } from "./usage.js";
import type { Verdict } from "./words.js";

export interface GateCommon {
  name: string;
  /** Advisory gates are reported and fed back, but never refuse anything. */
  required: boolean;
  /** `plan`: judged on run-level claims. `tasks`: only for tasks that name it. */
  scope: "plan" | "tasks";
  /** `claim`: when its task is ticked or the run claims its end. `iteration`: also after every iteration. */
  when: "claim" | "iteration";
  timeoutMs: number;
  /** Further tries after a failure; a pass after a fail is recorded as flaky. */
  retries: number;
  /** `require`: a gate that was red at the start must become green. `allow`: only new failing names count. */
  baseline: "require" | "allow";
}

/** `run` is given to `sh -c` at the repository's root. */
export type RunGate = GateCommon & { kind: "run"; run: string };

/** The file's text must match; `^` and `$` stand at line ends. */
export type FileGate = GateCommon & { kind: "file"; file: string; matches: string };

export type Scalar = string | number | boolean | null;
export type FieldExpectation = { kind: "equals"; value: Scalar } | { kind: "range"; min: number | null; max: number | null };
/** One field of a JSON or YAML file. `path` is dotted, with list indexes as numbers or in brackets. */
export type FieldGate = GateCommon & { kind: "json" | "yaml"; file: string; path: string; expect: FieldExpectation };

/** One GET. `host` names the one host beside loopback that may be asked; null for loopback alone. */
export type HttpGate = GateCommon & { kind: "http"; url: string; host: string | null; status: number; body: string | null };

/** What the run may have changed, held against the tree that it began on. Each rule is null or empty when not asked for. */
export interface DiffRules {
  only: string[] | null;
  /** Added plus removed lines. */
  maxLines: number | null;
  noDeletedAssertions: string[];
  noSkips: string[];
}
export type DiffGate = GateCommon & { kind: "diff" } & DiffRules;

/** Who answers a rubric; another model than the maker's is the stronger witness. */
export interface Reviewer {
  agent: "anthropic" | "claude" | "command";
  model: string | null;
  /** For `command`: program and arguments. For `claude`: replaces the found executable when set. */
  argv: string[];
}

/** Questions that a good change answers with "yes" and that can be answered with "no". */
export type RubricGate = GateCommon & {
  kind: "rubric";
  questions: string[];
  /** Files shown beside the diff, relative to the root. */
  artefacts: string[];
  reviewer: Reviewer;
  votes: number;
  /** Share of the votes that must agree on every question, 0 to 1; below it a person has to decide. */
  minConfidence: number;
};

export type GateSpec = RunGate | FileGate | FieldGate | HttpGate | DiffGate | RubricGate;

/** Says the same of the same input each time and costs nothing; the others are asked only when these pass. */
export function isDeterministic(spec: Pick<GateSpec, "kind">): boolean {
  return spec.kind !== "rubric";
}

/** Judges the trees in git alone, so that a clean worktree of the same tree gives the same verdict. */
export function judgesTree(spec: Pick<GateSpec, "kind">): boolean {
  return spec.kind === "diff" || spec.kind === "rubric";
}

export interface GateResult {
  name: string;
  verdict: Verdict;
  /** One line for people and for the next prompt, never empty. */
  reason: string;
  required: boolean;
  /** Sorted names of failing checks, as far as the runner prints them. */
  failing: string[];
  /** Equal fingerprints mean: failing in the same way. `pass` for a pass. */
  fingerprint: string;
  /** Tests that ran, for known runners; null when unknown. */
  testsRun: number | null;
  exitCode: number | null;
  durationMs: number;
  flaky: boolean;
  /** The whole output, below the run's folder; null when nothing was captured. */
  outputPath: string | null;
  /** Compressed failure text for the next prompt; null on a pass. */
  detail: string | null;
  /** Share of the votes that agreed, 0 to 1; absent or null for gates that are not voted on. */
  confidence?: number | null | undefined;
  /** What asking a model took; absent or null for gates that ask none. */
  usage?: Usage | null | undefined;
}

/** The gate in one line, as a person would write it. */
export function gateText(spec: GateSpec): string {
  switch (spec.kind) {
    case "run":
      return spec.run;
    case "file":
      return `${spec.file} matches /${spec.matches}/`;
    case "json":
    case "yaml":
      return `${spec.file}: ${spec.path} ${expectationText(spec.expect)}`;
    case "http":
      return `GET ${spec.url} gives ${spec.status}${spec.body === null ? "" : ` and matches /${spec.body}/`}`;
    case "diff":
      return diffText(spec);
    case "rubric":
      return `${spec.questions.length} question(s), ${spec.votes} vote(s) of ${[spec.reviewer.agent, spec.reviewer.model, ...spec.reviewer.argv].filter((part) => part !== null).join(" ")}`;
  }
}

export function expectationText(expect: FieldExpectation): string {
  if (expect.kind === "equals") return `equals ${JSON.stringify(expect.value)}`;
  const parts = [expect.min === null ? [] : [`at least ${expect.min}`], expect.max === null ? [] : [`at most ${expect.max}`]].flat();
  return `is ${parts.join(" and ")}`;
}

function diffText(rules: DiffRules): string {
  return [
    rules.only === null ? [] : [`only ${rules.only.join(", ")}`],
    rules.maxLines === null ? [] : [`at most ${rules.maxLines} lines`],
    rules.noDeletedAssertions.length === 0 ? [] : [`no deleted assertion in ${rules.noDeletedAssertions.join(", ")}`],
    rules.noSkips.length === 0 ? [] : [`no skip in ${rules.noSkips.join(", ")}`],
  ]
    .flat()
    .join("; ");
}

/** What the gate starts as a process of the repository, as text; null when it starts none. Such commands need trust, and their scripts are frozen. */
export function gateCommand(spec: GateSpec): string | null {
  if (spec.kind === "run") return spec.run;
  if (spec.kind !== "rubric" || spec.reviewer.argv.length === 0) return null;
  return commandLine(spec.reviewer.argv);
}

/** As it would be typed; a command that is a line for the shell already is that line. */
function commandLine(argv: readonly string[]): string {
  const [file, flag, line, ...rest] = argv;
  if (file === "sh" && flag === "-c" && line !== undefined && rest.length === 0) return line;
  return argv.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : JSON.stringify(part))).join(" ");
}

/**
 * Every command whose scripts and programs are frozen: of gates, `setup`, hooks and notifications. What only a hidden
 * gate runs as well, which tells no agent what it checks.
 */
export function frozenCommands({ gates, hiddenGates, setup, hooks, notify }: Pick<Settings, "gates" | "hiddenGates" | "setup" | "hooks" | "notify">): string[] {
  return [
    ...[...gates, ...hiddenGates].flatMap((gate) => gateCommand(gate) ?? foundReviewer(gate) ?? []),
    ...(setup === null ? [] : [setup]),
    ...Object.values(hooks).map(({ argv }) => commandLine(argv)),
    ...notify.flatMap((spec) => (spec.kind === "command" ? [commandLine(spec.argv)] : [])),
  ];
}

/** A reviewer that is found by its name alone: nobody may put another one in front of it. */
function foundReviewer(spec: GateSpec): string | null {
  return spec.kind === "rubric" && spec.reviewer.agent === "claude" ? "claude" : null;
}
