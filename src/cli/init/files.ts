/** Decides which files `ralphd init` writes, and writes those that do not exist yet. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Proposal } from "../../config/detect.js";
import { CONFIG_FILE, GUARDRAILS_DIR, PROGRESS_FILE, PROMPTS_DIR, RALPH_DIR, SCHEMAS_DIR, STATE_DIR } from "../../core/paths.js";
import { systemCode } from "../../core/disk-error.js";
import { unsafePath } from "../../journal/unsafe-path.js";
import { shippedFile } from "../../shipped.js";
import type { PlanBody } from "./import.js";
import { configText, importedPlanText, NO_CHECKS, PROGRESS_TEXT, planText } from "./texts.js";

export interface InitFile {
  /** Relative to the root. */
  path: string;
  content: string;
  /** What it is for, in a few words. */
  about?: string;
  /** The shipped file that it is a copy of, where its content is of no interest to people. */
  copyOf?: string;
}

/** What stands in the repository already. */
export interface Present {
  plan: boolean;
  config: boolean;
  /** Where gates or setup stand by now; they are then not written a second time. */
  checks: "plan" | "config" | "nowhere";
}

/** Where the detected gates go: into the first file that init writes, unless some stand somewhere already. */
export type ChecksHome = "plan" | "config" | "nowhere";

export function checksHome(present: Present): ChecksHome {
  if (present.checks !== "nowhere") return "nowhere";
  if (!present.plan) return "plan";
  return present.config ? "nowhere" : "config";
}

export interface Wanted {
  plan: string;
  present: Present;
  proposal: Proposal;
  /** Chosen by a person; null leaves it to `auto`. */
  agent: string | null;
  imported: PlanBody | null;
  signs: readonly InitFile[];
}

export function filesToWrite({ plan, present, proposal, agent, imported, signs }: Wanted): InitFile[] {
  const home = checksHome(present);
  const checks = home === "plan" ? proposal : NO_CHECKS;
  // An existing plan is never touched, so a text for it is only needed for the list of what was kept.
  const planContent = imported === null ? planText(checks, present.checks === "config", plan) : importedPlanText(imported, checks, plan);
  return [
    { path: CONFIG_FILE, content: configText(home === "config" ? proposal : NO_CHECKS, agent), about: "settings, all of them optional" },
    ...["config.schema.json", "plan.schema.json"].map((name) => ({
      path: `${SCHEMAS_DIR}/${name}`,
      content: shipped(`state/${name}`),
      about: "lets editors complete the settings",
      copyOf: `state/${name}`,
    })),
    { path: `${PROMPTS_DIR}/README.md`, content: shipped("prompts/overriding.md"), about: "how to change the prompts" },
    {
      path: `${GUARDRAILS_DIR}/repeat-nothing-unchanged.md`,
      content: shipped("guardrails/repeat-nothing-unchanged.md"),
      about: "a first sign: a lesson that every agent is shown",
    },
    ...signs.map((sign) => ({ ...sign, about: "a sign that was taken over, as a draft" })),
    { path: PROGRESS_FILE, content: PROGRESS_TEXT, about: "what one iteration tells the next" },
    { path: `${RALPH_DIR}/.gitignore`, content: `${STATE_DIR.slice(RALPH_DIR.length + 1)}/\n`, about: "keeps reports and logs out of git" },
    {
      path: plan,
      content: planContent,
      about: imported === null ? "the plan: your tasks, and the gates that judge them" : "the plan: the imported tasks, and the gates that judge them",
    },
  ];
}

export type WriteOutcome = { kind: "written"; written: string[]; kept: string[] } | { kind: "refused"; message: string };

/** Looks at every folder before it writes the first file, so that a refusal leaves nothing half done. */
export function writeMissing(root: string, files: readonly InitFile[]): WriteOutcome {
  for (const { path } of files) {
    const unsafe = unsafePath(root, dirname(path));
    if (unsafe !== null) return { kind: "refused", message: unsafe };
  }
  const written: string[] = [];
  const kept: string[] = [];
  for (const file of files) {
    const outcome = writeNew(root, file);
    if (outcome === "written") written.push(file.path);
    else if (outcome === "EEXIST") kept.push(file.path);
    else return { kind: "refused", message: `could not write ${file.path}: ${outcome}` };
  }
  return { kind: "written", written, kept };
}

/** The system's code when it could not be written; EEXIST only for the file itself. */
function writeNew(root: string, { path, content }: InitFile): "written" | string {
  try {
    mkdirSync(dirname(join(root, path)), { recursive: true });
  } catch (error) {
    return `${dirname(path)} is no folder (${codeOf(error)})`;
  }
  try {
    // `wx` never overwrites, whoever creates the file in between, and follows no link.
    writeFileSync(join(root, path), content, { flag: "wx" });
    return "written";
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  const code = systemCode(error);
  if (code === null) throw error;
  return code;
}

function shipped(relative: string): string {
  return readFileSync(shippedFile(relative), "utf8");
}
