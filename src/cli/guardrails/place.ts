/** What the guardrails commands work on: the signs of a working tree, and whether a person may change them now. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GUARDRAILS_DIR } from "../../core/paths.js";
import { parseSign } from "../../core/sign.js";
import type { NamedSign } from "../../core/sign-list.js";
import { readLock } from "../../workspace/lock-state.js";
import { agentAbove } from "../people-only.js";

export interface GuardrailsPlace {
  root: string;
  truthDir: string;
  env: NodeJS.ProcessEnv;
  out(line: string): void;
  err(line: string): void;
}

export interface SignFiles {
  signs: NamedSign[];
  /** Files without trigger or instruction, or without front matter. */
  formless: string[];
}

export function readSignFiles(root: string): SignFiles {
  const files: SignFiles = { signs: [], formless: [] };
  for (const name of namesIn(join(root, GUARDRAILS_DIR))) {
    const sign = parseSign(readFileSync(join(root, GUARDRAILS_DIR, name), "utf8"));
    if (sign === null) files.formless.push(name);
    else files.signs.push({ name, sign });
  }
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((item) => item.isFile() && item.name.endsWith(".md"))
      .map((item) => item.name)
      .sort();
  } catch {
    // No folder, no signs.
    return [];
  }
}

/** Why nobody may change signs here and now; null when a person may. */
export function whyNotNow({ env, truthDir }: Pick<GuardrailsPlace, "env" | "truthDir">): string | null {
  const above = agentAbove(env);
  if (above !== null) return above;
  const lock = readLock(truthDir);
  return lock.kind === "held"
    ? `run ${lock.owner.run} is going on in this working tree and holds its approved signs as they are. Wait for its end, or \`ralphd stop\` it.`
    : null;
}
