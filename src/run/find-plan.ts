/** Finds what a run is about: a plan file, an objective, or both. */
import { statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { DEFAULT_PLAN } from "../core/paths.js";
import { Refusal } from "./refusal.js";

/** Looked for in this order when nothing is named; the later ones are other tools' names. */
export const PLAN_NAMES = [DEFAULT_PLAN, "RALPH_TASK.md", "prd.json", "fix_plan.md", "IMPLEMENTATION_PLAN.md", "PROMPT.md"];

export interface Subject {
  /** Relative to the root with `/`; null without a plan. */
  plan: string | null;
  objective: string | null;
}

/** `argument` is what was typed: a path or a sentence; `-` reads the objective from standard input. */
export async function findSubject(options: { argument: string | null; root: string; cwd: string; stdin: (() => Promise<string>) | null }): Promise<Subject> {
  const { argument, root, cwd, stdin } = options;
  if (argument === "-") return fromStdin(stdin);
  if (argument !== null) return fromArgument(argument, root, cwd);
  const plan = PLAN_NAMES.find((name) => isFile(join(root, name)));
  if (plan !== undefined) return { plan, objective: null };
  if (stdin !== null) return fromStdin(stdin);
  throw new Refusal(
    `No plan was found: none of ${PLAN_NAMES.join(", ")} stands in ${root}.\n` +
      'Write one with `ralphd init`, name one with `ralphd run path/to/plan.md`, or say what you want: `ralphd run "make the tests pass" --gate "npm test"`.',
  );
}

function fromArgument(argument: string, root: string, cwd: string): Subject {
  const path = resolve(cwd, argument);
  if (isFile(path)) {
    const plan = relative(root, path).split(sep).join("/");
    if (plan.startsWith("..") || isAbsolute(plan)) throw new Refusal(`The plan ${argument} lies outside of the repository ${root}.`);
    return { plan, objective: null };
  }
  if (argument.trim() === "") throw new Refusal("The objective is empty.");
  // One word that looks like a file name was meant as one.
  if (!/\s/.test(argument) && /[./\\]/.test(argument)) throw new Refusal(`There is no plan file ${argument} (looked in ${cwd}).`);
  return { plan: null, objective: argument };
}

async function fromStdin(stdin: (() => Promise<string>) | null): Promise<Subject> {
  const objective = stdin === null ? "" : (await stdin()).trim();
  if (objective === "") {
    throw new Refusal("There is no plan, and standard input gave no objective. Write a plan with `ralphd init`, or put the objective in quotes.");
  }
  return { plan: null, objective };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
