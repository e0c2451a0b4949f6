/** The prompt templates of a run: the shipped ones, overridden by `.ralph/prompts/`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readIfThere } from "../config/files.js";
import { PROMPTS_DIR } from "../core/paths.js";
import type { TemplateName } from "../core/prompt.js";
import { shippedFile } from "../shipped.js";

const NAMES: readonly TemplateName[] = ["rules", "work", "wrap-up", "step-back"];

export function readTemplates(root: string): Record<TemplateName, string> {
  const read = (name: TemplateName): string =>
    readIfThere(join(root, PROMPTS_DIR, `${name}.md`)) ?? readFileSync(shippedFile(`prompts/${name}.md`), "utf8");
  return Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Record<TemplateName, string>;
}
