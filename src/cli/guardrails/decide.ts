/** A person's decision about one sign: written into its file and committed, that file alone. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withStatus } from "../../core/guard/signs.js";
import { GUARDRAILS_DIR } from "../../core/paths.js";
import { parseSign, type Sign } from "../../core/sign.js";
import { lintSign, signProblemText } from "../../core/sign-lint.js";
import { commitPaths, isTracked } from "../../workspace/commit-paths.js";

export type Decided = { kind: "done"; text: string } | { kind: "refused"; message: string };

/** The file of a sign named with or without its ending; null when there is none. */
export function signPath(root: string, name: string): { path: string; text: string; sign: Sign | null } | null {
  const file = name.endsWith(".md") ? name : `${name}.md`;
  if (file.includes("/") || file.startsWith(".")) return null;
  const path = `${GUARDRAILS_DIR}/${file}`;
  try {
    const text = readFileSync(join(root, path), "utf8");
    return { path, text, sign: parseSign(text) };
  } catch {
    // Absent or unreadable: there is nothing to decide about.
    return null;
  }
}

/** Why an agent would not be shown it, also when a person approves. */
export function whyNotApprovable(sign: Sign | null): string | null {
  if (sign === null) return "it is no sign: front matter with `trigger`, then the instruction";
  const problem = lintSign(sign);
  return problem === null ? null : signProblemText(problem);
}

export async function approve(root: string, name: string): Promise<Decided> {
  const found = signPath(root, name);
  if (found === null) return missing(name);
  const why = whyNotApprovable(found.sign);
  if (why !== null) return { kind: "refused", message: `${found.path} can't be approved: ${why}. Reword or reject it.` };
  writeFileSync(join(root, found.path), withStatus(found.text, "approved"));
  return committed(root, found.path, `Approve the sign ${title(name)}`, found.sign, "approved");
}

/** Git's history keeps it: a tracked sign is removed, one that was never committed is committed as retired. */
export async function reject(root: string, name: string): Promise<Decided> {
  const found = signPath(root, name);
  if (found === null) return missing(name);
  if (await isTracked(root, found.path)) rmSync(join(root, found.path));
  else writeFileSync(join(root, found.path), found.sign === null ? found.text : withStatus(found.text, "retired"));
  return committed(root, found.path, `Reject the sign ${title(name)}`, found.sign, "rejected");
}

/** After a person's editor: the new words are a decision of their own. */
export async function keepEdit(root: string, name: string): Promise<Decided> {
  const found = signPath(root, name);
  return found === null ? missing(name) : committed(root, found.path, `Edit the sign ${title(name)}`, found.sign, "edited");
}

async function committed(root: string, path: string, subject: string, sign: Sign | null, word: string): Promise<Decided> {
  const body = sign === null ? "" : `\n\nWhen ${sign.trigger}: ${sign.instruction}`;
  const outcome = await commitPaths(root, [path], `${subject}${body}\n`);
  if (outcome.kind === "failed")
    return { kind: "refused", message: `${path} is ${word}, but the decision could not be committed: ${outcome.message}. Commit it yourself.` };
  return {
    kind: "done",
    text: outcome.kind === "unchanged" ? `${path} was ${word} before; nothing to commit.` : `${path} ${word}, commit ${outcome.commit.slice(0, 9)}.`,
  };
}

function missing(name: string): Decided {
  return { kind: "refused", message: `there is no sign ${name} in ${GUARDRAILS_DIR}; \`ralphd guardrails list\` names them` };
}

function title(name: string): string {
  return name.replace(/\.md$/, "");
}
