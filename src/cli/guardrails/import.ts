/** `ralphd guardrails import FILE`: the signs of an old single-file guardrails.md as files of their own, as drafts. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { GUARDRAILS_DIR } from "../../core/paths.js";
import { readOldGuardrails } from "../../core/sign-import.js";
import { lintSign, signProblemText } from "../../core/sign-lint.js";
import { sameWords } from "../../core/sign-list.js";
import { formatSign } from "../../core/sign.js";
import { commitPaths } from "../../workspace/commit-paths.js";
import { type GuardrailsPlace, readSignFiles } from "./place.js";
import { readTextOrNull } from "../../quiet-files.js";

const MAX_NAME = 60;

export async function importSigns(place: GuardrailsPlace, file: string, cwd: string): Promise<number> {
  const { root, out, err } = place;
  const source = readTextOrNull(resolve(cwd, file));
  if (source === null) {
    err(`ralphd: ${file} can't be read.`);
    return 1;
  }
  const { signs, incomplete } = readOldGuardrails(source);
  for (const title of incomplete) err(`ralphd: left out ${JSON.stringify(title)}: a sign needs a trigger and an instruction.`);
  const known = new Set(readSignFiles(root).signs.map(({ sign }) => sameWords(sign)));
  const written: string[] = [];
  for (const { title, sign } of signs) {
    const problem = lintSign(sign);
    if (problem !== null) err(`ralphd: left out ${JSON.stringify(title)}: ${signProblemText(problem)}.`);
    else if (known.has(sameWords(sign))) out(`${title}: is there already.`);
    else {
      known.add(sameWords(sign));
      written.push(writeNew(root, title, formatSign(sign)));
    }
  }
  if (written.length === 0) {
    err(`ralphd: nothing was imported from ${file}${signs.length + incomplete.length === 0 ? "; it has no `### Sign:` blocks" : ""}.`);
    return signs.length > 0 ? 0 : 1;
  }
  for (const path of written) out(`${path}: draft`);
  const outcome = await commitPaths(root, written, `Import ${written.length} sign(s) from ${file}\n`);
  if (outcome.kind === "failed") err(`ralphd: the signs are written, but could not be committed: ${outcome.message}`);
  else out("`ralphd guardrails review` approves, edits or rejects each of them.");
  return outcome.kind === "failed" ? 1 : 0;
}

function writeNew(root: string, title: string, text: string): string {
  mkdirSync(join(root, GUARDRAILS_DIR), { recursive: true });
  const slug =
    title
      .normalize("NFKD")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, MAX_NAME)
      .replace(/-+$/, "") || "sign";
  let path = `${GUARDRAILS_DIR}/${slug}.md`;
  for (let number = 2; existsSync(join(root, path)); number += 1) path = `${GUARDRAILS_DIR}/${slug}-${number}.md`;
  writeFileSync(join(root, path), text, { flag: "wx" });
  return path;
}
