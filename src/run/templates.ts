/** The prompt templates of a run: the shipped ones, overridden by `.ralph/prompts/`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readIfThere } from "../config/files.js";
import { PROMPTS_DIR } from "../core/paths.js";
import { assemblePrompt, TemplateError, type TemplateName } from "../core/prompt.js";
import { shippedFile } from "../shipped.js";
import { Refusal } from "./refusal.js";

const NAMES: readonly TemplateName[] = ["rules", "work", "wrap-up", "step-back"];

export function readTemplates(root: string): Record<TemplateName, string> {
  const read = (name: TemplateName): string => readIfThere(join(root, PROMPTS_DIR, `${name}.md`)) ?? readFileSync(shippedFile(`prompts/${name}.md`), "utf8");
  return Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Record<TemplateName, string>;
}

/** A template that names an unknown word would fail in the middle of the night; it fails before anything starts instead. */
export function checkTemplates(root: string): void {
  const templates = readTemplates(root);
  const sample = { templates, plan: null, objective: null, marker: "", iteration: 1, task: null, left: [], feedback: [], signs: [], progress: "" };
  try {
    for (const mode of ["work", "wrapUp", "stepBack"] as const) assemblePrompt({ ...sample, mode });
  } catch (error) {
    if (error instanceof TemplateError) throw new Refusal(`${PROMPTS_DIR}: ${error.message}`);
    throw error;
  }
}
