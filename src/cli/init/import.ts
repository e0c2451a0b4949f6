/** What `--import` names: another tool's plan, an old guardrails.md, or the open issues of the repository. */
import { basename, resolve } from "node:path";
import { readIfThere } from "../../config/files.js";
import { importPlan } from "../../core/plan/import.js";
import { GUARDRAILS_DIR } from "../../core/paths.js";
import { formatSign } from "../../core/sign.js";
import { readOldGuardrails } from "../../core/sign-import.js";
import { lintSign, signProblemText } from "../../core/sign-lint.js";
import { slugOf } from "../../core/plan/task-id.js";
import type { InitFile } from "./files.js";

export interface PlanBody {
  body: string;
  frontMatter: string | null;
  gates: { name: string; run: string }[];
}

export type Imported =
  | { kind: "plan"; from: string; plan: PlanBody; notes: string[] }
  | { kind: "signs"; from: string; files: InitFile[]; notes: string[] }
  | { kind: "refused"; message: string };

export interface ImportRequest {
  /** A path as typed, `gh` or `gh:LABEL`. */
  from: string;
  root: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export async function readImport(request: ImportRequest): Promise<Imported> {
  const { from } = request;
  const issues = /^gh(?::(.+))?$/.exec(from);
  // A file of that name is meant as a file.
  if (issues !== null && readText(request) === null) return fromIssues(request, issues[1] ?? null);
  const source = readText(request);
  if (source === null) return { kind: "refused", message: `--import: there is no file ${from} (looked in ${request.cwd}).` };
  const signs = readSigns(source, from);
  if (signs !== null) return signs;
  const plan = importPlan(source, basename(from));
  if (plan.kind === "none") return { kind: "refused", message: `--import: ${from} can't become a plan: ${plan.why}.` };
  return { kind: "plan", from, plan: { body: plan.body, frontMatter: plan.frontMatter, gates: plan.gates }, notes: plan.notes };
}

function readText({ from, cwd }: ImportRequest): string | null {
  try {
    return readIfThere(resolve(cwd, from));
  } catch {
    // A folder or a file that is not ours to read; the caller names it.
    return null;
  }
}

async function fromIssues({ root, env }: ImportRequest, label: string | null): Promise<Imported> {
  const { readIssues } = await import("./issues.js");
  const issues = readIssues({ root, env, label });
  if (issues.kind === "failed") return { kind: "refused", message: issues.message };
  return { kind: "plan", from: "GitHub issues", plan: { body: issues.body, frontMatter: null, gates: [] }, notes: issues.notes };
}

/** null when the file has no `### Sign:` blocks and so is something else. */
export function readSigns(source: string, from: string): Extract<Imported, { kind: "signs" | "refused" }> | null {
  const { signs, incomplete } = readOldGuardrails(source);
  if (signs.length + incomplete.length === 0) return null;
  const notes = incomplete.map((title) => `left out the sign ${JSON.stringify(title)}: it needs a trigger and an instruction`);
  const names = new Set<string>();
  const files: InitFile[] = [];
  for (const { title, sign } of signs) {
    const problem = lintSign(sign);
    if (problem !== null) notes.push(`left out the sign ${JSON.stringify(title)}: ${signProblemText(problem)}`);
    else files.push({ path: `${GUARDRAILS_DIR}/${freeName(title, names)}.md`, content: formatSign(sign) });
  }
  if (files.length === 0) return { kind: "refused", message: `--import: ${from} has no sign that agents may be shown: ${notes.join("; ")}.` };
  return { kind: "signs", from, files, notes };
}

function freeName(title: string, taken: Set<string>): string {
  const slug = slugOf(title) || "sign";
  let name = slug;
  for (let number = 2; taken.has(name); number += 1) name = `${slug}-${number}`;
  taken.add(name);
  return name;
}
